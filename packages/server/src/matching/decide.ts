/**
 * One alert against all that is known: what is to be written of it. No database here; the book in hand was read under the
 * locks and is kept up to date, so that the next alert of the same batch sees this one.
 */
import { type AlertState, newPhone_ms, type Reason, type Report } from '../alerts/alert.ts'
import { followChain, type Link, type Movement } from '../alerts/balance-chain.ts'
import { NORMALISER_VERSION, normalise } from '../alerts/normalise.ts'
import type { Instant } from '../ground/clock.ts'
import { type AccountId, type AlertId, type EventId, growingId, type IntentId } from '../ground/ids.ts'
import type { Zone } from '../ground/zone.ts'
import { type NewEvent, type Resolution, receivedBody, unmatchedBody, verifiedBody } from '../webhooks/event.ts'
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
} from './book.ts'
import { doubtFacts, doubtsOf } from './doubts.ts'
import { isSameMoney, judge, mindBalance, movesBalance, type SameText, sift } from './judge.ts'
import type { MovedAlert, NewAlert, PartRow, Resolved } from './matching-sql.ts'
import { inSameMinutes, isPartOf, type Moment, paired_ms, repeatedOf } from './same-message.ts'

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
  const on = item.released === true || phone?.on !== false

  const blank = { ...blankAlert(item, id, receivedAt, print), clientId, phoneNew: isNewPhone(item, phone, receivedAt) }
  const message: Message = { moment, sameWords, parts: partsOf(item, id, receivedAt, book), on }
  const decision =
    understood.kind === 'read'
      ? decideMoney(item, understood, blank, message, book, zone)
      : decideUnread(item, blank, understood.reason, message)

  const { state, reason, amount, currency, identity, referenceKey, direction } = decision.alert
  const { trusted, adapter, deviceId } = item
  book.byClient.set(called, { id, state, says: sameAs(report) })
  const own = { id, state, reason, amount, currency, trusted, adapter, deviceId, identity, referenceKey, ...moment }
  const others = (book.byPrint.get(spelled) ?? []).filter((one) => one.id !== id)
  book.byPrint.set(spelled, [...others, { ...own, simSlot: report.simSlot }])
  const moved = new Map((decision.replaced ?? []).map((one) => [one.id, one]))
  const left = book.recent.filter((one) => one.id !== id && moved.get(one.id)?.state !== 'duplicate')
  const raw = { sender: report.sender, raw_text: report.text, received_at: receivedAt }
  if (state !== 'duplicate')
    left.push({ id, state, reason, direction, amount, reference_key: referenceKey, identity, ...raw })
  book.recent.splice(0, book.recent.length, ...left)
  return { kind: 'settled', ...decision }
}

/** What is known of an alert's message besides what was read in it. */
type Message = {
  readonly moment: Moment
  readonly sameWords: readonly SameWords[]
  readonly parts: Parts
  readonly on: boolean
}

type Parts = {
  /** A longer message that this one is part of. */
  readonly whole: PartRow | undefined
  /** Shorter ones that are part of this one. */
  readonly pieces: readonly PartRow[]
}

/** Messages of the same sender within ten minutes, of which one is a part of the other. */
const partsOf = (item: Settling, id: AlertId, receivedAt: Instant, book: Book): Parts => {
  const near = book.recent.filter(
    (one) => one.id !== id && one.sender === item.report.sender && inSameMinutes(one.received_at, receivedAt),
  )
  if (near.length === 0) return { whole: undefined, pieces: [] }
  const text = normalise(item.report.text)
  const others = near.map((one) => ({ one, text: normalise(one.raw_text) }))
  return {
    whole: others.find((other) => isPartOf(text, other.text))?.one,
    pieces: others.filter((other) => isPartOf(other.text, text)).map(({ one }) => one),
  }
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

/** Of the same text, those of this wallet, and those that came before anybody knew their wallet. */
const sameWallet = (item: Settling, message: Message): (SameWords & { readonly isDuplicate: boolean })[] => {
  const identity = item.understood.wallet?.identity ?? null
  return message.sameWords
    .filter((one) => one.identity === identity || one.identity === null)
    .map((one) => ({ ...one, isDuplicate: one.state === 'duplicate' }))
}

const sourceOf = (item: Settling, message: Message) => ({
  ...message.moment,
  deviceId: item.deviceId,
  adapter: item.adapter,
})

/** A message that nobody could read. */
const decideUnread = (item: Settling, blank: Blank, reason: Reason, message: Message): Settled => {
  const repeated = repeatedOf(sourceOf(item, message), sameWallet(item, message), 'none')
  const { whole, pieces } = message.parts
  const duplicateOf = repeated?.id ?? whole?.id
  const replaced = pieces.flatMap((piece) =>
    piece.state === 'unread' ? [partOf(item.accountId, piece, blank.id)] : [],
  )
  if (duplicateOf !== undefined)
    return {
      alert: { ...blank, state: 'duplicate', reason: repeated ? 'same_text' : 'message_part', duplicateOf },
      events: [],
    }
  const state = message.on ? ({ state: 'unread', reason } as const) : ({ state: 'held', reason: 'device_off' } as const)
  return { alert: { ...blank, ...state }, replaced, events: [] }
}

/** A part of a message gives way to the whole. */
const partOf = (accountId: AccountId, part: PartRow, whole: AlertId): MovedAlert => ({
  accountId,
  id: part.id,
  from: part.state,
  state: 'duplicate',
  reason: 'message_part',
  intentId: null,
  duplicateOf: whole,
  unmatchedOwed: false,
})

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
      alert: {
        ...blank,
        walletId: bare ? null : blank.walletId,
        identity: bare ? null : blank.identity,
        state: 'unread',
        reason: 'not_decided',
      },
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
  identity: item.understood.wallet?.identity ?? null,
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
  phoneNew: false,
  similarTo: null,
  ...(item.stored === undefined ? {} : { was: item.stored.was }),
})

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
  const repeated = repeatedMoney(item, money, blank, message, book)
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

/** The alert that this one repeats, by its text. */
const repeatedMoney = (
  item: Settling,
  money: ReadMoney,
  blank: Blank,
  message: Message,
  book: Book,
): SameWords | undefined => {
  const earlier = sameWallet(item, message)
  if (earlier.length === 0) return undefined
  const balance =
    money.balance === null || money.referenceKey !== null
      ? 'none'
      : couldMove(item, money, blank, book)
        ? 'second movement'
        : 'no second movement'
  return repeatedOf(sourceOf(item, message), earlier, balance)
}

/** Whether the balance that it shows follows from one that is known. */
const couldMove = (item: Settling, money: ReadMoney, blank: Blank, book: Book): boolean => {
  const { kind } = followChain(book.balances.get(money.wallet.identity), movementOf(item, money, blank)).link
  return kind === 'fits' || kind === 'doubtful'
}

const spokenFor: readonly AlertState[] = ['waiting', 'review', 'matched', 'wrong_amount', 'booked', 'dismissed']

/**
 * The same text with the same reference, reported for another wallet of the account: a phone was bound to another wallet
 * and sends its messages again, or a wallet was entered under a wrong number. Two SIMs of one phone are two wallets.
 */
const sameMessageElsewhere = (
  item: Settling,
  money: ReadMoney,
  message: Message,
  from: 'same phone' | 'another phone',
): SameWords | undefined =>
  money.referenceKey === null
    ? undefined
    : message.sameWords.find((one) => {
        if (one.identity === null || one.identity === money.wallet.identity) return false
        if (one.referenceKey === null || !spokenFor.includes(one.state)) return false
        if (one.deviceId !== item.deviceId) return from === 'another phone'
        const { simSlot } = item.report
        return from === 'same phone' && (one.simSlot === '' || simSlot === '' || one.simSlot === simSlot)
      })

/** An earlier alert with the same words that may be this payment; nobody can tell. */
const similarTo = (money: ReadMoney, message: Message, repeated: Said | undefined): AlertId | null => {
  if (money.referenceKey !== null || repeated !== undefined) return null
  const earlier = message.sameWords.filter(
    (one) =>
      one.identity === money.wallet.identity &&
      one.state !== 'duplicate' &&
      (money.balance !== null || message.moment.receivedAt - one.receivedAt < paired_ms),
  )
  return earlier.at(-1)?.id ?? null
}

type Pieces = {
  /** Parts of this message that were read as the same money, or not at all: this one takes their place. */
  readonly same: readonly PartRow[]
  /** Other money was read in a part, or the whole says something else: both are for a person. */
  readonly differ: readonly PartRow[]
  /** This is a part of a longer message that was read as the same money. */
  readonly partOf: PartRow | undefined
  /** A part of this message is spent already. */
  readonly takenAs: (PartRow & { readonly trusted: boolean; readonly currency: string | null }) | undefined
}

const piecesOf = (money: ReadMoney, { whole, pieces }: Parts): Pieces => {
  const agrees = (one: PartRow): boolean =>
    one.amount === money.amount && (one.reference_key === null || one.reference_key === money.referenceKey)
  const open = pieces.filter(({ state }) => state !== 'booked')
  const same = open.filter((one) => one.state === 'unread' || (one.reference_key === null && agrees(one)))
  const wholeAgrees =
    whole !== undefined &&
    whole.amount === money.amount &&
    (money.referenceKey === null || whole.reference_key === money.referenceKey)
  const spent = pieces.find((one) => one.state === 'booked' && agrees(one) && money.referenceKey === null)
  return {
    same,
    differ: [
      ...open.filter((one) => !same.includes(one) && !agrees(one)),
      ...(whole !== undefined && !wholeAgrees ? [whole] : []),
    ],
    partOf: wholeAgrees ? whole : undefined,
    takenAs: spent && { ...spent, trusted: true, currency: money.currency },
  }
}

/** Money that was read in a part of another message waits for a person. */
const forPerson = (accountId: AccountId, one: PartRow): MovedAlert[] =>
  one.state !== 'waiting' && one.state !== 'review'
    ? []
    : [
        {
          accountId,
          id: one.id,
          from: one.state,
          state: 'review',
          reason: 'read_in_part',
          intentId: null,
          duplicateOf: null,
          unmatchedOwed: false,
        },
      ]

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
  const wasTold = outdone.some(({ told }) => told)
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
