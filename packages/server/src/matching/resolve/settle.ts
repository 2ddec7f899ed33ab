/**
 * Where alert and intent meet. Given alerts that have been read, in one transaction: takes the locks, learns what is
 * already known, decides (decide.ts), and writes alert, intent, timeline and event together. Whoever of alert and
 * reference comes second finds the first, because both take the same lock before they look.
 */
import { createHash } from 'node:crypto'
import { type AlertState, type Report, sameMessage_ms } from '../../alerts/alert.ts'
import { type Chain, readDoubts, spellDoubts } from '../../alerts/balances/balance-chain.ts'
import { normalise } from '../../alerts/texts/normalise.ts'
import { type AccountId, type AlertId, firstIdAt, type IntentId, type WalletIdentity } from '../../core/ids.ts'
import type { Zone } from '../../core/zone.ts'
import { faultCode, type Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { insertEvents } from '../../webhooks/event-sql.ts'
import { rewriteAlerts } from '../reread/stored-alert-sql.ts'
import { type Decision, decide } from './decide.ts'
import { type Book, clientPlace, hiddenIn, nameIn, place, type Settling, sameSending, wordsOf } from './known-alerts.ts'
import { knownAlerts, type PartRow, recentlyBooked, recentParts, toldAlerts } from './known-alerts-sql.ts'
import {
  alertsByReference,
  devicesOn,
  holdBalances,
  holdClaims,
  insertAlerts,
  type MovedAlert,
  moveAlerts,
  type NewAlert,
  resolveIntents,
  saveBalances,
  walletsAwaiting,
} from './matching-sql.ts'
import { undecided } from './new-alert.ts'

export type Settled = {
  readonly id: AlertId
  readonly state: AlertState
  readonly known: boolean
  /** The intent that it resolved. */
  readonly intentId: IntentId | null
  /** How many events it put into the outbox. */
  readonly events: number
  /** Its phone was switched off. */
  readonly held?: boolean
  /** The wallet whose balance it proved: alerts that waited because of it may go on. */
  readonly proved?: WalletIdentity
  /** Why nobody could decide about it: a fault of ours. It is kept all the same. */
  readonly fault?: unknown
}

/** Of an alert and of the PATCH that names its reference the same. */
export const referenceLock = (accountId: AccountId, referenceKey: string): bigint =>
  createHash('sha256').update(`${accountId} ${referenceKey}`).digest().readBigInt64BE()

/** Everyone takes locks in this order: nobody waits in a circle. */
export const inOrder = (keys: Iterable<bigint>): bigint[] =>
  [...new Set(keys)].sort((a, b) => (a < b ? -1 : Number(a > b)))

const prints = new WeakMap<Settling, Buffer>()

/** The fingerprint of account, sender and text: the same whichever app, phone or entry of the wallet it comes by. Of a hidden
 *  message it is keyed. */
const printOf = (item: Settling): Buffer => {
  const known = prints.get(item)
  if (known !== undefined) return known
  const { accountId, report, hiding } = item
  const print =
    hiddenIn(item) === ''
      ? createHash('sha256')
          .update(`${accountId}\n${report.sender}\n${normalise(report.text)}`)
          .digest()
      : hiding.print(accountId, report)
  prints.set(item, print)
  return print
}

/** Whoever settles these takes them first: an alert of the same text, or of the same reference, waits. */
export const locksOf = (items: readonly Settling[]): bigint[] => {
  const references = items.flatMap(({ accountId, understood }) =>
    understood.kind === 'read' && understood.referenceKey !== null
      ? [referenceLock(accountId, understood.referenceKey)]
      : [],
  )
  // Parts of one message differ in their texts: where these may matter, those of one sender come one after the other.
  const senders = items.flatMap((item) => (mayHaveParts(item) ? [senderLock(item)] : []))
  return inOrder([...items.map((item) => printOf(item).readBigInt64BE()), ...references, ...senders])
}

/** A reference is whole or it is not read: what has one is told apart by it. */
const mayHaveParts = ({ understood }: Settling): boolean =>
  understood.kind !== 'read' || understood.referenceKey === null

const senderLock = ({ accountId, report }: Settling): bigint =>
  createHash('sha256').update(`${accountId} sender ${report.sender}`).digest().readBigInt64BE()

/** The caller holds `locksOf(items)`, taken in a statement before: this one then sees what the one before it wrote. */
export const settle = async (tx: Tx, items: readonly Settling[], zone: Zone): Promise<Settled[]> =>
  conclude(tx, items, await openBook(tx, items), zone)

/** Decides, and writes with the commit. Of the alerts that were learned of, some may be left out. */
export const conclude = (tx: Tx, items: readonly Settling[], book: Book, zone: Zone): Settled[] => {
  const decided = new Map(inSaidOrder(items).map((item) => [item, decideOrKeep(item, book, zone)]))
  const decisions = takeReplaced(items.map((item) => decided.get(item)!))
  write(tx, decisions, book)
  return decisions.map(settledOf)
}

/** What replaces an alert of the same batch changes it before it is written: there is no row yet that could be moved. */
const takeReplaced = (decisions: readonly Decision[]): Decision[] => {
  const made = new Map(
    decisions.flatMap((one) =>
      one.kind === 'settled' && one.alert.was === undefined ? [[one.alert.id, one] as const] : [],
    ),
  )
  const moved = new Map<AlertId, MovedAlert>()
  const rest = decisions.map((one) => {
    if (one.kind === 'known' || one.replaced === undefined) return one
    const [inBatch, stored] = [
      one.replaced.filter(({ id }) => made.has(id)),
      one.replaced.filter(({ id }) => !made.has(id)),
    ]
    for (const move of inBatch) moved.set(move.id, move)
    return inBatch.length === 0 ? one : { ...one, replaced: stored }
  })
  if (moved.size === 0) return rest
  return rest.map((one) => {
    const move = one.kind === 'settled' ? moved.get(one.alert.id) : undefined
    if (one.kind === 'known' || move === undefined) return one
    const { state, reason, duplicateOf, unmatchedOwed } = move
    return { ...one, alert: { ...one.alert, state, reason, duplicateOf, unmatchedOwed } }
  })
}

/**
 * The messages of each phone in the order in which it says that they were sent, because balances follow from one another;
 * as they came, if it does not say so of all of them. Each phone keeps its places among the others.
 */
const inSaidOrder = (items: readonly Settling[]): Settling[] => {
  const waiting = new Map(
    [...grouped(items, ({ deviceId }) => deviceId)].map(([deviceId, own]) => {
      const said = own.every(({ report }) => report.sentAt !== null)
      return [deviceId, said ? own.toSorted((a, b) => a.report.sentAt! - b.report.sentAt!).values() : own.values()]
    }),
  )
  return items.map(({ deviceId }) => waiting.get(deviceId)!.next().value!)
}

const settledOf = (decision: Decision): Settled =>
  decision.kind === 'known'
    ? { id: decision.id, state: decision.state, known: true, intentId: null, events: 0 }
    : {
        id: decision.alert.id,
        state: decision.alert.state,
        known: false,
        intentId: decision.resolved?.intentId ?? null,
        events: decision.events.length,
        held: decision.alert.reason === 'device_off',
        ...(decision.proved === undefined ? {} : { proved: decision.proved }),
        ...(decision.fault === undefined ? {} : { fault: decision.fault }),
      }

/** One that our rules stumble over does not stop the others. What is stored already stays as it is. */
const decideOrKeep = (item: Settling, book: Book, zone: Zone): Decision => {
  try {
    return decide(item, printOf(item), book, zone)
  } catch (fault) {
    if (item.stored !== undefined) throw fault
    return undecided(item, printOf(item), fault)
  }
}

/**
 * A fault over what is said: however often it is tried, it comes again. Not one of the database, nor of a statement that does
 * not fit the schema: those fail over everything, and pass.
 */
export const comesAgain = (fault: unknown): boolean =>
  fault instanceof TypeError || fault instanceof RangeError || /^(21|22|23)/.test(faultCode(fault) ?? '')

/** Keeps a message that cannot be settled, `bare` without anything that was read in it. The caller holds its locks. */
export const keepUndecided = async (tx: Tx, item: Settling, fault: unknown, bare: boolean): Promise<Settled> => {
  const known = await knownAlerts(tx, askedOf(item))
  const byClient = await calledBefore(tx, [item], known)
  const clientId = nameIn(byClient, item.deviceId, item.report)
  const before = byClient.get(clientPlace(item.deviceId, clientId))
  if (before !== undefined) return { id: before.id, state: before.state, known: true, intentId: null, events: 0 }
  const decision = undecided({ ...item, report: { ...item.report, clientId } }, printOf(item), fault, bare)
  insertAlerts.atEnd(tx, [decision.alert])
  return settledOf(decision)
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

const grouped = <K, T>(rows: readonly T[], key: (row: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row])
  return groups
}

/** What is already known of these alerts, true until the end of the transaction. */
export const openBook = async (tx: Tx, items: readonly Settling[]): Promise<Book> => {
  const read = items.flatMap(({ understood }) => (understood.kind === 'read' ? [understood] : []))
  const named = read.flatMap(({ wallet, referenceKey }) =>
    referenceKey === null ? [] : [{ identity: wallet.identity, referenceKey }],
  )
  const credited = read.filter(({ direction, wallet }) => direction === 'credit' && !wallet.isTest)
  const now = Math.max(...items.map((item) => item.now))
  const walletsOf = (money: readonly { readonly wallet: { readonly identity: WalletIdentity } }[]) =>
    unique(money.map(({ wallet }) => wallet.identity)).sort()

  // All in one round trip.
  const again = items.flatMap(({ stored }) => (stored === undefined ? [] : [stored.id]))
  const [phones, known, references, claims, balances, awaiting, recent, told] = await Promise.all([
    devicesOn(tx, unique(items.map((item) => item.deviceId))),
    knownAlerts(tx, items.flatMap(askedOf)),
    named.length === 0 ? [] : alertsByReference(tx, named),
    named.length === 0 ? [] : holdClaims(tx, named),
    read.length === 0 ? [] : holdBalances(tx, walletsOf(read)),
    credited.length === 0 ? [] : walletsAwaiting(tx, walletsOf(credited), now),
    recentMessages(tx, items),
    again.length === 0 ? [] : toldAlerts(tx, again),
  ])

  const byClient = await calledBefore(tx, items, known)
  return {
    phones: new Map(phones.map((row) => [row.id, { on: row.switched_on, pairedAt: row.paired_at }])),
    byClient,
    byPrint: sameWordsIn(known),
    recent,
    told: new Set(told.map((row) => row.alert_id)),
    byReference: grouped(
      references.map((row) => ({ ...row, owed: row.unmatched_owed, link: linkIn(row) })),
      (row) => place(row.identity, row.reference_key),
    ),
    claims: new Map(
      claims.map((row) => [
        place(row.identity, row.reference_key),
        { ...row, externalOrderId: row.external_order_id, expiresAt: row.expires_at },
      ]),
    ),
    balances: new Map(balances.map((row) => [row.wallet_id, chainIn(row)])),
    awaiting: new Set(awaiting.map((row) => row.identity)),
  }
}

/** Each alert once, whichever way it was found; oldest first. */
const sameWordsIn = (known: readonly RowOf<typeof knownAlerts.columns>[]): Book['byPrint'] => {
  const each = new Map(known.map((row) => [row.id, row]))
  const oldestFirst = [...each.values()].sort((a, b) => a.received_at - b.received_at)
  const rows = oldestFirst.map((row) => ({
    ...row,
    deviceId: row.device_id,
    simSlot: row.sim_slot,
    referenceKey: row.reference_key,
    sentAt: row.sent_at,
    phoneReceivedAt: row.phone_received_at,
    receivedAt: row.received_at,
  }))
  return grouped(rows, (row) => row.fingerprint.toString('hex'))
}

/** Alerts of the last minutes that may be parts of these messages, by the clock of each message. */
const recentMessages = async (tx: Tx, items: readonly Settling[]): Promise<PartRow[]> => {
  const byAccount = grouped(items, ({ accountId }) => accountId)
  const found = await Promise.all(
    [...byAccount].map(async ([accountId, own]) => {
      const first = Math.min(...own.map((item) => item.stored?.receivedAt ?? item.now)) - sameMessage_ms
      const senders = unique(own.map(({ report }) => report.sender))
      const read = own.flatMap(({ understood }) => (understood.kind === 'read' ? [understood] : []))
      const money = read.map(({ wallet, amount }) => ({ identity: wallet.identity, amount }))
      const withoutReference = read.filter(({ referenceKey }) => referenceKey === null)
      const firstId = firstIdAt(first)
      const [parts, booked] = await Promise.all([
        recentParts(tx, accountId, senders, money, firstId),
        withoutReference.length === 0
          ? []
          : recentlyBooked(tx, accountId, unique(withoutReference.map(({ wallet }) => wallet.id)), firstId),
      ])
      return [...parts, ...booked]
    }),
  )
  return found.flat()
}

const linkIn = (row: Pick<RowOf<typeof alertsByReference.columns>, 'chain' | 'chain_missing' | 'chain_since'>) => ({
  chain: row.chain,
  chainMissing: row.chain_missing,
  chainSince: row.chain_since,
})

/** A wallet's balance as it was stored, and as it is to be. */
export const chainIn = (row: RowOf<typeof holdBalances.columns>): Chain => ({
  balance: row.balance,
  at: row.at,
  ...readDoubts(row.doubts),
})
export const savedChain = (walletId: WalletIdentity, chain: Chain, alertId: AlertId) => ({
  walletId,
  balance: chain.balance,
  at: chain.at,
  doubts: spellDoubts(chain),
  toRelease: chain.proved !== undefined,
  alertId,
})

/** By the phone's name for it, and by what stands for that name if it was hidden when it came before. */
const askedOf = (item: Settling) =>
  [item.report.clientId, hiddenName(item)].map((clientId) => ({
    deviceId: item.deviceId,
    clientId,
    fingerprint: printOf(item),
  }))

const hiddenNames = new WeakMap<Settling, string>()

const hiddenName = (item: Settling): string => {
  const name = hiddenNames.get(item) ?? item.hiding.clientId(item.deviceId, item.report.clientId)
  hiddenNames.set(item, name)
  return name
}

type CalledEntry = [string, NonNullable<ReturnType<Book['byClient']['get']>>]

/** Those that were asked for by their name, under the name that the phone gave them. */
const called = (items: readonly Settling[], known: readonly RowOf<typeof knownAlerts.columns>[]): CalledEntry[] => {
  const byHiddenName = new Map(items.map((item) => [clientPlace(item.deviceId, hiddenName(item)), item]))
  return known.flatMap(({ id, state, device_id, client_id, words, sent_at, fingerprint, hidden }): CalledEntry[] => {
    if (words === null) return []
    const asking = hidden === '' ? undefined : byHiddenName.get(clientPlace(device_id, client_id))
    const sameText = (report: Report): boolean =>
      asking === undefined
        ? words.equals(wordsOf(report))
        : fingerprint.equals(asking.hiding.print(asking.accountId, report))
    const says = (report: Report): boolean => sameText(report) && sameSending(sent_at, report.sentAt)
    return [[clientPlace(device_id, asking?.report.clientId ?? client_id), { id, state, says }]]
  })
}

/** What is stored under the names of these; and where a name belongs to another message, under the one it gets instead. */
const calledBefore = async (
  tx: Tx,
  items: readonly Settling[],
  known: readonly RowOf<typeof knownAlerts.columns>[],
): Promise<Book['byClient']> => {
  const byClient: Book['byClient'] = new Map(called(items, known))
  const renamed = items.flatMap((item) => {
    const clientId = item.stored === undefined ? nameIn(byClient, item.deviceId, item.report) : item.report.clientId
    return clientId === item.report.clientId ? [] : [{ ...item, report: { ...item.report, clientId } }]
  })
  if (renamed.length > 0) {
    const found = await knownAlerts(tx, renamed.flatMap(askedOf))
    for (const one of called(renamed, found)) byClient.set(...one)
  }
  return byClient
}

/** In this order, and all with the commit: each statement fails unless it changes every row it was given. */
const write = (tx: Tx, decisions: readonly Decision[], book: Book): void => {
  const settled = decisions.filter((decision) => decision.kind === 'settled')
  // First what steps aside: two alerts may not stand for one reference, not even for a moment.
  const replaced = settled.flatMap(({ replaced }) => replaced ?? [])
  if (replaced.length > 0) moveAlerts.atEnd(tx, replaced)

  const fresh: NewAlert[] = []
  const stored: (NewAlert & { readonly was: AlertState })[] = []
  for (const { alert } of settled) {
    if (alert.was === undefined) fresh.push(alert)
    else stored.push({ ...alert, was: alert.was })
  }
  if (fresh.length > 0) insertAlerts.atEnd(tx, fresh)
  if (stored.length > 0) rewriteAlerts.atEnd(tx, stored)

  const resolved = settled.flatMap(({ resolved }) => resolved ?? [])
  if (resolved.length > 0) resolveIntents.atEnd(tx, resolved)
  const events = settled.flatMap((decision) => decision.events)
  if (events.length > 0) insertEvents.atEnd(tx, events)
  const balances = [...book.balances].flatMap(([walletId, { alertId, ...chain }]) =>
    alertId === undefined ? [] : [savedChain(walletId, chain, alertId)],
  )
  if (balances.length > 0) saveBalances.atEnd(tx, balances)
}
