/**
 * Below an alert of the queue: the only order of the same payer and amount, with a button that books at once. There is no
 * confirmation: the line states what is booked, and the server refuses if an amount has changed.
 */
import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { ignoreShownError, Problem } from '../../parts/form/problem.tsx'
import { Code } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { isPayerReason, reasonsText } from './likely-reason.ts'
import { useOutcome } from './outcome.tsx'
import type { Likely, QueueAlert } from './queue-alert.ts'
import classes from './unmatched.module.css'

export const SamePayer = ({ alert, intent }: { alert: QueueAlert; intent: Likely }) => {
  const { t, language } = useWords(unmatchedWords)
  const { may } = useMe()
  const showOutcome = useOutcome()
  const book = useApiMutation('bookUnmatched', ['alert', 'intent'])
  const paid = moneyText(intent.payable_amount, intent.currency, language)
  const send = (): void =>
    void book
      .mutateAsync({
        path: { id: alert.id },
        body: { intent: intent.id, alert_amount: alert.amount ?? '', intent_amount: intent.payable_amount },
      })
      .then(({ intent: booked }) => {
        showOutcome({ alert, first: true, text: t('book.done', { paid, order: orderText(intent, t) }), intent: booked })
      }, ignoreShownError)
  const reasons = intent.reasons.filter((reason) => isPayerReason(reason) || reason.code === 'same_amount')
  return (
    <div className={classes.samePayer}>
      <div>
        <Link href={`/intents/${intent.id}`}>
          <Code free>{intent.external_order_id === '' ? intent.code : intent.external_order_id}</Code>
        </Link>
        {' · '}
        <span className={classes.small}>{reasonsText(reasons, t, language)}</span>
      </div>
      {may('unmatched.write') && (
        <Button size="xs" loading={book.isPending} onClick={send}>
          {t('book.atOnce')}
        </Button>
      )}
      {book.error !== null && <Problem problem={book.error} />}
    </div>
  )
}
