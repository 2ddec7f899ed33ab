/**
 * Books money at the counter. Orders of the same amount come first; any other order is found by search. Every booking asks once, with
 * the order, both amounts, the names, the reference and the time: it is final.
 */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useMe } from '../../frame/session-context.ts'
import { Code, Money } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { BookingConfirmation, type Target } from '../unmatched/booking-confirmation.tsx'
import { OtherIntent } from '../unmatched/likely-intents.tsx'
import { reasonsText } from '../unmatched/likely-reason.ts'
import type { QueueAlert } from '../unmatched/queue-alert.ts'
import { isPlainBooking } from './answer.ts'
import classes from './counter.module.css'

/** Books one message to the order that the cashier looks at. */
export const BookTo = ({ alert, order }: { alert: QueueAlert; order: Target }) => {
  const { t } = useWords(counterWords, unmatchedWords)
  const { may } = useMe()
  const [asks, setAsks] = useState(false)
  if (!may('unmatched.write')) return null
  return (
    <div className={classes.order}>
      <Button fullWidth onClick={() => setAsks(true)}>
        {t('counter.bookNow', { order: orderText(order, t) })}
      </Button>
      {asks && <BookingConfirmation alert={alert} target={order} close={() => setAsks(false)} />}
    </div>
  )
}

/** The likely orders of a message, and a search for any other. */
export const CounterBooking = ({ alert }: { alert: QueueAlert }) => {
  const { t, language } = useWords(counterWords, unmatchedWords)
  const { may } = useMe()
  const [target, setTarget] = useState<Target>()
  const [searching, setSearching] = useState(false)
  if (!may('unmatched.write')) return null
  const { likely } = alert
  return (
    <div className={classes.book}>
      <h3 className={classes.bookTitle}>{likely.length === 0 ? t('counter.noOrder') : t('counter.bookTo')}</h3>
      {likely.map((order) => {
        return (
          <div key={order.id} className={classes.order}>
            <Button
              size="lg"
              fullWidth
              variant={isPlainBooking(alert, order) ? 'filled' : 'default'}
              onClick={() => setTarget(order)}
            >
              {t('counter.bookNow', { order: orderText(order, t) })}
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
      {likely.length > 0 && <p className={classes.small}>{t('counter.final')}</p>}
      {!searching && (
        <Button variant="default" onClick={() => setSearching(true)}>
          {t('counter.otherOrder')}
        </Button>
      )}
      {searching && <OtherIntent alert={alert} book={setTarget} />}
      {target !== undefined && <BookingConfirmation alert={alert} target={target} close={() => setTarget(undefined)} />}
    </div>
  )
}
