/**
 * One alert against all that is known: what is to be written of it. No database here; the book in hand was read under the
 * locks and is kept up to date, so that the next alert of the same batch sees this one.
 */
import { type AlertState, newPhone_ms, type Reason, type Report } from '../../alerts/alert.ts'
import { followChain, type Link, type Movement } from '../../alerts/balances/balance-chain.ts'
import type { Instant } from '../../core/clock.ts'
import {
  type AccountId,
  type AlertId,
  type EventId,
  growingId,
  type IntentId,
  type WalletIdentity,
} from '../../core/ids.ts'
import type { Zone } from '../../core/zone.ts'
import { type NewEvent, type Resolution, receivedBody, unmatchedBody, verifiedBody } from '../../webhooks/event.ts'
import { doubtFacts, doubtsOf } from '../rules/doubts.ts'
import { isSameMoney, judge, mindBalance, movesBalance, type SameText, sift } from '../rules/judge.ts'
import { forPerson, type Parts, partOf, partsOf, piecesOf } from '../rules/partial-messages.ts'
import { repeatedMoney, repeatedUnread, sameMessageElsewhere, similarTo } from '../rules/repeated-message.ts'
import type { Moment } from '../rules/same-message.ts'
import {
  type Book,
  type Claim,
  clientPlace,
  type Named,
  nameIn,
  place,
  type ReadMoney,
  type Said,
  type SameWords,
  type Settling,
  type StoredLink,
  sameSending,
} from './known-alerts.ts'
import type { MovedAlert, NewAlert, Resolved } from './matching-sql.ts'
import { type Blank, blankAlert, fieldsOf, withoutText } from './new-alert.ts'

export type Decision =
  | { readonly kind: 'known'; readonly id: AlertId; readonly state: AlertState }
  | {
      readonly kind: 'settled'
      readonly alert: NewAlert & { readonly was?: AlertState }
      /** Earlier words of the same money that make room. */
      readonly replaced?: readonly MovedAlert[]
      readonly resolved?: Resolved
      readonly events: readonly NewEvent[]
      /** The wallet whose balance it proved. */
      readonly proved?: WalletIdentity
      /** Why nobody could decide about it: a fault of ours. */
      readonly fault?: unknown
    }

/** `print`: the fingerprint of account, sender and normalised text. */
export const decide = (item: Settling, print: Buffer, book: Book, zone: Zone): Decision => {
  const { report, understood, now, stored } = item
  const clientId = stored === undefined ? nameIn(book.byClient, item.deviceId, report) : report.clientId
  const called = clientPlace(item.deviceId, clientId)
  const earlier = stored === undefined ? book.byClient.get(called) : undefined
  if (earlier !== undefined) return { kind: 'known', id: earlier.id, state: earlier.state }

  const id = stored?.id ?? growingId<AlertId>(now)
  const receivedAt = stored?.receivedAt ?? now
  const moment = { sentAt: report.sentAt, phoneReceivedAt: report.phoneReceivedAt, receivedAt }
  const spelled = print.toString('hex')
  const sameWords = (book.byPrint.get(spelled) ?? []).filter((one) => one.id !== id)
  const phone = book.phones.get(item.deviceId)
  const on = item.released ?? phone?.on !== false

  const named = { ...item, report: { ...report, clientId } }
  const blank = { ...blankAlert(named, id, receivedAt, print), phoneNew: isNewPhone(item, phone, receivedAt) }
  const message: Message = { moment, sameWords, parts: partsOf(item, id, receivedAt, book), on }
  const identity = understood.wallet?.identity
  const provedBefore = identity && book.balances.get(identity)?.proved
  const decision =
    understood.kind === 'read'
      ? decideMoney(item, understood, blank, message, book, zone)
      : decideUnread(item, blank, understood.reason, message)

  const { state, reason, amount, currency, referenceKey, direction } = decision.alert
  const { trusted, adapter, deviceId } = item
  book.byClient.set(called, { id, state, says: sameAs(report) })
  const own = { id, state, reason, amount, currency, trusted, adapter, deviceId, referenceKey, ...moment }
  const others = (book.byPrint.get(spelled) ?? []).filter((one) => one.id !== id)
  book.byPrint.set(spelled, [...others, { ...own, identity: identity ?? null, simSlot: report.simSlot }])
  const moved = new Map((decision.replaced ?? []).map((one) => [one.id, one]))
  const left = book.recent.filter((one) => one.id !== id && moved.get(one.id)?.state !== 'duplicate')
  const raw = { sender: report.sender, raw_text: report.text, received_at: receivedAt }
  // A hidden message is part of nothing that people see.
  if (state !== 'duplicate' && state !== 'hidden')
    left.push({ id, state, reason, direction, amount, reference_key: referenceKey, identity: identity ?? null, ...raw })
  book.recent.splice(0, book.recent.length, ...left)
  const proved = identity && book.balances.get(identity)?.proved !== provedBefore ? { proved: identity } : {}
  return { kind: 'settled', ...decision, ...proved }
}

/** What is known of an alert's message besides what was read in it. */
type Message = {
  readonly moment: Moment
  readonly sameWords: readonly SameWords[]
  readonly parts: Parts
  readonly on: boolean
}

const isNewPhone = (
  item: Settling,
  phone: { readonly pairedAt: Instant | null } | undefined,
  receivedAt: Instant,
): boolean => {
  if (item.stored !== undefined) return item.stored.phoneNew
  if (item.understood.wallet?.isTest === true || phone === undefined || phone.pairedAt === null) return false
  return receivedAt - phone.pairedAt < newPhone_ms
}

/** A message that nobody could read. */
const decideUnread = (item: Settling, blank: Blank, reason: Reason, message: Message): Settled => {
  const repeated = repeatedUnread(item, message)
  const { whole, pieces } = message.parts
  const duplicateOf = repeated?.id ?? whole?.id
  const replaced = pieces.flatMap((piece) =>
    piece.state === 'unread' ? [partOf(item.accountId, piece, blank.id)] : [],
  )
  if (duplicateOf !== undefined)
    return {
      alert: {
        ...withoutText(blank),
        state: 'duplicate',
        reason: repeated ? 'same_text' : 'message_part',
        duplicateOf,
      },
      events: [],
    }
  // A hidden message is hidden whether its phone is switched on or off; what is read in it later is held if it was off.
  if (blank.hidden !== '')
    return { alert: { ...blank, state: 'hidden', reason: message.on ? reason : 'device_off' }, replaced, events: [] }
  const state = message.on ? ({ state: 'unread', reason } as const) : ({ state: 'held', reason: 'device_off' } as const)
  return { alert: { ...blank, ...state }, replaced, events: [] }
}

const sameAs =
  (one: Report) =>
  (other: Report): boolean =>
    one.sender === other.sender && one.text === other.text && sameSending(one.sentAt, other.sentAt)

type Settled = Omit<Extract<Decision, { kind: 'settled' }>, 'kind'>

const decideMoney = (
  item: Settling,
  money: ReadMoney,
  blank: Blank,
  message: Message,
  book: Book,
  zone: Zone,
): Settled => {
  const { wallet } = money
  const spot = money.referenceKey === null ? undefined : place(wallet.identity, money.referenceKey)
  const named = spot === undefined ? [] : (book.byReference.get(spot) ?? [])
  const others = named.filter((one) => one.id !== blank.id)
  const { direction, amount, currency, referenceKey, denied, otherApp } = money
  const repeated = repeatedMoney(item, money, movementOf(item, money, blank), message, book)
  const pieces = piecesOf(money, message.parts)
  const part = pieces.takenAs ?? (pieces.partOf && { ...pieces.partOf, trusted: item.trusted, currency })
  const text: SameText<Said> = {
    repeated: repeated ?? sameMessageElsewhere(item, money, message, 'same phone'),
    elsewhere: sameMessageElsewhere(item, money, message, 'another phone'),
    readInPart: pieces.differ.length > 0,
  }
  const sifted = sift<Said>(
    {
      direction,
      amount,
      currency,
      referenceKey,
      denied,
      otherApp,
      simSlot: item.report.simSlot,
      trusted: item.trusted,
    },
    { ...wallet, deviceOn: message.on },
    text,
    others,
  )
  const outdone = 'outdoes' in sifted ? others.filter((one) => sifted.outdoes.includes(one)) : []
  const moves = movesBalance(sifted, money) && part === undefined
  const link = linkOf(item, money, blank, moves, outdone, book)
  const verdict = item.balanceAccepted === true ? sifted : mindBalance(sifted, wallet, kindOf(link))
  const read = { ...blank, ...fieldsOf(money), ...link, similarTo: similarTo(money, message, text.repeated) }
  if (verdict.state === 'duplicate')
    return { alert: { ...read, state: 'duplicate', reason: verdict.reason, duplicateOf: verdict.of.id }, events: [] }
  if (part !== undefined && message.on && direction === 'credit')
    return { alert: { ...read, state: 'duplicate', reason: 'message_part', duplicateOf: part.id }, events: [] }
  if (!('outdoes' in verdict)) return { alert: { ...read, state: verdict.state, reason: verdict.reason }, events: [] }

  const claim = verdict.state === 'waiting' && spot !== undefined ? book.claims.get(spot) : undefined
  const alert = { ...read, state: verdict.state, reason: verdict.reason }
  // The earlier report of the same message made way: of one payment it is told once that it came.
  const earlier = [...outdone, ...named.filter((one) => one.id === text.repeated?.id)]
  const settled = claimMoney(item, money, alert, claim, earlier, book, zone)
  // What a person set aside stays there.
  const aside = outdone.filter(({ state }) => state !== 'dismissed')
  const replaced = [
    ...aside.map((one) => stepAside(item.accountId, one, blank.id, money)),
    ...supersededText(item.accountId, text.repeated, aside, blank.id),
    ...pieces.same.map((piece) => partOf(item.accountId, piece, blank.id)),
    ...pieces.differ.flatMap((piece) => forPerson(item.accountId, piece)),
  ]
  if (spot !== undefined) {
    if (settled.resolved !== undefined) book.claims.delete(spot)
    const { id, state, reason, unmatchedOwed: owed } = settled.alert
    const told = settled.events.length > 0 || outdone.some((one) => one.told)
    const left = named.filter((one) => !aside.includes(one) && one.id !== blank.id)
    // A second amount decides nothing, as in what alertsByReference answers.
    const own =
      reason === 'second_amount'
        ? []
        : [{ id, state, reason, amount, currency, trusted: item.trusted, told, owed, link }]
    book.byReference.set(spot, [...own, ...left])
  }
  return { ...settled, replaced }
}

const givesWay: readonly AlertState[] = ['held', 'unread', 'review']

/** The earlier report of the same message, where this one says more. */
const supersededText = (
  accountId: AccountId,
  repeated: Said | undefined,
  aside: readonly Said[],
  by: AlertId,
): MovedAlert[] =>
  repeated === undefined || !givesWay.includes(repeated.state) || aside.some(({ id }) => id === repeated.id)
    ? []
    : [
        {
          accountId,
          id: repeated.id,
          from: repeated.state,
          state: 'duplicate',
          reason: 'same_text',
          intentId: null,
          duplicateOf: by,
          unmatchedOwed: false,
        },
      ]

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
  const { identity } = money.wallet
  const before = book.balances.get(identity)
  const { link, chain } = followChain(before, movementOf(item, money, blank))
  if (chain !== undefined && chain !== before) book.balances.set(identity, { ...chain, alertId: blank.id })
  return storedLink(link)
}

const movementOf = (item: Settling, money: ReadMoney, blank: Blank): Movement => ({
  id: blank.id,
  direction: money.direction,
  amount: money.amount,
  at: blank.receivedAt,
  trusted: item.trusted,
  ...(money.balance === null ? {} : { balance: money.balance }),
  ...(money.fee === null ? {} : { fee: money.fee }),
})

const storedLink = (link: Link): StoredLink =>
  link.kind === 'break' || link.kind === 'doubtful'
    ? { chain: link.kind === 'break' ? 'break' : 'fits', chainMissing: link.missing, chainSince: link.since }
    : { ...unlinked, chain: link.kind }

const kindOf = ({ chain, chainMissing }: StoredLink): Link['kind'] =>
  chain === 'fits' && chainMissing !== null ? 'doubtful' : (chain ?? 'unknown')

/** An earlier alert of the same reference that proved less makes way for one that proves more; of another amount, it is for
 *  a person. */
const stepAside = (accountId: AccountId, earlier: Named, by: AlertId, money: ReadMoney): MovedAlert => {
  const moved = { accountId, id: earlier.id, from: earlier.state, intentId: null, unmatchedOwed: false }
  return isSameMoney(money, earlier)
    ? { ...moved, state: 'duplicate', reason: 'same_reference', duplicateOf: by }
    : { ...moved, state: 'review', reason: 'second_amount', duplicateOf: null }
}

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
  const wasTold = book.told.has(alert.id) || outdone.some(({ told }) => told)
  const received = (resolution: Resolution): NewEvent[] =>
    wallet.isTest && !wasTold ? [tell('payment.received', receivedBody(seen, resolution, zone))] : []

  const outcome =
    claim && judge(claim, { amount: money.amount, receivedAt: alert.receivedAt, trusted: item.trusted }, now)
  if (claim === undefined || outcome === undefined || outcome.kind === 'late' || outcome.kind === 'unproved') {
    const unclaimed =
      outcome?.kind === 'unproved'
        ? ({ state: 'review', reason: 'low_trust' } as const)
        : { state: alert.state, reason: outcome?.kind === 'late' ? ('late' as const) : alert.reason }
    // A message that takes a payment back tells of no money.
    const silent = wallet.isTest || wasTold || money.denied
    // An intent without a reference may be about to claim it: then the telling waits.
    const owed = !silent && (book.awaiting.has(wallet.identity) || outdone.some((one) => one.owed))
    const told = silent || owed ? [] : [tell('payment.unmatched', unmatchedBody(seen, wallet.name, zone))]
    return { alert: { ...alert, ...unclaimed, unmatchedOwed: owed }, events: [...received('UNMATCHED'), ...told] }
  }
  const own = {
    accountId,
    intentId: claim.id,
    alertId: alert.id,
    manual: false,
    moveId: growingId<string>(now),
    facts: doubtFacts(doubtsOf(alert, claim.tried)),
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
    // It is not spent: it may still verify one other intent.
    const ended = { ...alert, state: 'wrong_amount', reason: '', intentId: claim.id } as const
    return { alert: ended, resolved, events: received('WRONG_AMOUNT') }
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
