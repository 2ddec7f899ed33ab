/**
 * The devices of a member and what the member wants to be notified of. A browser is the device of one member in one account: if
 * another member subscribes in the same browser, it becomes theirs.
 */

import type { Instant } from '../core/clock.ts'
import { type AccountId, type PushDeviceId, randomId, type SessionId, type UserId } from '../core/ids.ts'
import { minor } from '../core/money.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import { type Scope, wholeAccount } from '../core/scope.ts'
import type { Session, Tx } from '../postgres/connection/database.ts'
import {
  deleteDevice,
  dropDevice,
  insertDevice,
  listDeviceRows,
  lockDeviceByAddress,
  renewDevice,
} from './push-devices-sql.ts'
import { type PushKind, pushKinds } from './push-kind.ts'
import { addPending, wakeDeviceNow } from './push-queue-sql.ts'
import { lockSettings, readSettings, saveSettings } from './push-settings-sql.ts'
import type { QuietHours } from './quiet-hours.ts'
import { addressHash, keyFault, type Subscription, type SubscriptionSealer } from './subscription.ts'

/** Phone, tablet and desk computer, and some that are forgotten. */
export const mostDevices = 10

export type PushDevice = {
  readonly id: PushDeviceId
  readonly sessionId: SessionId
  /** The host of its push service. */
  readonly service: string
  readonly agent: string
  readonly createdAt: Instant
  readonly sentAt: Instant | null
}

export type PushSettings = { readonly kinds: readonly PushKind[]; readonly quiet: QuietHours | null }

type SettingsRow = Awaited<ReturnType<typeof readSettings>>[number]
const settingsOf = ({ kinds, quiet_from: from, quiet_until: until }: SettingsRow): PushSettings => ({
  kinds: JSON.parse(kinds),
  quiet: from === null || until === null ? null : { from, until },
})

/** Of a member who never changed them: everything, at any hour. */
export const pushSettingsOf = async (db: Session, scope: Scope, userId: UserId): Promise<PushSettings> => {
  const [row] = await readSettings(db, scope, userId)
  return row === undefined ? { kinds: pushKinds, quiet: null } : settingsOf(row)
}

export const changePushSettings = async (
  tx: Tx,
  scope: Scope,
  userId: UserId,
  changes: { readonly kinds?: readonly PushKind[] | undefined; readonly quiet?: QuietHours | null | undefined },
): Promise<{ readonly before: PushSettings; readonly after: PushSettings } | Refusal<'quiet_hours_empty'>> => {
  if (changes.quiet != null && changes.quiet.from === changes.quiet.until) return refuse('quiet_hours_empty')
  const [row] = await lockSettings(tx, scope, userId, pushKinds)
  const before = settingsOf(row!)
  const after = {
    kinds: changes.kinds === undefined ? before.kinds : pushKinds.filter((kind) => changes.kinds!.includes(kind)),
    quiet: changes.quiet === undefined ? before.quiet : changes.quiet,
  }
  await saveSettings(tx, scope, userId, after.kinds, after.quiet)
  return { before, after }
}

export const pushDevicesOf = async (db: Session, scope: Scope, userId: UserId): Promise<PushDevice[]> =>
  (await listDeviceRows(db, scope, userId)).map((row) => ({
    id: row.id,
    sessionId: row.session_id,
    service: row.service,
    agent: row.agent,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  }))

export type Subscriber = {
  readonly accountId: AccountId
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly agent: string
}

/** The caller has checked the address (`checkUrl`). `renewed`: this member had the device already. */
export const subscribeDevice = async (
  tx: Tx,
  sealer: SubscriptionSealer,
  subscriber: Subscriber,
  subscription: Subscription,
  now: Instant,
): Promise<
  { readonly id: PushDeviceId; readonly renewed: boolean } | Refusal<'push_key_invalid' | 'push_device_limit'>
> => {
  const fault = keyFault(subscription)
  if (fault !== undefined) return refuse('push_key_invalid', { key: fault })
  const { accountId, userId, sessionId, agent } = subscriber
  await lockSettings(tx, wholeAccount(accountId), userId, pushKinds)
  const hash = addressHash(subscription.endpoint)
  const [known] = await lockDeviceByAddress(tx, hash)
  const isOwn = known?.account_id === accountId && known.user_id === userId
  const values = { accountId, sessionId, agent, service: new URL(subscription.endpoint).hostname }
  if (known !== undefined && isOwn) {
    await renewDevice(tx, { ...values, id: known.id, sealed: sealer.seal(known.id, subscription) })
    return { id: known.id, renewed: true }
  }
  if ((await listDeviceRows(tx, wholeAccount(accountId), userId)).length >= mostDevices)
    return refuse('push_device_limit', { most: String(mostDevices) })
  if (known !== undefined) await dropDevice(tx, wholeAccount(known.account_id), known.id)
  const id = randomId<PushDeviceId>()
  const device = { ...values, id, userId, addressHash: hash, sealed: sealer.seal(id, subscription) }
  const [inserted] = await insertDevice(tx, device, now)
  if (inserted === undefined) throw new Error('two members subscribed in one browser at the same moment')
  return { id, renewed: false }
}

export const removeDevice = async (
  tx: Tx,
  scope: Scope,
  userId: UserId,
  id: string,
): Promise<{ readonly id: PushDeviceId; readonly agent: string } | Refusal<'push_device_unknown'>> =>
  (await deleteDevice(tx, scope, userId, id))[0] ?? refuse('push_device_unknown')

/** Queues a notification that says only that notifications arrive. Asking twice sends one, if the first was not sent yet. */
export const queueTest = async (
  tx: Tx,
  scope: Scope,
  userId: UserId,
  id: string,
  now: Instant,
): Promise<Refusal<'push_device_unknown'> | undefined> => {
  const own = (await listDeviceRows(tx, scope, userId)).find((row) => row.id === id)
  if (own === undefined || (await wakeDeviceNow(tx, scope, own.id, now)).length === 0)
    return refuse('push_device_unknown')
  const test = { kind: 'test', currency: '', count: 1, amount: minor(0n), firstAt: now } as const
  await addPending(tx, [{ ...test, accountId: scope.accountId, pushDeviceId: own.id }])
  return undefined
}
