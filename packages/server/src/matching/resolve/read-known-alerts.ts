/**
 * Reads the stored data that alerts are compared with, in one round trip. The caller has taken their locks (alert-locks.ts) in
 * an earlier statement. So this sees what the last holder of the locks wrote, and the data stays true until the transaction
 * ends.
 */

import { type Report, sameMessage_ms } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, firstIdAt, type IntentId, type WalletIdentity } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import { lockAmountHolders } from '../../intents/payable/amounts-sql.ts'
import { amountKey } from '../../intents/payable/choose-amounts.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { payersOfHolders } from '../payers/claimed-payer-sql.ts'
import type { PartRow } from '../records/alert-row.ts'
import { type ClaimedPayer, noClaim } from '../records/claimed-payer.ts'
import {
  type AlertToResolve,
  clientIdFor,
  clientKey,
  isMatchable,
  type KnownAlerts,
  type MoneyReading,
  matchesByAmount,
  moneyKey,
  type NotRead,
  type SameClientIdAlert,
  sameSentTime,
  textDigest,
} from '../records/known-alerts.ts'
import { comparedSince } from '../rules/same-payment.ts'
import { fingerprintOf } from './alert-locks.ts'
import { mostCompared, recentAmounts, type WalletAmount } from './amounts-sql.ts'
import { announcedAlerts, knownAlerts, recentlyBooked, recentParts } from './known-alerts-sql.ts'
import { alertsByReference, lockBalances, lockIntentsByReference, phonesOn, walletsAwaiting } from './matching-sql.ts'
import { chainFrom } from './stored-chain.ts'
import { recentAmountsOf } from './stored-credit.ts'

type KnownRow = RowOf<typeof knownAlerts.columns>

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

export const readKnownAlerts = async (tx: Tx, alerts: readonly AlertToResolve[]): Promise<KnownAlerts> => {
  const readings = alerts.flatMap(({ reading }) => (reading.kind === 'read' ? [reading] : []))
  const references = readings.flatMap(({ wallet, referenceKey }) =>
    referenceKey === null ? [] : [{ identity: wallet.identity, referenceKey }],
  )
  const credits = readings.filter(({ direction, wallet }) => direction === 'credit' && !wallet.isTest)
  const stored = alerts.flatMap(({ stored }) => (stored === undefined ? [] : [stored.id]))
  const now = Math.max(...alerts.map((alert) => alert.now))
  const identitiesOf = (money: readonly { readonly wallet: { readonly identity: WalletIdentity } }[]) =>
    unique(money.map(({ wallet }) => wallet.identity)).sort()

  const amounts = amountsOf(alerts.filter(isMatchable))
  // Only wallets with unique amounts have these. Each amount once: its holders are counted.
  const byAmount = uniqueAmountsOf(alerts.filter(matchesByAmount))

  // All statements are sent together, in one round trip.
  const [phones, known, sameReference, intents, balances, awaiting, parts, announced, holders, sameAmounts] =
    await Promise.all([
      phonesOn(tx, unique(alerts.map((alert) => alert.phoneId))),
      knownAlerts(tx, alerts.flatMap(lookupsOf)),
      references.length === 0 ? [] : alertsByReference(tx, references),
      references.length === 0 ? [] : lockIntentsByReference(tx, references),
      readings.length === 0 ? [] : lockBalances(tx, identitiesOf(readings)),
      credits.length === 0 ? [] : walletsAwaiting(tx, identitiesOf(credits), now),
      readRecentParts(tx, alerts),
      stored.length === 0 ? [] : announcedAlerts(tx, stored),
      byAmount.length === 0 ? [] : lockAmountHolders(tx, byAmount, now),
      amounts.length === 0 ? [] : recentAmounts(tx, amounts),
    ])
  const claims = await readClaims(tx, byAmount, holders)

  return {
    phones: new Map(phones.map((row) => [row.id, { on: row.switched_on, pairedAt: row.paired_at }])),
    byClientId: await storedByClientId(tx, alerts, known),
    byFingerprint: byFingerprint(alerts, known),
    recentParts: new Map(parts.map(({ accountId, rows }) => [accountId, rows])),
    partsNotRead: new Map(parts.map(({ accountId, notRead }) => [accountId, notRead])),
    announced: new Set(announced.map((row) => row.alert_id)),
    byReference: Map.groupBy(
      sameReference.map((row) => ({
        ...row,
        owed: row.unmatched_owed,
        link: { chain: row.chain, chainMissing: row.chain_missing, chainSince: row.chain_since },
      })),
      (row) => moneyKey(row.identity, row.reference_key),
    ),
    intents: new Map(
      intents.map((row) => [
        moneyKey(row.identity, row.reference_key),
        {
          ...row,
          walletId: row.wallet_id,
          referencesTried: row.tried,
          externalOrderId: row.external_order_id,
          expiresAt: row.expires_at,
        },
      ]),
    ),
    balances: new Map(balances.map((row) => [row.wallet_id, chainFrom(row)])),
    awaitingReference: new Set(awaiting.map((row) => row.identity)),
    amountHolders: Map.groupBy(
      holders.map((row) => ({
        ...row,
        walletId: row.wallet_id,
        referencesTried: row.tried,
        externalOrderId: row.external_order_id,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        hasReference: row.has_reference,
        claimed: claims.get(row.id) ?? noClaim,
      })),
      (row) => amountKey(row.identity, row.payable),
    ),
    recentAmounts: new Map(
      [...Map.groupBy(sameAmounts, (row) => amountKey(row.identity, row.amount))].map(([key, rows]) => [
        key,
        recentAmountsOf(rows),
      ]),
    ),
  }
}

/** Read after the intents are locked: claims are written under the same row lock. */
const readClaims = async (
  tx: Tx,
  alerts: readonly { readonly accountId: AccountId }[],
  holders: readonly { readonly id: IntentId }[],
): Promise<ReadonlyMap<IntentId, ClaimedPayer>> => {
  if (holders.length === 0) return new Map()
  const accounts = unique(alerts.map(({ accountId }) => accountId))
  const rows = await payersOfHolders(
    tx,
    accounts,
    holders.map(({ id }) => id),
  )
  return new Map(rows.map(({ intent_id, name, phone }) => [intent_id, { name, phone }]))
}

/** Each wallet and amount once, with what all alerts of that amount must be compared with. */
const amountsOf = (alerts: readonly (AlertToResolve & { readonly reading: MoneyReading })[]): WalletAmount[] => {
  const byKey = new Map<string, WalletAmount>()
  for (const { accountId, reading, report, stored, now } of alerts) {
    const { wallet, amount, referenceKey } = reading
    const key = amountKey(wallet.identity, amount)
    const others = byKey.get(key)
    const since = comparedSince({ ...report, receivedAt: stored?.receivedAt ?? now })
    byKey.set(key, {
      accountId,
      identity: wallet.identity,
      amount,
      withoutReference: referenceKey === null || others?.withoutReference === true,
      uniqueAmounts: wallet.uniqueAmounts,
      since: Math.min(since, others?.since ?? since),
    })
  }
  return [...byKey.values()]
}

const uniqueAmountsOf = (alerts: readonly (AlertToResolve & { readonly reading: MoneyReading })[]) => [
  ...new Map(
    alerts.map(({ accountId, reading: { wallet, amount } }) => [
      amountKey(wallet.identity, amount),
      { accountId, identity: wallet.identity, amount },
    ]),
  ).values(),
]

/**
 * Alerts by the fingerprint of the report that they may repeat, oldest first. An alert that was found twice is listed once, as it
 * was found by its text. An alert whose text was erased is found by the keyed hash of the text. A hidden message is known by that
 * hash from the start: it is the same text only for a report that is hidden too.
 */
const byFingerprint = (alerts: readonly AlertToResolve[], rows: readonly KnownRow[]): KnownAlerts['byFingerprint'] => {
  const plainOf = new Map(
    alerts.map((alert) => [keyedFingerprint(alert).toString('hex'), fingerprintOf(alert).toString('hex')]),
  )
  const known = rows.map((row) => {
    const own = row.fingerprint.toString('hex')
    return { ...row, sameAs: row.hidden === '' && row.erased_at !== null ? (plainOf.get(own) ?? own) : own }
  })
  const byText = known.filter(({ text_digest }) => text_digest === null)
  const byId = new Map([...known, ...byText].map((row) => [row.id, row]))
  const oldestFirst = [...byId.values()].sort((a, b) => a.received_at - b.received_at)
  const sameText = oldestFirst.map((row) => ({
    ...row,
    erased: row.erased_at !== null,
    phoneId: row.device_id,
    simSlot: row.sim_slot,
    referenceKey: row.reference_key,
    sentAt: row.sent_at,
    phoneReceivedAt: row.phone_received_at,
    receivedAt: row.received_at,
    link: { chain: row.chain, chainMissing: row.chain_missing, chainSince: row.chain_since },
    standsForMore: row.stands_for_more,
  }))
  return Map.groupBy(sameText, (row) => row.sameAs)
}

type PartsOfAccount = {
  readonly accountId: AccountId
  readonly rows: readonly PartRow[]
  readonly notRead: readonly NotRead[]
}

/** Alerts received within minutes of these, which may be parts of the same messages. */
const readRecentParts = (tx: Tx, alerts: readonly AlertToResolve[]): Promise<PartsOfAccount[]> => {
  const byAccount = Map.groupBy(alerts, ({ accountId }) => accountId)
  return Promise.all(
    [...byAccount].map(async ([accountId, own]) => {
      const times = timesAround(own.map((alert) => alert.stored?.receivedAt ?? alert.now))
      const ranges = times.map(({ from, until }) => ({ first: firstIdAt(from), last: firstIdAt(until + 1) }))
      const senders = unique(own.map(({ report }) => report.sender))
      const readings = own.flatMap(({ reading }) => (reading.kind === 'read' ? [reading] : []))
      const money = new Map(
        readings.map(({ wallet: { identity }, amount }) => [amountKey(identity, amount), { identity, amount }]),
      )
      const withoutReference = readings.filter(({ referenceKey }) => referenceKey === null)
      const wallets = unique(withoutReference.map(({ wallet }) => wallet.id))
      const [parts, booked] = await Promise.all([
        recentParts(tx, wholeAccount(accountId), senders, [...money.values()], ranges),
        wallets.length === 0 ? [] : recentlyBooked(tx, wholeAccount(accountId), wallets, ranges),
      ])
      // Credits that wait need no mark: they are compared by their amount too (amounts-sql.ts), in a list with a mark of its own.
      const marked = [...parts.filter(({ state }) => state === 'unread' || state === 'review'), ...booked]
      return { accountId, rows: [...parts, ...booked], notRead: notReadOf(marked, times) }
    }),
  )
}

/** The minutes before and after these times, joined where they overlap. */
const timesAround = (times: readonly Instant[]): NotRead[] => {
  const joined: NotRead[] = []
  for (const time of times.toSorted((a, b) => a - b)) {
    const [from, until] = [time - sameMessage_ms, time + sameMessage_ms]
    const last = joined.at(-1)
    if (last !== undefined && from <= last.until) joined[joined.length - 1] = { from: last.from, until }
    else joined.push({ from, until })
  }
  return joined
}

/** The times of which a list is not complete: it has more rows than are compared. */
const notReadOf = (
  rows: readonly (PartRow & { readonly list: string })[],
  times: readonly NotRead[],
): readonly NotRead[] =>
  [...Map.groupBy(rows, ({ list }) => list).values()].flatMap((list) => {
    const until = Math.min(...list.map(({ received_at }) => received_at))
    const range = times.findLast(({ from }) => from <= until)
    return list.length <= mostCompared || range === undefined ? [] : [{ from: range.from, until }]
  })

/** A message may be stored under the phone's client id and the hash of its text, or, if it was hidden or erased, under the keyed
 *  hashes of both. */
const lookupsOf = (alert: AlertToResolve) => [
  { phoneId: alert.phoneId, clientId: alert.report.clientId, fingerprint: fingerprintOf(alert) },
  { phoneId: alert.phoneId, clientId: hiddenClientId(alert), fingerprint: keyedFingerprint(alert) },
]

const keyedFingerprints = new WeakMap<AlertToResolve, Buffer>()

const keyedFingerprint = (alert: AlertToResolve): Buffer => {
  const keyed = keyedFingerprints.get(alert) ?? alert.hiding.fingerprint(alert.accountId, alert.report)
  keyedFingerprints.set(alert, keyed)
  return keyed
}

const hiddenClientIds = new WeakMap<AlertToResolve, string>()

const hiddenClientId = (alert: AlertToResolve): string => {
  const hashed = hiddenClientIds.get(alert) ?? alert.hiding.clientId(alert.phoneId, alert.report.clientId)
  hiddenClientIds.set(alert, hashed)
  return hashed
}

/** The rows that were found by client id, each with the client id that the phone sent. */
const entriesByClientId = (
  alerts: readonly AlertToResolve[],
  known: readonly KnownRow[],
): (readonly [string, SameClientIdAlert])[] => {
  const byHiddenId = new Map(alerts.map((alert) => [clientKey(alert.phoneId, hiddenClientId(alert)), alert]))
  return known.flatMap(({ id, state, device_id, client_id, text_digest, sent_at, fingerprint, hidden, erased_at }) => {
    // Rows without a digest were found by their text.
    if (text_digest === null) return []
    const hiddenAs = hidden === '' && erased_at === null ? undefined : byHiddenId.get(clientKey(device_id, client_id))
    const isSameText = (report: Report): boolean =>
      hiddenAs === undefined
        ? text_digest.equals(textDigest(report))
        : fingerprint.equals(hiddenAs.hiding.fingerprint(hiddenAs.accountId, report))
    const isSameMessage = (report: Report): boolean => isSameText(report) && sameSentTime(sent_at, report.sentAt)
    return [[clientKey(device_id, hiddenAs?.report.clientId ?? client_id), { id, state, isSameMessage }] as const]
  })
}

/** The stored alerts with the client ids of these alerts. If an id belongs to another message, also those with the derived id
 *  (`clientIdFor`). */
const storedByClientId = async (
  tx: Tx,
  alerts: readonly AlertToResolve[],
  known: readonly KnownRow[],
): Promise<KnownAlerts['byClientId']> => {
  const byClientId: KnownAlerts['byClientId'] = new Map(entriesByClientId(alerts, known))
  const renamed = alerts.flatMap((alert) => {
    const { report, stored } = alert
    const clientId = stored === undefined ? clientIdFor(byClientId, alert.phoneId, report) : report.clientId
    return clientId === report.clientId ? [] : [{ ...alert, report: { ...report, clientId } }]
  })
  if (renamed.length > 0) {
    const found = await knownAlerts(tx, renamed.flatMap(lookupsOf))
    for (const entry of entriesByClientId(renamed, found)) byClientId.set(...entry)
  }
  return byClientId
}

/** The stored alerts with the client id of one alert, as `storedByClientId` finds them. */
export const readByClientId = async (tx: Tx, alert: AlertToResolve): Promise<KnownAlerts['byClientId']> =>
  storedByClientId(tx, [alert], await knownAlerts(tx, lookupsOf(alert)))
