/**
 * Money without an order that may belong to a sale, live. Every message of exactly the amount is listed, not only the newest. One
 * touch books it if nothing else fits; otherwise the question of the queue comes first, with the reference and the time of the
 * message. Other amounts of the wallet are below: booking one of them is the red question of the queue.
 */
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useApi, useApiMutation } from '../../../api/use-api.ts'
import { useMe } from '../../../frame/session-context.ts'
import { ignoreShownError, Problem } from '../../../parts/form/problem.tsx'
import { isSameAmount } from '../../../parts/format/amounts.ts'
import { Code, Money, When } from '../../../parts/format/figures.tsx'
import { orderText } from '../../../parts/format/order-name.ts'
import { WalletName } from '../../../parts/format/wallet-name.tsx'
import { useWords } from '../../../words/language.ts'
import { counterWords, saleWords } from '../../../words/screens/counter.ts'
import { unmatchedWords } from '../../../words/screens/unmatched.ts'
import { BookingConfirmation, type Target } from '../../unmatched/booking-confirmation.tsx'
import { Doubts, isRefusedAsSame } from '../../unmatched/doubts.tsx'
import { isBookable, type QueueAlert } from '../../unmatched/queue-alert.ts'
import classes from './sale.module.css'
import { booksSaleAtOnce } from './sale-booking.ts'

/** The intent of a sale that waits or has expired, with the wallet that it is paid into. */
export type SaleIntent = Target & {
  readonly base_amount: string
  readonly wallet: { readonly id: string }
}

/** At a counter the buyer may pay before the cashier has entered the sale. */
const early_ms = 10 * 60_000
const mostOthers = 20

const useMoney = (intent: SaleIntent, since: string) => {
  const from = new Date(Date.parse(since) - early_ms).toISOString()
  const options = { kinds: ['alert', 'intent'] as const, every_ms: 15_000 }
  const equal = useApi('listUnmatched', { query: { amount: intent.payable_amount, from, page_size: 200 }, ...options })
  const nearby = useApi('listUnmatched', {
    query: { wallet: intent.wallet.id, from, page_size: mostOthers },
    ...options,
  })
  // A message whose wallet is not known yet may be for this one.
  const isHere = ({ wallet }: QueueAlert): boolean => wallet === null || wallet.id === intent.wallet.id
  const fitting = (equal.data?.results ?? []).filter(isHere)
  const isOther = (alert: QueueAlert): boolean =>
    isBookable(alert) && !isSameAmount(alert.amount ?? '', intent.payable_amount)
  // The buyer may have paid into another wallet of the shop.
  const elsewhere = (equal.data?.results ?? []).filter((alert) => isBookable(alert) && !isHere(alert))
  return {
    fitting,
    /** More than are shown: then nothing is booked with one touch. */
    more: equal.data !== undefined && equal.data.next !== null,
    others: [...elsewhere, ...(nearby.data?.results ?? []).filter(isOther)],
    moreOthers: nearby.data !== undefined && nearby.data.next !== null,
  }
}

/** `move`: moves the sale to the wallet into which the buyer has paid; left out: it cannot be moved any more. */
type Props = { intent: SaleIntent; move?: ((wallet: string) => void) | undefined }
/** `since`: when the sale began, also if its intent is newer because the wallet was changed. */
type MoneyProps = Props & { since: string; children?: ReactNode }

/** `children`: shown below the money that fits, because what has arrived matters more than what to pay. */
export const SaleMoney = ({ intent, since, move, children }: MoneyProps) => {
  const { t } = useWords(counterWords, saleWords)
  const { fitting, more, others, moreOthers } = useMoney(intent, since)
  const equal = more ? Number.POSITIVE_INFINITY : fitting.length
  // The buyer sent the amount of the sale and not the one that he was asked for, or sent it to another wallet.
  const hasBase = others.some(({ amount }) => amount !== null && isSameAmount(amount, intent.base_amount))
  return (
    <div className={classes.money}>
      {fitting.length > 0 && (
        <section className={classes.arrived}>
          <h3>{t('sale.arrived')}</h3>
          {equal > 1 && <p>{t('sale.compare')}</p>}
          <ul>
            {fitting.map((alert) => (
              <MoneyLine key={alert.id} alert={alert} intent={intent} equal={equal} />
            ))}
          </ul>
          {more && <QueueLink />}
          <p className={classes.small}>{t('sale.final')}</p>
        </section>
      )}
      {children}
      {others.length > 0 && (
        <details className={classes.others} open={hasBase || undefined}>
          <summary>{t('sale.others', { count: others.length })}</summary>
          <ul>
            {others.map((alert) => (
              <MoneyLine key={alert.id} alert={alert} intent={intent} equal={0} move={move} />
            ))}
          </ul>
          {moreOthers && <QueueLink />}
        </details>
      )}
    </div>
  )
}

const QueueLink = () => {
  const { t } = useWords(saleWords)
  return (
    <p className={classes.small}>
      <Link href="/unmatched">{t('sale.moreMoney')}</Link>
    </p>
  )
}

/** `equal`: how many messages of the sale's amount fit; 0: this one has another amount. */
const MoneyLine = ({ alert, intent, equal, move }: Props & { alert: QueueAlert; equal: number }) => {
  const { t } = useWords(counterWords, saleWords, unmatchedWords)
  const book = useApiMutation('bookUnmatched', ['alert', 'intent', 'checkout'])
  const [isAsking, setAsking] = useState(false)
  const isSure = booksSaleAtOnce(alert, intent.id, equal)
  const currency = alert.currency ?? intent.currency
  const send = (): void =>
    void book
      .mutateAsync({
        path: { id: alert.id },
        body: { intent: intent.id, alert_amount: alert.amount ?? '', intent_amount: intent.payable_amount },
      })
      .then(() => {}, ignoreShownError)
  const claims = alert.likely.filter(({ id, status }) => id !== intent.id && status === 'PENDING')
  const otherWallet = alert.wallet !== null && alert.wallet.id !== intent.wallet.id ? alert.wallet : undefined
  return (
    <li className={classes.line}>
      <div>
        <p className={classes.lineMain}>
          {alert.amount !== null && <Money amount={alert.amount} currency={currency} strong />}{' '}
          <span>
            {t('sale.from')} <bdi>{alert.payer === '' ? t('unmatched.noPayer') : alert.payer}</bdi>
          </span>
        </p>
        <p className={classes.small}>
          {alert.reference !== '' && (
            <>
              {t('field.reference')} <Code>{alert.reference}</Code>
              {' · '}
            </>
          )}
          <When at={alert.received_at} />
          {otherWallet !== undefined && (
            <>
              {' · '}
              <WalletName wallet={otherWallet} />
            </>
          )}
        </p>
        <Doubts doubts={alert.doubts} currency={currency} />
        {alert.state === 'held' && <p className={classes.small}>{t('counter.held')}</p>}
        {book.error !== null && !isAsking && <Problem problem={book.error} />}
      </div>
      <LineAction alert={alert} move={move} otherWallet={otherWallet?.id}>
        <Button
          size="md"
          variant={isSure ? 'filled' : 'default'}
          loading={book.isPending}
          onClick={() => (isSure && !isRefusedAsSame(book.error) ? send() : setAsking(true))}
        >
          {t(isSure ? 'sale.book' : 'sale.bookAsk')}
        </Button>
      </LineAction>
      {isAsking && (
        <BookingConfirmation
          alert={alert}
          target={intent}
          close={() => setAsking(false)}
          note={
            <div className={classes.note}>
              {equal > 1 && <p>{t('sale.compare')}</p>}
              {claims.map((order) => (
                <p key={order.id}>{t('sale.alsoWaits', { order: orderText(order, t) })}</p>
              ))}
            </div>
          }
        />
      )}
    </li>
  )
}

/** `children`: the button that books, for money that can be booked to the sale as it is. */
const LineAction = (props: {
  alert: QueueAlert
  move: Props['move']
  otherWallet: string | undefined
  children: ReactNode
}) => {
  const { t } = useWords(counterWords, saleWords)
  const { may } = useMe()
  const { alert, move, otherWallet } = props
  if (!isBookable(alert) || alert.wallet === null || (otherWallet !== undefined && move === undefined))
    return <Link href={`/unmatched/${alert.id}`}>{t('act.openMessage')}</Link>
  if (!may('unmatched.write')) return null
  if (otherWallet === undefined) return props.children
  return (
    <Button size="md" variant="default" onClick={() => move?.(otherWallet)}>
      {t('sale.move')}
    </Button>
  )
}
