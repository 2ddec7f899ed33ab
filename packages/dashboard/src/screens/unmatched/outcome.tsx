/** What became of money that a person decided on: a line in the place where its card was, with a link to the intent. */
import { IconCircleCheck } from '@tabler/icons-react'
import { createContext, useContext } from 'react'
import { Link } from 'wouter'
import { type Ordered, orderText } from '../../parts/format/order-name.ts'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import type { QueueAlert } from './queue-alert.ts'
import classes from './unmatched.module.css'

export type Outcome = {
  /** Its card stood in the order of these. */
  readonly alert: { readonly id: string; readonly received_at: string }
  readonly text: string
  readonly intent?: Ordered & { readonly id: string }
}

/**
 * Who shows alerts takes the outcomes. They are told when the change is done, not when its card hears of it: by then the card
 * may be gone from the queue.
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

/** For what a person said of an alert: if it paid an order at once, that is the outcome. */
export const usePaidOutcome = (money: (alert: QueueAlert) => string): ((alert: QueueAlert) => void) => {
  const { t } = useWords(unmatchedWords)
  const tell = useOutcome()
  return (alert) => {
    if (alert.intent === null || (alert.state !== 'matched' && alert.state !== 'booked')) return
    const text = t('step.matched', { paid: money(alert), order: orderText(alert.intent, t) })
    tell({ alert, text, intent: alert.intent })
  }
}

/** For what failed: the question shows it by itself. */
export const shown = (): void => {}
