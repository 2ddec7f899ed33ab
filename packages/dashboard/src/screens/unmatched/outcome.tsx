/** The result of a decision about an alert: a line in place of its card, with a link to the intent. */
import { IconCircleCheck } from '@tabler/icons-react'
import { createContext, useContext } from 'react'
import { Link } from 'wouter'
import { type OrderName, orderText } from '../../parts/format/order-name.ts'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import type { QueueAlert } from './queue-alert.ts'
import classes from './unmatched.module.css'

export type Outcome = {
  /** The alert whose card the line replaces. */
  readonly alert: { readonly id: string; readonly received_at: string }
  /** The card was sorted before the others. */
  readonly first?: boolean
  readonly text: string
  readonly intent?: OrderName & { readonly id: string }
}

/**
 * The list of alerts receives the outcomes. An outcome is passed on when the change is done, and not kept in the card: the
 * card may be gone from the queue by then.
 */
export const OutcomeContext = createContext<(outcome: Outcome) => void>(() => {})

export const useOutcome = (): ((outcome: Outcome) => void) => useContext(OutcomeContext)

export const OutcomeLine = ({ outcome }: { outcome: Outcome }) => {
  const { t } = useWords(unmatchedWords)
  return (
    <p className={`card ${classes.outcome}`} role="status">
      <IconCircleCheck size={16} color="var(--sanad-verified)" aria-hidden style={{ flexShrink: 0 }} />
      <span>
        {outcome.text}{' '}
        {outcome.intent !== undefined && (
          <Link href={`/intents/${outcome.intent.id}`}>
            {t('unmatched.open')} {orderText(outcome.intent, t)}
          </Link>
        )}
      </span>
    </p>
  )
}

/** After a change of an alert: if the alert paid an order at once, this is shown as the outcome. */
export const usePaidOutcome = (money: (alert: QueueAlert) => string): ((alert: QueueAlert) => void) => {
  const { t } = useWords(unmatchedWords)
  const showOutcome = useOutcome()
  return (alert) => {
    if (alert.intent === null || (alert.state !== 'matched' && alert.state !== 'booked')) return
    const text = t('step.matched', { paid: money(alert), order: orderText(alert.intent, t) })
    showOutcome({ alert, text, intent: alert.intent })
  }
}
