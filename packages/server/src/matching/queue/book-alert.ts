/**
 * Books an alert of the queue: onto a PENDING intent, onto a new intent that copies an expired one, or onto a new intent with
 * the amount that arrived instead of the expected one. A member decides: the amounts may differ, the currency may not, and
 * test money pays no real intent. An alert that only ended an intent as WRONG_AMOUNT is not spent and can be booked. If two
 * members, or a member and a new alert, act at the same time, the first one wins.
 */
import { type Allowance, overLimit } from '../../accounts/limits/role-limits.ts'
import type { AlertState } from '../../alerts/alert.ts'
import { proveAlert } from '../../alerts/balances/balance-chain.ts'
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import type { AlertId, UserId } from '../../core/ids.ts'
import { formatMinor, type Minor } from '../../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import { type Arrival, arrivalOf } from '../../intents/arrival.ts'
import { type Draft, type Intent, newIntent, statusAt } from '../../intents/intent.ts'
import { intentOf, lockIntent } from '../../intents/intent-sql.ts'
import { storeTaking } from '../../intents/taking-sql.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import { noteFirstMoney } from '../../wallets/entries/first-money-sql.ts'
import { doubtCredits } from '../resolve/amounts-sql.ts'
import { lockBalances, saveBalances } from '../resolve/matching-sql.ts'
import { resolutionOf } from '../resolve/resolution.ts'
import { chainFrom, chainRow } from '../resolve/stored-chain.ts'
import { writeResolutions } from '../resolve/write-resolutions.ts'
import { copyIntent, walletKinds } from './book-sql.ts'
import { lockQueueAlert, notOpen, notPending, resolvingAlert } from './lock-queue-alert.ts'
import { orderShortfall } from './order-shortfall.ts'
import { fateOfAlert, referenceOwner } from './queue-sql.ts'
import { lockSamePayments, samePaymentLocks } from './same-payments.ts'

export type Booking = {
  readonly scope: Scope
  readonly alertId: string
  readonly intentId: string
  /** The member, as a text and by id. Without an id no member takes the money: the buyer's page books it, or it was taken before. */
  readonly by: string
  readonly userId?: UserId
  /** What the member may do without asking. */
  readonly allowed: Allowance
  /** The amounts that the member saw when deciding; undefined: not sent. */
  readonly seen?: { readonly alertAmount: Minor; readonly intentAmount: Minor }
  /** The member confirms that the alert is another payment than a spent one of the same amount (same-payments.ts). */
  readonly anotherPayment?: boolean
  /** The buyer's page books what arrived: nobody has looked at the message, so its balance is not confirmed. */
  readonly byPage?: true
  /** A new intent ends then at the latest: the end of the checkout that it belongs to. */
  readonly endsBy?: Instant
}

export type BookingRefusal = Refusal<
  | 'alert_unknown'
  | 'alert_not_open'
  | 'intent_unknown'
  | 'intent_not_pending'
  | 'intent_not_expired'
  | 'intent_not_wrong'
  | 'intent_of_other_wallet'
  | 'test_and_real'
  | 'currency_mismatch'
  | 'amount_changed'
  | 'reference_taken'
  | 'may_be_same_payment'
  | 'over_limit'
>

const bookable: readonly AlertState[] = ['waiting', 'review', 'wrong_amount']

/** The alert, locked, if it can be booked or taken as a sale. */
export const lockBookable = async (
  tx: Tx,
  booking: Pick<Booking, 'scope' | 'alertId' | 'anotherPayment'>,
  zone: Zone,
) => {
  const row = await lockQueueAlert(tx, booking, zone, await samePaymentLocks(tx, booking))
  if (isRefusal(row)) return row
  const { wallet_id: walletId, identity, amount, reference_key: key } = row
  if (walletId === null || identity === null || amount === null || !bookable.includes(row.state))
    return notOpen(tx, booking, zone)
  // Two alerts cannot own one reference: the first must be dismissed before the second is booked.
  const [other] = key === null ? [] : await referenceOwner(tx, identity, key, row.id)
  if (other !== undefined)
    return refuse('reference_taken', { alert: other.id, state: other.state, amount: formatMinor(other.amount!) })
  const same = await lockSamePayments(tx, booking.scope, row)
  if (same.spent !== undefined && booking.anotherPayment !== true)
    return mayBeSamePayment(tx, booking.scope, same.spent, amount)
  return { ...row, walletId, identity, amount, same }
}

/** The refusal names the spent payment that the alert may be, and its order. */
const mayBeSamePayment = async (
  tx: Tx,
  scope: Scope,
  spent: AlertId,
  amount: Minor,
): Promise<Refusal<'may_be_same_payment'>> => {
  const [fate] = await fateOfAlert(tx, scope, spent)
  const { state, intent_id, code } = fate!
  const money = { alert: spent, state, amount: formatMinor(amount) }
  return refuse('may_be_same_payment', { ...money, intent: intent_id ?? '', payment: code ?? '' })
}

type BookableAlert = Exclude<Awaited<ReturnType<typeof lockBookable>>, Refusal>

const lockBookedIntent = async (tx: Tx, booking: Booking): Promise<Intent | Refusal<'intent_unknown'>> => {
  const [row] = await lockIntent(tx, booking.scope, booking.intentId)
  return row === undefined ? refuse('intent_unknown', { intent: booking.intentId }) : intentOf(row)
}

const currencyMismatch = (alert: BookableAlert, intent: Intent): Refusal<'currency_mismatch'> | undefined =>
  alert.currency === intent.currency
    ? undefined
    : refuse('currency_mismatch', { alert_currency: alert.currency ?? '', intent_currency: intent.currency })

/** Wallet entries with the same identity are one real wallet. */
const isOfSameWallet = async (tx: Tx, alert: BookableAlert, intent: Intent): Promise<boolean> => {
  if (alert.walletId === intent.walletId) return true
  const [wallet] = await walletKinds(tx, wholeAccount(intent.accountId), [intent.walletId])
  return wallet?.identity === alert.identity
}

/** The new intent is on the wallet that received the money, which may be another wallet of the merchant. Test money must stay
 *  on a test wallet. */
const testAndReal = async (
  tx: Tx,
  alert: BookableAlert,
  old: Intent,
): Promise<Refusal<'test_and_real'> | undefined> => {
  if (alert.walletId === old.walletId) return undefined
  const kinds = await walletKinds(tx, wholeAccount(old.accountId), [alert.walletId, old.walletId])
  return new Set(kinds.map(({ is_test }) => is_test)).size === 1 ? undefined : refuse('test_and_real')
}

/** Refuses the booking if an amount has changed since the member saw it. */
const amountChanged = (
  booking: Booking,
  alert: BookableAlert,
  intent: Intent,
): Refusal<'amount_changed'> | undefined => {
  const { seen } = booking
  if (seen === undefined || (seen.alertAmount === alert.amount && seen.intentAmount === intent.payable))
    return undefined
  return refuse('amount_changed', {
    alert_amount: formatMinor(alert.amount),
    intent_amount: formatMinor(intent.payable),
  })
}

export const bookAlert = (db: Db, zone: Zone, booking: Booking, now: Instant): Promise<Intent | BookingRefusal> =>
  db.transaction(async (tx) => {
    const alert = await lockBookable(tx, booking, zone)
    if (isRefusal(alert)) return alert
    const intent = await lockBookedIntent(tx, booking)
    if (isRefusal(intent)) return intent
    const status = statusAt(intent, now)
    if (status !== 'PENDING') return notPending(tx, booking.scope, { ...intent, status }, zone)
    if (!(await isOfSameWallet(tx, alert, intent))) return refuse('intent_of_other_wallet')
    const refusal = currencyMismatch(alert, intent) ?? amountChanged(booking, alert, intent)
    if (refusal !== undefined) return refusal
    const arrival = arrivalOf(intent, alert.amount)
    const over = await overLimitOf(tx, booking, alert, intent, arrival, now)
    if (over !== undefined) return over
    await proveBalance(tx, alert)
    return resolveByHand(tx, zone, booking, intent, alert, arrival, now)
  })

/** Copies the expired intent into a new one, which is verified at once. */
export const bookExpired = (db: Db, zone: Zone, booking: Booking, now: Instant): Promise<Intent | BookingRefusal> =>
  db.transaction(async (tx) => {
    const alert = await lockBookable(tx, booking, zone)
    if (isRefusal(alert)) return alert
    const old = await lockBookedIntent(tx, booking)
    if (isRefusal(old)) return old
    const status = statusAt(old, now)
    if (status !== 'EXPIRED') return refuse('intent_not_expired', { status })
    const refusal =
      (await testAndReal(tx, alert, old)) ?? currencyMismatch(alert, old) ?? amountChanged(booking, alert, old)
    if (refusal !== undefined) return refusal
    const draft = {
      walletId: alert.walletId,
      total: old.base,
      currency: old.currency,
      externalOrderId: old.externalOrderId,
      notes: old.notes,
      items: old.items,
    }
    const arrival = arrivalOf(old, alert.amount)
    const over = await overLimitOf(tx, booking, alert, old, arrival, now)
    return over ?? bookOntoNew(tx, zone, booking, draft, alert, arrival, now, old.payable)
  })

/** Makes a new intent and books the alert onto it. */
export const bookOntoNew = async (
  tx: Tx,
  zone: Zone,
  booking: Pick<Booking, 'scope' | 'by' | 'userId' | 'byPage' | 'endsBy'>,
  draft: Draft,
  alert: BookableAlert,
  arrival: Arrival,
  now: Instant,
  /** The amount of the intent, if it differs from the order's amount. */
  payable = draft.total,
): Promise<Intent> => {
  const fresh = { ...newIntent(booking.scope.accountId, draft, minute_ms, now, booking.endsBy), payable }
  await copyIntent(tx, fresh, booking.by)
  if (booking.byPage !== true) await proveBalance(tx, alert)
  return resolveByHand(tx, zone, booking, fresh, alert, arrival, now)
}

/**
 * Accepts the amount that arrived instead of the expected one: a new intent of the same order with that amount is verified at
 * once by the same alert. The intent that ended as WRONG_AMOUNT does not change. What its order asked for and did not arrive is
 * forgiven, unless `counted` says that the buyer is asked for it next.
 */
export const acceptPaid = (
  db: Db,
  zone: Zone,
  booking: Omit<Booking, 'seen'> & {
    readonly paid: Minor
    /** The part of the order that it pays, if the rest is asked for. Otherwise the rest is forgiven. */
    readonly counted?: Minor
  },
  now: Instant,
): Promise<Intent | BookingRefusal> =>
  db.transaction(async (tx) => {
    const alert = await lockBookable(tx, booking, zone)
    if (isRefusal(alert)) return alert
    const old = await lockBookedIntent(tx, booking)
    if (isRefusal(old)) return old
    if (old.status !== 'WRONG_AMOUNT' || old.matched?.id !== alert.id)
      return refuse('intent_not_wrong', { status: statusAt(old, now) })
    if (alert.state !== 'wrong_amount') return notOpen(tx, booking, zone)
    const refusal = currencyMismatch(alert, old)
    if (refusal !== undefined) return refusal
    if (booking.paid !== alert.amount)
      return refuse('amount_changed', {
        alert_amount: formatMinor(alert.amount),
        intent_amount: formatMinor(old.payable),
      })
    const { currency, externalOrderId, notes } = old
    // Without the order's items: they add up to the expected amount, not to this one.
    const total = booking.counted ?? alert.amount
    const draft = { walletId: alert.walletId, total, currency, externalOrderId, notes, items: '[]' }
    const asked = booking.counted === undefined ? old : { base: total, payable: alert.amount }
    const arrival = arrivalOf(asked, alert.amount)
    // If the rest is asked for next, the order does not fall short.
    const order = booking.counted === undefined ? old : { externalOrderId: '', currency }
    const over = await overLimitOf(tx, booking, alert, order, arrival, now)
    return over ?? bookOntoNew(tx, zone, booking, draft, alert, arrival, now, alert.amount)
  })

/** The refusal if the booking is over a limit of the member. All of the order counts, not this step alone. */
const overLimitOf = async (
  tx: Tx,
  { scope, allowed }: Pick<Booking, 'scope' | 'allowed'>,
  { amount }: BookableAlert,
  order: { readonly externalOrderId: string; readonly currency: string },
  { forgiven }: Arrival,
  now: Instant,
): Promise<Refusal<'over_limit'> | undefined> => {
  const short = await orderShortfall(tx, scope, order, { forgiven, amount }, now)
  return overLimit(allowed, { kind: 'booking', amount, short, currency: order.currency })
}

/** Booking an alert confirms it: a doubtful balance of the alert is accepted. */
const proveBalance = async (tx: Tx, { id, identity, balance }: BookableAlert): Promise<void> => {
  const [row] = balance === null ? [] : await lockBalances(tx, [identity])
  if (row === undefined) return
  const chain = chainFrom(row)
  const proved = proveAlert(chain, id)
  if (proved !== chain) saveBalances.atEnd(tx, [chainRow(identity, proved, id)])
}

const resolveByHand = (
  tx: Tx,
  zone: Zone,
  booking: Pick<Booking, 'scope' | 'by' | 'userId'>,
  intent: Intent,
  alert: BookableAlert,
  arrival: Arrival,
  now: Instant,
): Intent => {
  const { spent = null, open } = alert.same
  const { userId } = booking
  if (userId !== undefined)
    storeTaking.atEnd(tx, { accountId: booking.scope.accountId, alertId: alert.id, userId, at: now })
  if (open.length > 0) doubtCredits.atEnd(tx, booking.scope, open, alert.id)
  // The member says that the money has come, also if the service had a doubt.
  noteFirstMoney.atEnd(tx, [{ accountId: booking.scope.accountId, id: alert.walletId, at: alert.received_at }])
  writeResolutions(tx, [
    resolutionOf(
      intent,
      { ...resolvingAlert(alert), samePayment: spent },
      { kind: 'verified', at: now },
      { way: 'booking', member: booking.by, arrival },
      now,
      zone,
    ),
  ])
  return { ...intent, status: 'VERIFIED', arrival, verifiedAt: now, manual: true }
}
