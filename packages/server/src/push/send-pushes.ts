/**
 * Sends to devices what waits for them, each device by one node at a time. What waits becomes one message, which is stored before
 * it is sent: after a crash the same message is sent again, and the device knows it by its id. Attempts are counted before they are
 * made, so nothing is sent for ever. In quiet hours notices are sent and nothing else; what waited then comes as one message at their end.
 */

import { walletsIn } from '../accounts/people/wallet-limit.ts'
import type { Clock, Instant } from '../core/clock.ts'
import { wholeAccount } from '../core/scope.ts'
import { sharedZone, type Zone } from '../core/zone.ts'
import type { Db, Tx } from '../postgres/connection/database.ts'
import type { CallReceiver } from '../webhooks/calling/call-receiver.ts'
import type { AttemptResult } from '../webhooks/calling/read-answer.ts'
import { pushRequest } from './encrypt-push.ts'
import { dropDevice } from './push-devices-sql.ts'
import type { ReadPushKeys } from './push-keys.ts'
import { isUrgent, mayHear, type PushKind, pushKinds, type SentKind } from './push-kind.ts'
import { composeMessage, type PendingSum, type PushMessage, pendingOfMessage } from './push-message.ts'
import {
  addPending,
  claimDevices,
  type DeviceEnd,
  releaseDevice,
  storeMessage,
  takePending,
  wishesOfDevices,
} from './push-queue-sql.ts'
import {
  afterAttempt,
  gap_ms,
  lease_ms,
  messageLife_ms,
  mostAttempts,
  mostFailures,
  pendingLife_ms,
} from './push-schedule.ts'
import { quietUntil } from './quiet-hours.ts'
import type { SubscriptionSealer } from './subscription.ts'

export type SendPushDeps = {
  readonly db: Db
  readonly clock: Clock
  /** For accounts without a time zone of their own. */
  readonly zone: Zone
  readonly keys: ReadPushKeys
  readonly subscriptions: SubscriptionSealer
  readonly call: CallReceiver
  /** Whom a push service may ask about this service: an https address or a mailto address. */
  readonly subject: string
  readonly userAgent: string
  readonly onFault: (fault: unknown) => void
  readonly random?: () => number
}

const devicesAtOnce = 20

type Claimed = Awaited<ReturnType<typeof claimDevices>>[number]
type Wishes = Awaited<ReturnType<typeof wishesOfDevices>>[number]
type Outgoing = Pick<Claimed, 'account_id' | 'id' | 'subscription_sealed' | 'failures' | 'attempts'> & {
  readonly message: string
}

const hasUrgent = (message: string): boolean =>
  (JSON.parse(message) as PushMessage).groups.some(({ kind }) => isUrgent(kind))

const wants = ({ role, wallets, kinds }: Wishes, kind: SentKind): boolean =>
  isUrgent(kind) || isChosen({ role, wallets, kinds }, kind as PushKind)

const isChosen = ({ role, wallets, kinds }: Pick<Wishes, 'role' | 'wallets' | 'kinds'>, kind: PushKind): boolean =>
  (kinds === null ? pushKinds : (JSON.parse(kinds) as PushKind[])).includes(kind) &&
  mayHear({ role, wallets: walletsIn(wallets) }, kind)

const idle: DeviceEnd = { nextAt: null, keeps: false, failures: 0, sentAt: null }

/** What is sent to this device now. Undefined: nothing, and the device is released. */
const prepare = async (
  tx: Tx,
  device: Claimed,
  wishes: Wishes | undefined,
  serviceZone: Zone,
  takenUntil: Instant,
  now: Instant,
): Promise<Outgoing | undefined> => {
  const { account_id: accountId, id, failures } = device
  const release = async (end: Partial<DeviceEnd>): Promise<undefined> => {
    await releaseDevice(tx, wholeAccount(accountId), id, takenUntil, { ...idle, failures, ...end })
  }
  const store = async (pending: readonly PendingSum[]): Promise<Outgoing> => {
    const message = JSON.stringify(composeMessage(pending))
    await storeMessage(tx, wholeAccount(accountId), id, message, now)
    return { ...device, message, attempts: 1 }
  }
  if (wishes === undefined) {
    // It may not be notified: what waits is dropped, and the device is deleted (push-devices-sql.ts), unless its account is
    // suspended.
    await takePending(tx, wholeAccount(accountId), id, false)
    return release({})
  }
  const zone = sharedZone(wishes.time_zone, serviceZone)
  const { quiet_from: from, quiet_until: until } = wishes
  const quietEnd = quietUntil(from === null || until === null ? null : { from, until }, zone, now)
  if (device.message !== null) {
    if (device.attempts > mostAttempts || now - device.message_at! > messageLife_ms) {
      if (failures + 1 < mostFailures) return release({ nextAt: now, failures: failures + 1 })
      await dropDevice(tx, wholeAccount(accountId), id)
      return undefined
    }
    if (quietEnd === undefined || hasUrgent(device.message)) return { ...device, message: device.message }
    const urgent = await takePending(tx, wholeAccount(accountId), id, true)
    if (urgent.length === 0) return release({ nextAt: quietEnd, keeps: true })
    // What is urgent is not held back by a message that failed before the quiet hours: that one waits for their end again.
    const held = pendingOfMessage(JSON.parse(device.message) as PushMessage)
    const firstAt = device.message_at!
    await addPending(
      tx,
      held.map((one) => ({ ...one, accountId, pushDeviceId: id, firstAt })),
    )
    return store(urgent)
  }
  const pending = (await takePending(tx, wholeAccount(accountId), id, quietEnd !== undefined)).filter(
    ({ kind, first_at }) => kind === 'test' || (now - first_at <= pendingLife_ms && wants(wishes, kind)),
  )
  return pending.length === 0 ? release({ nextAt: quietEnd ?? null }) : store(pending)
}

const take = ({ db, zone }: SendPushDeps, now: Instant): Promise<{ taken: number; outgoing: Outgoing[] }> =>
  db.transaction(async (tx) => {
    const claimed = await claimDevices(tx, now, now + lease_ms, devicesAtOnce)
    if (claimed.length === 0) return { taken: 0, outgoing: [] }
    const rows = await wishesOfDevices(
      tx,
      claimed.map(({ account_id }) => account_id),
      claimed.map(({ id }) => id),
      now,
    )
    const wishes = new Map(rows.map((row) => [row.id, row]))
    const outgoing: Outgoing[] = []
    for (const device of claimed) {
      const ready = await prepare(tx, device, wishes.get(device.id), zone, now + lease_ms, now)
      if (ready !== undefined) outgoing.push(ready)
    }
    return { taken: claimed.length, outgoing }
  })

const post = async (deps: SendPushDeps, device: Outgoing, now: Instant): Promise<AttemptResult> => {
  try {
    const subscription = deps.subscriptions.unseal(device.id, device.subscription_sealed)
    const request = await pushRequest(subscription, device.message, await deps.keys(), deps, now)
    return (await deps.call(request)).result
  } catch (fault) {
    deps.onFault(fault)
    return { kind: 'unsent', error: String(fault) }
  }
}

const send = async (deps: SendPushDeps, device: Outgoing, takenUntil: Instant, now: Instant): Promise<void> => {
  const { db, clock, random = Math.random } = deps
  const { account_id: accountId, id, attempts, failures } = device
  const result = await post(deps, device, now)
  const done = clock.now()
  const after = afterAttempt(result, attempts, done, random())
  const end = (more: Partial<DeviceEnd>) =>
    releaseDevice(db, wholeAccount(accountId), id, takenUntil, { ...idle, failures, ...more })
  if (after.kind === 'sent') await end({ nextAt: done + gap_ms, failures: 0, sentAt: done })
  else if (after.kind === 'retry') await end({ nextAt: after.at, keeps: true })
  else if (after.kind === 'gone' || failures + 1 >= mostFailures) await dropDevice(db, wholeAccount(accountId), id)
  else await end({ nextAt: done + gap_ms, failures: failures + 1 })
}

/** One run. True: there may be more to send. */
export const sendPushes = async (deps: SendPushDeps): Promise<boolean> => {
  const now = deps.clock.now()
  const { taken, outgoing } = await take(deps, now)
  await Promise.all(outgoing.map((device) => send(deps, device, now + lease_ms, now)))
  return taken === devicesAtOnce
}
