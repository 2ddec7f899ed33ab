/**
 * Books money at the counter. Orders of the same amount come first: one touch books if there are no doubts, otherwise the
 * confirmation of the queue is shown, with both amounts. Any other order is found by search.
 */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Code, Money } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { BookingConfirmation, type Target } from '../unmatched/booking-confirmation.tsx'
import { OtherIntent } from '../unmatched/likely-intents.tsx'
import { reasonsText } from '../unmatched/likely-reason.ts'
import { ignoreShownError } from '../unmatched/outcome.tsx'
import type { Likely, WholeAlert } from '../unmatched/queue-alert.ts'
import { booksAtOnce } from './answer.ts'
import classes from './counter.module.css'

const useBooking = (alert: WholeAlert) => {
  const book = useApiMutation('bookUnmatched', ['alert', 'intent'])
  const [target, setTarget] = useState<Target>()
  const send = (order: Likely): void =>
    void book
      .mutateAsync({
        path: { id: alert.id },
        body: { intent: order.id, alert_amount: alert.amount ?? '', intent_amount: order.payable_amount },
      })
      .then(() => {}, ignoreShownError)
  return { book, target, setTarget, send }
}

/** `only`: the order that the cashier looks at; left out: all likely orders. */
export const CounterBooking = ({ alert, only }: { alert: WholeAlert; only?: string }) => {
  const { t, language } = useWords(counterWords, unmatchedWords)
  const { may } = useMe()
  const { book, target, setTarget, send } = useBooking(alert)
  const [searching, setSearching] = useState(false)
  if (!may('unmatched.write')) return null
  const likely = only === undefined ? alert.likely : alert.likely.filter(({ id }) => id === only)
  return (
    <div className={classes.book}>
      {only === undefined && (
        <h3 className={classes.bookTitle}>{likely.length === 0 ? t('counter.noOrder') : t('counter.bookTo')}</h3>
      )}
      {likely.map((order) => {
        const isSure = booksAtOnce(alert, order)
        return (
          <div key={order.id} className={classes.order}>
            <Button
              size="lg"
              fullWidth
              variant={isSure ? 'filled' : 'default'}
              loading={book.isPending}
              onClick={() => (isSure ? send(order) : setTarget(order))}
            >
              {t(isSure ? 'counter.bookNow' : 'counter.bookAsk', { order: orderText(order, t) })}
            </Button>
            <p className={classes.small}>
              <Money amount={order.payable_amount} currency={order.currency} />
              {' · '}
              {reasonsText(order.reasons, t, language)}
              {order.external_order_id !== '' && (
                <>
                  {' · '}
                  <Code>{order.code}</Code>
                </>
              )}
            </p>
          </div>
        )
      })}
      {book.error !== null && <Problem problem={book.error} />}
      {likely.length > 0 && <p className={classes.small}>{t('counter.final')}</p>}
      {only === undefined && !searching && (
        <Button variant="default" onClick={() => setSearching(true)}>
          {t('counter.otherOrder')}
        </Button>
      )}
      {searching && <OtherIntent alert={alert} book={setTarget} />}
      {target !== undefined && <BookingConfirmation alert={alert} target={target} close={() => setTarget(undefined)} />}
    </div>
  )
}
