/**
 * One alert against all that is known: what is to be written of it. No database here; the book in hand was read under the
 * locks and is kept up to date, so that the next alert of the same batch sees this one.
 */
import { createHash } from 'node:crypto'
import { type AlertState, type Reason, type Report, sameText_ms } from '../alerts/alert.ts'
import { checkBalance, type KnownBalance, nextBalance } from '../alerts/balance-chain.ts'
import { NORMALISER_VERSION } from '../alerts/normalise.ts'
import type { Instant } from '../ground/clock.ts'
import {
  type AccountId,
  type AlertId,
  type DeviceId,
  type EventId,
  growingId,
  type IntentId,
  type TemplateId,
  type WalletId,
} from '../ground/ids.ts'
import type { Minor } from '../ground/money.ts'
import type { Zone } from '../ground/zone.ts'
import { type NewEvent, type Resolution, receivedBody, unmatchedBody, verifiedBody } from '../webhooks/event.ts'
import { judge, sift, type WalletRules } from './judge.ts'
import type { MovedAlert, NewAlert, Resolved } from './matching-sql.ts'

/** A wallet as far as alerts concern it. */
export type WatchedWallet = Omit<WalletRules, 'deviceOn'> & {
  readonly id: WalletId
  readonly name: string
  readonly isTest: boolean
}

export type ReadMoney = {
  readonly kind: 'read'
  readonly wallet: WatchedWallet
  readonly templateId: TemplateId
  readonly direction: 'credit' | 'debit'
  readonly amount: Minor
  readonly currency: string
  readonly reference: string | null
  readonly referenceKey: string | null
  readonly payer: string | null
  readonly balance: Minor | null
  readonly fee: Minor | null
}

/** What was made of the text. */
export type Understood =
  | { readonly kind: 'unread'; readonly reason: Reason; readonly wallet: WatchedWallet | undefined }
  | ReadMoney

export type Settling = {
  readonly accountId: AccountId
  readonly deviceId: DeviceId
  readonly adapter: string
  readonly trusted: boolean
  readonly report: Report
  readonly understood: Understood
  readonly now: Instant
  /** An alert that is already there: released by a person, or read by a new template. */
  readonly stored?: { readonly id: AlertId; readonly receivedAt: Instant; readonly was: AlertState }
  /** Matched although the phone is switched off. */
  readonly released?: boolean
}

type Moment = { readonly sentAt: Instant | null; readonly receivedAt: Instant }
type Known = { readonly id: AlertId; readonly state: AlertState }
/** `says`: whether it is this very message. */
type Called = Known & { readonly says: (report: Report) => boolean }
type Said = Known & { readonly reason: Reason; readonly amount: Minor | null; readonly currency: string | null }
/** `told`: an event says that it came. `owed`: one will. */
type Named = Said & { readonly told: boolean; readonly owed: boolean }

export type Claim = {
  readonly id: IntentId
  readonly code: string
  readonly externalOrderId: string
  readonly reference: string
  readonly base: Minor
  readonly payable: Minor
  readonly currency: string
  readonly expiresAt: Instant
}

/** What is already known. Keys: see `clientPlace`, `place`. */
export type Book = {
  readonly on: ReadonlyMap<DeviceId, boolean>
  readonly byClient: Map<string, Called>
  readonly byPrint: Map<string, (Said & Moment)[]>
  readonly byReference: Map<string, Named[]>
  /** The PENDING intent that holds a reference. */
  readonly claims: Map<string, Claim>
  /** With an alert's id once an alert of this batch has moved it. */
  readonly balances: Map<WalletId, KnownBalance & { readonly alertId?: AlertId }>
  /** Wallets on which an intent without a reference is open. */
  readonly awaiting: ReadonlySet<WalletId>
}

export const clientPlace = (deviceId: DeviceId, clientId: string): string => `${deviceId} ${clientId}`
export const place = (walletId: WalletId, referenceKey: string): string => `${walletId} ${referenceKey}`

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

export const wordsOf = ({ sender, text }: Pick<Report, 'sender' | 'text'>): Buffer =>
  createHash('sha256').update(`${sender}\n${text}`).digest()

/** The same words sent at another time are another message; where a phone does not say when, they are the same. */
export const sameSending = (a: Instant | null, b: Instant | null): boolean =>
  a === null || b === null || Math.abs(a - b) <= sameText_ms

/**
 * Under which name a message is stored: the phone's own, unless another message has it already (an agent that was set up
 * anew counts from the beginning). Then one that is made of the message, the same when it comes again.
 */
export const nameIn = (byClient: Book['byClient'], deviceId: DeviceId, report: Report): string => {
  const holder = byClient.get(clientPlace(deviceId, report.clientId))
  return holder === undefined || holder.says(report) ? report.clientId : anotherName(report)
}

const anotherName = ({ clientId, sender, text, sentAt }: Report): string =>
  `again:${createHash('sha256')
    .update(JSON.stringify([clientId, sender, text, sentAt]))
    .digest('hex')}`

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
  // A repetition moves no balance, and what a phone that is off says counts only once it is released.
  const before = book.balances.get(wallet.id)
  const chain = sameText === undefined && on ? followChain(money, blank, book) : ({ kind: 'unknown' } as const)
  const spot = money.referenceKey === null ? undefined : place(wallet.id, money.referenceKey)
  const named = spot === undefined ? [] : (book.byReference.get(spot) ?? [])
  const others = named.filter((one) => one.id !== blank.id)
  const { direction, amount, currency, referenceKey } = money
  const verdict = sift<Said>(
    {
      direction,
      amount,
      currency,
      referenceKey,
      simSlot: item.report.simSlot,
      trusted: item.trusted,
      chain: chain.kind,
    },
    { ...wallet, deviceOn: on },
    sameText,
    others,
  )
  const read = {
    ...blank,
    ...fieldsOf(money),
    chain: chain.kind,
    chainMissing: chain.kind === 'break' ? chain.missing : null,
    chainSince: chain.kind === 'break' ? (before?.at ?? null) : null,
  }
  if (verdict.state === 'duplicate')
    return { alert: { ...read, state: 'duplicate', reason: verdict.reason, duplicateOf: verdict.of.id }, events: [] }
  if (!('outdoes' in verdict)) return { alert: { ...read, state: verdict.state, reason: verdict.reason }, events: [] }

  const claim = verdict.state === 'waiting' && spot !== undefined ? book.claims.get(spot) : undefined
  const outdone = others.filter((one) => verdict.outdoes.includes(one))
  const alert = { ...read, state: verdict.state, reason: verdict.reason }
  const settled = claimMoney(item, money, alert, claim, outdone, book, zone)
  // What a person put aside stays there.
  const aside = outdone.filter(({ state }) => state !== 'dismissed')
  if (spot !== undefined) {
    if (settled.resolved !== undefined) book.claims.delete(spot)
    const { id, state, reason, unmatchedOwed: owed } = settled.alert
    const told = settled.events.length > 0 || outdone.some((one) => one.told)
    const left = named.filter((one) => !aside.includes(one))
    book.byReference.set(spot, [{ id, state, reason, amount, currency, told, owed }, ...left])
  }
  return { ...settled, replaced: aside.map((one) => stepAside(item.accountId, one, blank.id)) }
}

const followChain = (money: ReadMoney, blank: Blank, book: Book) => {
  const movement = {
    direction: money.direction,
    amount: money.amount,
    at: blank.receivedAt,
    ...(money.balance === null ? {} : { balance: money.balance }),
    ...(money.fee === null ? {} : { fee: money.fee }),
  }
  const before = book.balances.get(money.wallet.id)
  const after = nextBalance(before, movement)
  if (after !== undefined && after !== before) book.balances.set(money.wallet.id, { ...after, alertId: blank.id })
  return checkBalance(before, movement)
}

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
