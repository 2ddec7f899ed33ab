/**
 * One alert against all that is known: what is to be written of it. No database here; the book in hand was read under the
 * locks and is kept up to date, so that the next alert of the same batch sees this one.
 */
import { type AlertState, type Reason, type Report, sameText_ms } from '../alerts/alert.ts'
import { followChain, type Link } from '../alerts/balance-chain.ts'
import { NORMALISER_VERSION } from '../alerts/normalise.ts'
import type { Instant } from '../ground/clock.ts'
import { type AccountId, type AlertId, type EventId, growingId, type IntentId } from '../ground/ids.ts'
import type { Zone } from '../ground/zone.ts'
import { type NewEvent, type Resolution, receivedBody, unmatchedBody, verifiedBody } from '../webhooks/event.ts'
import {
  type Book,
  type Claim,
  clientPlace,
  type Moment,
  type Named,
  nameIn,
  place,
  type ReadMoney,
  type Said,
  type Settling,
  type StoredLink,
  sameSending,
} from './book.ts'
import { judge, mindBalance, movesBalance, sift } from './judge.ts'
import type { MovedAlert, NewAlert, Resolved } from './matching-sql.ts'

export type Decision =
  | { readonly kind: 'known'; readonly id: AlertId; readonly state: AlertState }
  | {
      readonly kind: 'settled'
      readonly alert: NewAlert & { readonly was?: AlertState }
      /** Earlier words of the same money that make room. */
      readonly replaced?: readonly MovedAlert[]
      readonly resolved?: Resolved
      readonly events: readonly NewEvent[]
      /** Why nobody could decide about it: a fault of ours. */
      readonly fault?: unknown
    }

/** Sent within five seconds of each other; where a phone does not say when, received so. */
const sameMoment = (a: Moment, b: Moment): boolean =>
  a.sentAt !== null && b.sentAt !== null
    ? Math.abs(a.sentAt - b.sentAt) <= sameText_ms
    : Math.abs(a.receivedAt - b.receivedAt) <= sameText_ms

/** `print`: the fingerprint of wallet, sender and text. */
export const decide = (item: Settling, print: Buffer, book: Book, zone: Zone): Decision => {
  const { report, understood, now, stored } = item
  const clientId = stored === undefined ? nameIn(book.byClient, item.deviceId, report) : report.clientId
  const called = clientPlace(item.deviceId, clientId)
  const earlier = stored === undefined ? book.byClient.get(called) : undefined
  if (earlier !== undefined) return { kind: 'known', id: earlier.id, state: earlier.state }

  const id = stored?.id ?? growingId<AlertId>(now)
  const moment = { sentAt: report.sentAt, receivedAt: stored?.receivedAt ?? now }
  const prints = book.byPrint.get(print.toString('hex')) ?? []
  const sameText = prints.find((one) => one.id !== id && one.state !== 'duplicate' && sameMoment(one, moment))
  const on = item.released === true || book.on.get(item.deviceId) !== false

  const blank = { ...blankAlert(item, id, moment.receivedAt, print), clientId }
  const decision =
    understood.kind === 'read'
      ? decideMoney(item, understood, blank, sameText, on, book, zone)
      : { alert: { ...blank, ...unreadState(understood.reason, sameText?.id, on) }, events: [] }

  const { state, reason, amount, currency } = decision.alert
  book.byClient.set(called, { id, state, says: sameAs(report) })
  book.byPrint.set(print.toString('hex'), [...prints, { id, state, reason, amount, currency, ...moment }])
  return { kind: 'settled', ...decision }
}

const sameAs =
  (one: Report) =>
  (other: Report): boolean =>
    one.sender === other.sender && one.text === other.text && sameSending(one.sentAt, other.sentAt)

/**
 * What is kept of a message that nobody could decide about, for a fault of ours: for a person, with the money that was read in
 * it unless even that cannot be written. It stands for no reference, and is told as unmatched in its time.
 */
export const undecided = (
  item: Settling,
  print: Buffer,
  fault: unknown,
  bare = false,
): Extract<Decision, { kind: 'settled' }> => {
  const { understood, now } = item
  const blank = blankAlert(item, growingId<AlertId>(now), now, print)
  const kept = { kind: 'settled', events: [], fault } as const
  if (bare || understood.kind !== 'read' || understood.direction !== 'credit')
    return {
      ...kept,
      alert: { ...blank, walletId: bare ? null : blank.walletId, state: 'unread', reason: 'not_decided' },
    }
  const owed = !understood.wallet.isTest
  const read = { ...blank, ...fieldsOf(understood), chain: 'unknown' } as const
  return { ...kept, alert: { ...read, state: 'review', reason: 'not_decided', unmatchedOwed: owed } }
}

const fieldsOf = ({ templateId, direction, amount, currency, reference, referenceKey, payer, balance }: ReadMoney) => ({
  templateId,
  direction,
  amount,
  currency,
  reference,
  referenceKey,
  payer,
  balance,
})

const unreadState = (reason: Reason, sameText: AlertId | undefined, on: boolean) => {
  if (sameText !== undefined) return { state: 'duplicate', reason: 'same_text', duplicateOf: sameText } as const
  return on ? ({ state: 'unread', reason } as const) : ({ state: 'held', reason: 'device_off' } as const)
}

type Blank = Omit<NewAlert, 'state' | 'reason'> & { readonly was?: AlertState }

const blankAlert = (item: Settling, id: AlertId, receivedAt: Instant, print: Buffer): Blank => ({
  accountId: item.accountId,
  id,
  deviceId: item.deviceId,
  clientId: item.report.clientId,
  adapter: item.adapter,
  trusted: item.trusted,
  kind: item.report.kind,
  sender: item.report.sender,
  package: item.report.package,
  title: item.report.title,
  text: item.report.text,
  simSlot: item.report.simSlot,
  sentAt: item.report.sentAt,
  phoneReceivedAt: item.report.phoneReceivedAt,
  receivedAt,
  normaliserVersion: NORMALISER_VERSION,
  fingerprint: print,
  walletId: item.understood.wallet?.id ?? null,
  templateId: null,
  direction: null,
  amount: null,
  currency: null,
  reference: null,
  referenceKey: null,
  payer: null,
  balance: null,
  chain: null,
  chainMissing: null,
  chainSince: null,
  duplicateOf: null,
  intentId: null,
  unmatchedOwed: false,
  ...(item.stored === undefined ? {} : { was: item.stored.was }),
})

type Settled = Omit<Extract<Decision, { kind: 'settled' }>, 'kind'>

const decideMoney = (
  item: Settling,
  money: ReadMoney,
  blank: Blank,
  sameText: Said | undefined,
  on: boolean,
  book: Book,
  zone: Zone,
): Settled => {
  const { wallet } = money
  const spot = money.referenceKey === null ? undefined : place(wallet.id, money.referenceKey)
  const named = spot === undefined ? [] : (book.byReference.get(spot) ?? [])
  const others = named.filter((one) => one.id !== blank.id)
  const { direction, amount, currency, referenceKey } = money
  const { simSlot } = item.report
  const sifted = sift<Said>(
    { direction, amount, currency, referenceKey, simSlot, trusted: item.trusted },
    { ...wallet, deviceOn: on },
    sameText,
    others,
  )
  const outdone = 'outdoes' in sifted ? others.filter((one) => sifted.outdoes.includes(one)) : []
  const link = linkOf(item, money, blank, movesBalance(sifted), outdone, book)
  const verdict = mindBalance(sifted, wallet, kindOf(link))
  const read = { ...blank, ...fieldsOf(money), ...link }
  if (verdict.state === 'duplicate')
    return { alert: { ...read, state: 'duplicate', reason: verdict.reason, duplicateOf: verdict.of.id }, events: [] }
  if (!('outdoes' in verdict)) return { alert: { ...read, state: verdict.state, reason: verdict.reason }, events: [] }

  const claim = verdict.state === 'waiting' && spot !== undefined ? book.claims.get(spot) : undefined
  const alert = { ...read, state: verdict.state, reason: verdict.reason }
  const settled = claimMoney(item, money, alert, claim, outdone, book, zone)
  // What a person put aside stays there.
  const aside = outdone.filter(({ state }) => state !== 'dismissed')
  if (spot !== undefined) {
    if (settled.resolved !== undefined) book.claims.delete(spot)
    const { id, state, reason, unmatchedOwed: owed } = settled.alert
    const told = settled.events.length > 0 || outdone.some((one) => one.told)
    const left = named.filter((one) => !aside.includes(one))
    // A second amount decides nothing, as in what alertsByReference answers.
    const own = reason === 'second_amount' ? [] : [{ id, state, reason, amount, currency, told, owed, link }]
    book.byReference.set(spot, [...own, ...left])
  }
  return { ...settled, replaced: aside.map((one) => stepAside(item.accountId, one, blank.id)) }
}

const unlinked: StoredLink = { chain: 'unknown', chainMissing: null, chainSince: null }

/** How the balance follows; and the book's moves on, if this is a movement that it has not seen. */
const linkOf = (
  item: Settling,
  money: ReadMoney,
  blank: Blank,
  moves: boolean,
  outdone: readonly Named[],
  book: Book,
): StoredLink => {
  if (item.stored?.link !== undefined) return item.stored.link
  if (!moves) return outdone.find(({ reason }) => reason === 'low_trust')?.link ?? unlinked
  const before = book.balances.get(money.wallet.id)
  const { link, chain } = followChain(before, {
    id: blank.id,
    direction: money.direction,
    amount: money.amount,
    at: blank.receivedAt,
    trusted: item.trusted,
    ...(money.balance === null ? {} : { balance: money.balance }),
    ...(money.fee === null ? {} : { fee: money.fee }),
  })
  if (chain !== undefined && chain !== before) book.balances.set(money.wallet.id, { ...chain, alertId: blank.id })
  return storedLink(link)
}

const storedLink = (link: Link): StoredLink =>
  link.kind === 'break' || link.kind === 'doubtful'
    ? { chain: link.kind === 'break' ? 'break' : 'fits', chainMissing: link.missing, chainSince: link.since }
    : { ...unlinked, chain: link.kind }

const kindOf = ({ chain, chainMissing }: StoredLink): Link['kind'] =>
  chain === 'fits' && chainMissing !== null ? 'doubtful' : (chain ?? 'unknown')

/** An earlier word of the same money that proved less makes room for one that proves more. */
const stepAside = (accountId: AccountId, earlier: Named, by: AlertId): MovedAlert => ({
  accountId,
  id: earlier.id,
  from: earlier.state,
  state: 'duplicate',
  reason: 'same_reference',
  intentId: null,
  duplicateOf: by,
  unmatchedOwed: false,
})

/**
 * A credit that nobody has to look at first meets the intent that claims it, or waits for one. `outdone`: earlier words of
 * the same money; of one payment it is told once that it came.
 */
const claimMoney = (
  item: Settling,
  money: ReadMoney,
  alert: NewAlert & { readonly was?: AlertState },
  claim: Claim | undefined,
  outdone: readonly Named[],
  book: Book,
  zone: Zone,
): Settled => {
  const { accountId, now } = item
  const { wallet } = money
  const seen = {
    alertId: alert.id,
    reference: money.reference,
    amount: money.amount,
    currency: money.currency,
    receivedAt: alert.receivedAt,
    isTest: wallet.isTest,
  }
  const tell = (kind: NewEvent['kind'], body: string, intentId: IntentId | null = null): NewEvent => ({
    accountId,
    id: growingId<EventId>(now),
    kind,
    walletId: wallet.id,
    intentId,
    alertId: alert.id,
    body,
    createdAt: now,
  })
  const wasTold = outdone.some(({ told }) => told)
  const received = (resolution: Resolution): NewEvent[] =>
    wallet.isTest && !wasTold ? [tell('payment.received', receivedBody(seen, resolution, zone))] : []

  const outcome = claim && judge(claim, { amount: money.amount, receivedAt: alert.receivedAt }, now)
  if (claim === undefined || outcome === undefined || outcome.kind === 'late') {
    const reason = outcome?.kind === 'late' ? 'late' : alert.reason
    // An intent without a reference may be about to claim it: then the telling waits.
    const owed = !wallet.isTest && !wasTold && (book.awaiting.has(wallet.id) || outdone.some((one) => one.owed))
    const told =
      wallet.isTest || wasTold || owed ? [] : [tell('payment.unmatched', unmatchedBody(seen, wallet.name, zone))]
    return { alert: { ...alert, reason, unmatchedOwed: owed }, events: [...received('UNMATCHED'), ...told] }
  }
  const own = {
    accountId,
    intentId: claim.id,
    alertId: alert.id,
    manual: false,
    moveId: growingId<string>(now),
    at: now,
  }
  if (outcome.kind === 'wrong-amount') {
    const resolved: Resolved = {
      ...own,
      status: 'WRONG_AMOUNT',
      paid: outcome.paid,
      verifiedAt: null,
      kind: 'wrong_amount',
      by: 'alert',
    }
    const consumed = { ...alert, state: 'wrong_amount', reason: '', intentId: claim.id } as const
    return { alert: consumed, resolved, events: received('WRONG_AMOUNT') }
  }
  // In this order: ids tell which event is to go out first.
  const events = [
    ...received('MATCHED'),
    tell('payment.verified', verifiedBody({ ...claim, manual: false }, outcome.at, zone), claim.id),
  ]
  return {
    alert: { ...alert, state: 'matched', reason: '', intentId: claim.id },
    resolved: { ...own, status: 'VERIFIED', paid: null, verifiedAt: outcome.at, kind: 'verified', by: 'alert' },
    events,
  }
}
