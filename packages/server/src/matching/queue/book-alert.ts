/**
 * Books money from the unmatched queue by hand: onto a PENDING intent, onto a new one that copies an expired order, or onto
 * one over the amount that arrived where another was asked. Money that only ended an intent as WRONG_AMOUNT is not spent. A person decides; the amounts may differ, the currency may not, and test money pays nothing real. Of two
 * people, or a person and an alert, one wins.
 */
import type { AlertState } from '../../alerts/alert.ts'
import { proveAlert } from '../../alerts/balances/balance-chain.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { formatMinor, type Minor } from '../../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import { begin, type Draft, type Intent, statusAt } from '../../intents/intent.ts'
import { intentOf } from '../../intents/intent-sql.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import { holdBalances, saveBalances } from '../resolve/matching-sql.ts'
import { resolutionOf } from '../resolve/resolution.ts'
import { chainFrom, chainRow } from '../resolve/stored-chain.ts'
import { writeResolutions } from '../resolve/write-resolutions.ts'
import { copyIntent, holdIntent, walletKinds } from './book-sql.ts'
import { holdQueueAlert, notOpen, notPending, resolvingAlert } from './hold-queue-alert.ts'
import { standingAlert } from './queue-sql.ts'

export type Booking = {
  readonly accountId: AccountId
  readonly alertId: string
  readonly intentId: string
  /** Who decided. */
  readonly by: string
  /** What they saw when they decided; left out, nobody said. */
  readonly seen?: { readonly alertAmount: Minor; readonly intentAmount: Minor }
}

type No = Refusal<
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
>

const bookable: readonly AlertState[] = ['waiting', 'review', 'wrong_amount']

const openAlert = async (tx: Tx, asked: Booking, zone: Zone) => {
  const row = await holdQueueAlert(tx, asked, zone)
  if (isRefusal(row)) return row
  const { wallet_id: walletId, identity, amount, reference_key: key } = row
  if (walletId === null || identity === null || amount === null || !bookable.includes(row.state))
    return notOpen(tx, asked, zone)
  // Two alerts may not stand for one reference: whoever books the second must put the first aside.
  const [other] = key === null ? [] : await standingAlert(tx, identity, key, row.id)
  if (other !== undefined)
    return refuse('reference_taken', { alert: other.id, state: other.state, amount: formatMinor(other.amount!) })
  return { ...row, walletId, identity, amount }
}

type OpenAlert = Exclude<Awaited<ReturnType<typeof openAlert>>, Refusal>

const askedIntent = async (tx: Tx, asked: Booking): Promise<Intent | Refusal<'intent_unknown'>> => {
  const [row] = await holdIntent(tx, asked.accountId, asked.intentId)
  return row === undefined ? refuse('intent_unknown', { intent: asked.intentId }) : intentOf(row)
}

/** 1500 of one currency are not 1500 of another. */
const otherCurrency = (alert: OpenAlert, intent: Intent): Refusal<'currency_mismatch'> | undefined =>
  alert.currency === intent.currency
    ? undefined
    : refuse('currency_mismatch', { alert_currency: alert.currency ?? '', intent_currency: intent.currency })

/** Entries of one real wallet are one wallet. */
const isOfWallet = async (tx: Tx, alert: OpenAlert, intent: Intent): Promise<boolean> => {
  if (alert.walletId === intent.walletId) return true
  const [wallet] = await walletKinds(tx, intent.accountId, [intent.walletId])
  return wallet?.identity === alert.identity
}

/** The copy is on the wallet that the money came to, which may be another of the merchant's; but test money stays test money. */
const otherKind = async (tx: Tx, alert: OpenAlert, old: Intent): Promise<Refusal<'test_and_real'> | undefined> => {
  if (alert.walletId === old.walletId) return undefined
  const kinds = await walletKinds(tx, old.accountId, [alert.walletId, old.walletId])
  return new Set(kinds.map((one) => one.is_test)).size === 1 ? undefined : refuse('test_and_real')
}

/** Nobody books what they did not look at. */
const otherThanSeen = (asked: Booking, alert: OpenAlert, intent: Intent): Refusal<'amount_changed'> | undefined => {
  const { seen } = asked
  if (seen === undefined || (seen.alertAmount === alert.amount && seen.intentAmount === intent.payable))
    return undefined
  return refuse('amount_changed', {
    alert_amount: formatMinor(alert.amount),
    intent_amount: formatMinor(intent.payable),
  })
}

export const bookAlert = (db: Db, zone: Zone, asked: Booking, now: Instant): Promise<Intent | No> =>
  db.transaction(async (tx) => {
    const alert = await openAlert(tx, asked, zone)
    if (isRefusal(alert)) return alert
    const intent = await askedIntent(tx, asked)
    if (isRefusal(intent)) return intent
    const status = statusAt(intent, now)
    if (status !== 'PENDING') return notPending(tx, asked.accountId, { ...intent, status }, zone)
    if (!(await isOfWallet(tx, alert, intent))) return refuse('intent_of_other_wallet')
    const other = otherCurrency(alert, intent) ?? otherThanSeen(asked, alert, intent)
    if (other !== undefined) return other
    await proveBalance(tx, alert)
    resolveByHand(tx, zone, asked, intent, alert, now)
    return { ...intent, status: 'VERIFIED', verifiedAt: now, manual: true }
  })

/** The order is copied into a new intent, which is verified at once. */
export const bookExpired = (db: Db, zone: Zone, asked: Booking, now: Instant): Promise<Intent | No> =>
  db.transaction(async (tx) => {
    const alert = await openAlert(tx, asked, zone)
    if (isRefusal(alert)) return alert
    const old = await askedIntent(tx, asked)
    if (isRefusal(old)) return old
    const status = statusAt(old, now)
    if (status !== 'EXPIRED') return refuse('intent_not_expired', { status })
    const other = (await otherKind(tx, alert, old)) ?? otherCurrency(alert, old) ?? otherThanSeen(asked, alert, old)
    if (other !== undefined) return other
    const draft = {
      walletId: alert.walletId,
      total: old.payable,
      currency: old.currency,
      externalOrderId: old.externalOrderId,
      notes: old.notes,
      items: old.items,
    }
    return bookOntoNew(tx, zone, asked, draft, alert, now)
  })

const bookOntoNew = async (
  tx: Tx,
  zone: Zone,
  asked: Booking,
  draft: Draft,
  alert: OpenAlert,
  now: Instant,
): Promise<Intent> => {
  const fresh = begin(asked.accountId, draft, 60_000, now)
  await copyIntent(tx, fresh, asked.by)
  await proveBalance(tx, alert)
  resolveByHand(tx, zone, asked, fresh, alert, now)
  return { ...fresh, status: 'VERIFIED', verifiedAt: now, manual: true }
}

/**
 * Accepts what arrived although another amount was asked: a new intent of the same order, over that amount, is verified at
 * once by the same money. The intent that ended as WRONG_AMOUNT stays as it is.
 */
export const acceptPaid = (
  db: Db,
  zone: Zone,
  asked: Omit<Booking, 'seen'> & { readonly paid: Minor },
  now: Instant,
): Promise<Intent | No> =>
  db.transaction(async (tx) => {
    const alert = await openAlert(tx, asked, zone)
    if (isRefusal(alert)) return alert
    const old = await askedIntent(tx, asked)
    if (isRefusal(old)) return old
    if (old.status !== 'WRONG_AMOUNT' || old.matched?.id !== alert.id)
      return refuse('intent_not_wrong', { status: statusAt(old, now) })
    if (alert.state !== 'wrong_amount') return notOpen(tx, asked, zone)
    const other = otherCurrency(alert, old)
    if (other !== undefined) return other
    if (asked.paid !== alert.amount)
      return refuse('amount_changed', {
        alert_amount: formatMinor(alert.amount),
        intent_amount: formatMinor(old.payable),
      })
    const { currency, externalOrderId, notes } = old
    // The lines of the order add up to what was asked for, not to this.
    const draft = { walletId: alert.walletId, total: alert.amount, currency, externalOrderId, notes, items: '[]' }
    return bookOntoNew(tx, zone, asked, draft, alert, now)
  })

/** Who books an alert takes it for real: if its balance did not follow from the one known, it is believed now. */
const proveBalance = async (tx: Tx, { id, identity, balance }: OpenAlert): Promise<void> => {
  const [row] = balance === null ? [] : await holdBalances(tx, [identity])
  if (row === undefined) return
  const chain = chainFrom(row)
  const proved = proveAlert(chain, id)
  if (proved !== chain) saveBalances.atEnd(tx, [chainRow(identity, proved, id)])
}

const resolveByHand = (tx: Tx, zone: Zone, booking: Booking, intent: Intent, alert: OpenAlert, now: Instant): void =>
  writeResolutions(tx, [
    resolutionOf(
      intent,
      resolvingAlert(alert),
      { kind: 'verified', at: now },
      { way: 'booking', member: booking.by },
      intent.walletId,
      now,
      zone,
    ),
  ])
