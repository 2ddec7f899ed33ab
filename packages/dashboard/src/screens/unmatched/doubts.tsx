/** The doubts about an alert, each as a chip, in every state of the alert. */
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'wouter'
import { ProblemAnswer } from '../../api/call.ts'
import { useMe } from '../../frame/session-context.ts'
import { isNegative, withoutSign } from '../../parts/format/amounts.ts'
import { useNow } from '../../parts/format/clock.ts'
import { orderText } from '../../parts/format/order-name.ts'
import { momentText, moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { doubtsWords } from '../../words/screens/doubts.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import type { QueueAlert } from './queue-alert.ts'
import classes from './unmatched.module.css'

type Doubt = QueueAlert['doubts'][number]

/** A function that writes how much money came or left without a message, and since when. `keys`: the texts of both cases. */
export const useMissingText = () => {
  const { t, language } = useWords(unmatchedWords, doubtsWords)
  const { zone } = useMe()
  const now = useNow()
  return (
    facts: Readonly<Record<string, string>>,
    currency: string,
    keys: { readonly came: 'doubt.balanceCame' | 'step.came'; readonly left: 'doubt.balanceLeft' | 'step.left' },
  ): string | undefined => {
    const { missing, since } = facts
    if (missing === undefined || since === undefined || missing === '' || since === '') return undefined
    return t(isNegative(missing) ? keys.left : keys.came, {
      missing: moneyText(withoutSign(missing), currency, language),
      since: momentText(since, now, language, zone),
    })
  }
}

/** Whether the alert may report a payment that has already paid an order. A booking must then confirm that it is another. */
export const mayBeSame = ({ doubts }: { readonly doubts: readonly { readonly code: string }[] }): boolean =>
  doubts.some(({ code }) => code === 'same_payment')

/** Whether the service refused a change for this reason, even if the card showed no such doubt. */
export const isRefusedAsSame = (problem: Error | null): boolean =>
  problem instanceof ProblemAnswer && problem.has('may_be_same_payment')

export const Doubts = (props: {
  doubts: readonly Doubt[]
  currency: string
  /** Leaves out the difference of the balance, because the screen shows it elsewhere. */
  brief?: boolean
}) => {
  const { doubts, currency, brief = false } = props
  const { t } = useWords(unmatchedWords, doubtsWords)
  const missing = useMissingText()
  if (doubts.length === 0) return null
  const text = ({ code, facts }: Doubt): string => {
    if (code === 'balance' && !brief)
      return missing(facts, currency, { came: 'doubt.balanceCame', left: 'doubt.balanceLeft' }) ?? t('doubt.balance')
    if (code === 'many_references')
      return facts.tried === undefined ? t('doubt.many') : t('doubt.many_references', { tried: facts.tried })
    if (code === 'same_payment') {
      const { payment, order = '' } = facts
      if (payment === undefined) return t('doubt.samePaymentSome')
      return t('doubt.same_payment', { order: orderText({ code: payment, external_order_id: order }, t) })
    }
    return t(`doubt.${code}`)
  }
  return (
    <ul className={classes.doubts} aria-label={t('unmatched.lookTwice')}>
      {doubts.map((doubt) => (
        <li key={doubt.code} className={classes.doubt}>
          <IconAlertTriangle size={14} aria-hidden style={{ flexShrink: 0 }} />
          {doubt.facts.other !== undefined ? (
            <Link href={`/unmatched/${doubt.facts.other}`}>{text(doubt)}</Link>
          ) : (
            <span>{text(doubt)}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
