/** The question before money is booked: both amounts stand in it, and both are sent, so that nobody books unseen. */
import { Alert, Text } from '@mantine/core'
import { useChange } from '../../api/ask.ts'
import { Confirm } from '../../parts/confirm.tsx'
import type { IntentState } from '../../parts/figures.tsx'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import type { QueueAlert } from './queue-alert.ts'

/** An intent to book onto. */
export type Target = {
  readonly id: string
  readonly code: string
  readonly external_order_id: string
  readonly status: IntentState
  readonly payable_amount: string
  readonly currency: string
}

export const Book = ({ alert, target, done }: { alert: QueueAlert; target: Target; done: () => void }) => {
  const { t, language } = useWords()
  const copies = target.status === 'EXPIRED'
  const book = useChange(copies ? 'bookOntoCopy' : 'bookUnmatched', ['alert', 'intent'])
  const paid = alert.amount ?? ''
  return (
    <Confirm
      title={t('book.title')}
      go={t(copies ? 'book.copy' : 'book.go')}
      busy={book.isPending}
      problem={book.error}
      no={done}
      yes={() =>
        book.mutate(
          {
            path: { id: alert.id },
            body: { intent: target.id, alert_amount: paid, intent_amount: target.payable_amount },
          },
          { onSuccess: done },
        )
      }
    >
      <Text>
        {t(copies ? 'book.sureCopy' : 'book.sure', {
          paid: moneyText(paid, alert.currency ?? 'YER', language),
          payable: moneyText(target.payable_amount, target.currency, language),
          code: target.code,
        })}
      </Text>
      {paid !== target.payable_amount && <Alert color="yellow">{t('book.differs')}</Alert>}
    </Confirm>
  )
}
