/** The card that fills the screen with one answer: its colour and text, the amount, the payer, the time and the wallet. */
import { usualCurrency } from '@sanad/contract/currency'
import {
  IconAlertTriangle,
  IconChecks,
  IconCircleCheck,
  IconHourglassEmpty,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react'
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
  /** Nothing is left to do: handed over, set aside. */
  done: IconChecks,
} as const

export type Tone = keyof typeof signs

/** `.00` is left out: the amount is read from a distance. */
export const BigAmount = ({ amount, currency }: { amount: string; currency: string }) => {
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
    // Screen readers announce a changed answer, also when a payment arrives while the card is shown.
    <section className={classes.answer} data-tone={props.tone} aria-live="polite">
      <h2 className={props.tone === 'paid' ? classes.stamp : classes.verdict} key={props.title}>
        <Sign size={28} stroke={2} aria-hidden />
        {props.title}
      </h2>
      {props.amount !== undefined && props.amount !== null && (
        <BigAmount amount={props.amount} currency={props.currency ?? usualCurrency} />
      )}
      {props.children}
    </section>
  )
}

/** Details in a line, each in its own direction. */
export const DetailLine = ({ children }: { children: readonly ReactNode[] }) => {
  const details = children.filter((child) => child !== '' && child !== null && child !== undefined && child !== false)
  return (
    <p className={classes.facts}>
      {details.map((detail, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
        <span key={index}>
          {index > 0 && ' · '}
          <bdi>{detail}</bdi>
        </span>
      ))}
    </p>
  )
}
