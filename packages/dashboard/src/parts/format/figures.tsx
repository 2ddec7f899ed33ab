/**
 * Amounts, times, references and states in a line of text. Each has its own text direction, and no state is shown by colour
 * alone.
 */
import { usualCurrency } from '@sanad/contract/currency'
import { IconAlertTriangle, IconBan, IconCircleCheck, IconClock, IconHourglassEmpty } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useMe } from '../../frame/session-context.ts'
import { inDigits } from '../../words/digits.ts'
import { clockTime, exactTime, grouped, momentText, moneyText, relativeTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { useNow } from './clock.ts'

export const Money = ({
  amount,
  currency = usualCurrency,
  strong = false,
}: {
  amount: string
  currency?: string
  strong?: boolean
}) => {
  const { language } = useWords()
  return (
    <bdi className="figure" style={strong ? { fontWeight: 600, fontSize: '1.15em' } : undefined}>
      {moneyText(amount, currency, language)}
    </bdi>
  )
}

/** A relative time; the exact time on hover and for screen readers. */
export const When = ({ at }: { at: string }) => {
  const { language } = useWords()
  const { zone } = useMe()
  const exact = exactTime(at, language, zone)
  return (
    <time dateTime={at} title={exact}>
      {relativeTime(at, useNow(), language)}
    </time>
  )
}

/** The time of day; the exact time on hover. */
export const Clock = ({ at }: { at: string }) => {
  const { language } = useWords()
  const { zone } = useMe()
  return (
    <time dateTime={at} title={exactTime(at, language, zone)}>
      <bdi className="figure">{clockTime(at, language, zone)}</bdi>
    </time>
  )
}

/** The time of day, with the date if it is not today, as in "until 8 Jan 06:04"; the exact time on hover. */
export const Moment = ({ at }: { at: string }) => {
  const { language } = useWords()
  const { zone } = useMe()
  return (
    <time dateTime={at} title={exactTime(at, language, zone)}>
      <bdi className="figure">{momentText(at, useNow(), language, zone)}</bdi>
    </time>
  )
}

/** A reference, a code or a key, as it was typed. `free`: a text of the merchant, which may be Arabic. */
export const Code = ({ children, free = false }: { children: string; free?: boolean }) => (
  <bdi className="code" dir={free ? 'auto' : 'ltr'}>
    {children}
  </bdi>
)

export const Count = ({ children }: { children: number }) => {
  const { language } = useWords()
  return <bdi className="figure">{inDigits(grouped(String(children)), language)}</bdi>
}

const states = {
  PENDING: { picture: IconHourglassEmpty, colour: 'var(--sanad-pending)' },
  VERIFIED: { picture: IconCircleCheck, colour: 'var(--sanad-verified)' },
  WRONG_AMOUNT: { picture: IconAlertTriangle, colour: 'var(--sanad-wrong)' },
  EXPIRED: { picture: IconClock, colour: 'var(--sanad-quiet)' },
  CANCELLED: { picture: IconBan, colour: 'var(--sanad-quiet)' },
} as const

export type IntentState = keyof typeof states

export const State = ({ state }: { state: IntentState }) => {
  const { t } = useWords()
  const { picture: Picture, colour } = states[state]
  return (
    <span
      style={{
        color: colour,
        display: 'inline-flex',
        verticalAlign: 'middle',
        alignItems: 'center',
        gap: 4,
        fontWeight: 600,
        whiteSpace: 'nowrap',
      }}
    >
      <Picture size={16} stroke={2} aria-hidden />
      {t(`state.${state}`)}
    </span>
  )
}

/** Several names in a line, each in its own direction. */
export const NameList = ({ children }: { children: readonly string[] }) =>
  children.map((name, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two names may be equal, and the order never changes
    <Fragment key={at}>
      {at > 0 && ' · '}
      {/* A line breaks between names before it breaks inside a name. */}
      <bdi style={{ display: 'inline-block' }}>{name}</bdi>
    </Fragment>
  ))
