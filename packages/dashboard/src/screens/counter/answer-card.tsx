/** The card that fills the screen with one answer: its colour and its words, the amount, and who, when and where. */
import { IconAlertTriangle, IconCircleCheck, IconHourglassEmpty, IconQuestionMark, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { inDigits } from '../../words/digits.ts'
import { currencyName, grouped } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import classes from './counter.module.css'

const signs = {
  paid: IconCircleCheck,
  money: IconAlertTriangle,
  waiting: IconHourglassEmpty,
  none: IconX,
  unsure: IconQuestionMark,
} as const

export type Tone = keyof typeof signs

/** `.00` is left out: the amount is read from a distance. */
const BigAmount = ({ amount, currency }: { amount: string; currency: string }) => {
  const { language } = useWords()
  return (
    <bdi className={`figure ${classes.amount}`}>
      {inDigits(grouped(amount.replace(/\.00$/, '')), language)}
      <span className={classes.currency}> {currencyName(currency, language)}</span>
    </bdi>
  )
}

export const AnswerCard = (props: {
  tone: Tone
  title: string
  amount?: string | null
  currency?: string
  children?: ReactNode
}) => {
  const Sign = signs[props.tone]
  return (
    // Announced when the answer changes, also when a payment arrives while it is on the screen.
    <section className={classes.answer} data-tone={props.tone} aria-live="polite">
      <h2 className={props.tone === 'paid' ? classes.stamp : classes.verdict} key={props.title}>
        <Sign size={28} stroke={2} aria-hidden />
        {props.title}
      </h2>
      {props.amount !== undefined && props.amount !== null && (
        <BigAmount amount={props.amount} currency={props.currency ?? 'YER'} />
      )}
      {props.children}
    </section>
  )
}

/** Details in a line, each in its own direction. */
export const DetailLine = ({ children }: { children: readonly ReactNode[] }) => {
  const shown = children.filter((one) => one !== '' && one !== null && one !== undefined && one !== false)
  return (
    <p className={classes.facts}>
      {shown.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move
        <span key={at}>
          {at > 0 && ' · '}
          <bdi>{one}</bdi>
        </span>
      ))}
    </p>
  )
}
