/**
 * Finds what members are to be notified of, and adds it to what waits for their devices. Each fact once, whichever nodes look: it is
 * stored as told in the transaction that queues it. Nothing here is part of recording an alert: the alert is stored and answered
 * before. Accounts with a hint, of any node, are looked at within a second (`touch`), all others every half minute: a change is
 * found although the node that made it was killed before its hint.
 */
import { walletsIn } from '../accounts/people/wallet-limit.ts'
import type { Instant } from '../core/clock.ts'
import { day_ms, minute_ms, second_ms } from '../core/duration.ts'
import { type AccountId, firstIdAt, smallestId, type UserId } from '../core/ids.ts'
import { minor } from '../core/money.ts'
import type { Db, Session } from '../postgres/connection/database.ts'
import { signsOf } from '../wallets/silence/phone-signs.ts'
import { silenceOf } from '../wallets/silence/silence.ts'
import { failingAfter_ms, failuresNeeded } from '../webhooks/health/failing.ts'
import { fanOut, type HearingDevice, type PushFact } from './fan-out.ts'
import {
  accountsAfter,
  accountsWithDevices,
  newlyFailingEndpoints,
  newlySilentPhones,
  newMoney,
  newOwnerNotices,
  newQueueMoney,
  newRequests,
  newUserNotices,
} from './push-facts-sql.ts'
import { isUrgent, pushKinds } from './push-kind.ts'
import { addPending, hearingDevices, insertTold, wakeDevices } from './push-queue-sql.ts'
import { gather_ms } from './push-schedule.ts'

/** Money that arrived longer ago is no news. */
const recent_ms = 10 * minute_ms
/** Money may wait for its order for so long before it counts as unmatched. */
const queueRecent_ms = day_ms
/** How long a silence or a failure that goes on is not told again. */
const troubleKept_ms = 30 * day_ms

const sweepEvery_ms = 30 * second_ms
/** After a pause of this node longer than this, phones may only seem silent: it could not hear them. */
const gapOfNode_ms = minute_ms
/** Phones then get the time in which they are usually heard, but at most this. */
const graceMost_ms = 10 * minute_ms

const mostFacts = 500
const accountsAtOnce = 200
const mostTouched = 10_000

const keptFor = (kind: PushFact['kind']): number =>
  kind === 'phone_silent' || kind === 'endpoint_failing' ? troubleKept_ms : queueRecent_ms + day_ms

const noMoney = { walletId: null, currency: '', amount: minor(0n) } as const

/** `steadySince`: since when this node runs without a pause. */
const silentPhones = async (
  db: Session,
  accountIds: readonly AccountId[],
  steadySince: Instant,
  now: Instant,
): Promise<PushFact[]> => {
  const rows = await newlySilentPhones(db, accountIds, now, mostFacts)
  return rows.flatMap((row) => {
    const silence = silenceOf(signsOf(row))
    if (silence.kind !== 'heartbeat' && silence.kind !== 'rhythm') return []
    const grace_ms = Math.min(silence.alarmAt - row.last_seen_at!, graceMost_ms)
    if (steadySince + grace_ms > now) return []
    const { account_id: accountId, object } = row
    return [{ ...noMoney, accountId, kind: 'phone_silent', object, at: silence.alarmAt } as const]
  })
}

const failingEndpoints = async (db: Session, accountIds: readonly AccountId[], now: Instant): Promise<PushFact[]> =>
  (
    await newlyFailingEndpoints(db, accountIds, now - failingAfter_ms, failuresNeeded, now - queueRecent_ms, mostFacts)
  ).map(({ account_id: accountId, object, since }) => ({
    ...noMoney,
    accountId,
    kind: 'endpoint_failing',
    object,
    at: since,
  }))

const moneyFacts = async (db: Session, accountIds: readonly AccountId[], now: Instant): Promise<PushFact[]> => {
  const rows = [
    ...(await newMoney(db, accountIds, firstIdAt(now - recent_ms), mostFacts)),
    ...(await newQueueMoney(db, accountIds, firstIdAt(now - queueRecent_ms), mostFacts)),
  ]
  return rows.map((row) => ({
    accountId: row.account_id,
    kind: row.kind,
    object: row.id,
    walletId: row.wallet_id,
    currency: row.currency,
    amount: row.amount,
    at: row.received_at,
  }))
}

const requestFacts = async (db: Session, accountIds: readonly AccountId[], now: Instant): Promise<PushFact[]> =>
  (await newRequests(db, accountIds, now - queueRecent_ms, now, mostFacts)).map((row) => ({
    ...noMoney,
    accountId: row.account_id,
    kind: row.kind,
    object: row.id,
    walletId: row.wallet_id,
    at: row.at,
    ...(row.kind === 'request_decided' ? { to: row.asked_by } : { notTo: row.asked_by, ownersOnly: row.needs_owner }),
  }))

/** Notices to owners, and to users about themselves. Owners do not hear of a user who is told themselves: that user. */
const noticeFacts = async (db: Session, accountIds: readonly AccountId[], now: Instant): Promise<PushFact[]> => {
  const since = firstIdAt(now - queueRecent_ms)
  const noticeOf = (
    row: { readonly account_id: AccountId; readonly id: string; readonly at: Instant },
    audience: Pick<PushFact, 'to' | 'notTo' | 'ownersOnly'>,
  ): PushFact => ({ ...noMoney, accountId: row.account_id, kind: 'notice', object: row.id, at: row.at, ...audience })
  const toOwners = (await newOwnerNotices(db, accountIds, since, mostFacts)).map((row) =>
    noticeOf(row, {
      ownersOnly: true,
      ...(row.object_kind === 'user' ? { notTo: row.object_id as UserId } : {}),
    }),
  )
  const toUsers = (await newUserNotices(db, accountIds, since, mostFacts)).map((row) =>
    noticeOf(row, { to: row.user_id }),
  )
  return [...toOwners, ...toUsers]
}

type DeviceRow = Awaited<ReturnType<typeof hearingDevices>>[number]
const deviceOf = (row: DeviceRow): HearingDevice => ({
  accountId: row.account_id,
  id: row.id,
  userId: row.user_id,
  rights: { role: row.role, wallets: walletsIn(row.wallets) },
  kinds: row.kinds === null ? pushKinds : JSON.parse(row.kinds),
  createdAt: row.created_at,
  counterUntil: row.counter_until,
})

/** Queues the facts that nobody has told before. */
const tell = (db: Db, facts: readonly PushFact[], now: Instant): Promise<void> =>
  db.transaction(async (tx) => {
    const keyOf = (accountId: string, kind: string, object: string): string => `${accountId} ${kind} ${object}`
    const told = await insertTold(
      tx,
      facts.map((fact) => ({ ...fact, keepUntil: now + keptFor(fact.kind) })),
    )
    const first = new Set(told.map((row) => keyOf(row.account_id, row.kind, row.object)))
    const fresh = facts.filter((fact) => first.has(keyOf(fact.accountId, fact.kind, fact.object)))
    if (fresh.length === 0) return
    const devices = await hearingDevices(tx, [...new Set(fresh.map(({ accountId }) => accountId))], now)
    const pending = fanOut(fresh, devices.map(deviceOf), now)
    if (pending.length === 0) return
    const urgent = new Set(pending.filter(({ kind }) => isUrgent(kind)).map(({ pushDeviceId }) => pushDeviceId))
    const woken = await wakeDevices(
      tx,
      pending.map(({ accountId }) => accountId),
      pending.map(({ pushDeviceId }) => pushDeviceId),
      [...urgent],
      now + gather_ms,
    )
    const existing = new Set(woken.map(({ id }) => id))
    await addPending(
      tx,
      pending.filter(({ pushDeviceId }) => existing.has(pushDeviceId)),
    )
  })

export type CollectPushes = {
  /** Something has changed in this account. Called after the commit; does no work. */
  touch(accountId: AccountId): void
  /** One run. True: there is more to do. */
  collectPushes(now: Instant): Promise<boolean>
}

export const pushCollector = (db: Db): CollectPushes => {
  let touched = new Set<AccountId>()
  let steadySince: Instant | undefined
  let lastRun: Instant = Number.NEGATIVE_INFINITY
  let nextSweep: Instant = Number.NEGATIVE_INFINITY
  /** The last account of the sweep under way. */
  let sweptTo: string = smallestId

  const sweep = async (now: Instant): Promise<AccountId[]> => {
    if (now < nextSweep) return []
    const rows = await accountsAfter(db, sweptTo, accountsAtOnce)
    sweptTo = rows.length === accountsAtOnce ? rows.at(-1)!.account_id : smallestId
    if (sweptTo === smallestId) nextSweep = now + sweepEvery_ms
    return rows.map(({ account_id }) => account_id)
  }

  return {
    touch(accountId) {
      // A node without background work collects nothing. What is left out here, the search of all accounts finds.
      if (touched.size < mostTouched) touched.add(accountId)
    },
    async collectPushes(now) {
      // The clock of a test, or of the machine, may have been set back.
      if (steadySince === undefined || now - lastRun > gapOfNode_ms || now < lastRun) {
        steadySince = now
        nextSweep = now
      }
      lastRun = now
      const changed = touched
      touched = new Set()
      const swept = await sweep(now)
      const own = changed.size === 0 ? [] : await accountsWithDevices(db, [...changed])
      const accountIds = [...new Set([...swept, ...own.map(({ account_id }) => account_id)])]
      if (accountIds.length === 0) return false
      const facts = [
        ...(await moneyFacts(db, accountIds, now)),
        ...(await requestFacts(db, accountIds, now)),
        ...(await noticeFacts(db, accountIds, now)),
        ...(await silentPhones(db, accountIds, steadySince, now)),
        ...(await failingEndpoints(db, accountIds, now)),
      ]
      if (facts.length > 0) await tell(db, facts, now)
      if (facts.length >= mostFacts) for (const accountId of accountIds) touched.add(accountId)
      return facts.length >= mostFacts || sweptTo !== smallestId
    },
  }
}
