/** `/notifications/`: what a member is notified of, the browsers that subscribed, and whether the counter screen is open. */

import * as operations from '@sanad/contract/dashboard/people/notifications'
import { browserOf } from '../../../accounts/sessions/browser.ts'
import { minute_ms, second_ms } from '../../../core/duration.ts'
import { refuse } from '../../../core/refusal.ts'
import { wholeOf } from '../../../core/scope.ts'
import {
  changePushSettings,
  mostDevices,
  type PushDevice,
  type PushSettings,
  pushDevicesOf,
  pushSettingsOf,
  queueTest,
  removeDevice,
  subscribeDevice,
} from '../../../push/push-devices.ts'
import type { ReadPushKeys } from '../../../push/push-keys.ts'
import { kindsOfMember } from '../../../push/push-kind.ts'
import { markCounterClosed, markCounterOpen } from '../../../push/push-settings-sql.ts'
import { minutesOf, type QuietHours, timeOfDay } from '../../../push/quiet-hours.ts'
import type { SubscriptionSealer } from '../../../push/subscription.ts'
import { checkUrl, type EndpointDeps } from '../../../webhooks/endpoints/manage-endpoints.ts'
import { answerTo } from '../refusals.ts'
import { type Call, change, type DashboardContext, type Route, rightsOf, route } from '../route.ts'

export type NotificationDeps = DashboardContext &
  Pick<EndpointDeps, 'guard' | 'resolve' | 'settings'> & {
    readonly pushKeys: ReadPushKeys
    readonly subscriptions: SubscriptionSealer
  }

/** Longer than twice the time between two calls of a counter screen: one call may be lost. */
const counterOpen_ms = minute_ms + 15 * second_ms

export const notificationRoutes = (deps: NotificationDeps): Route[] => [
  route(operations.showNotifications, (call) => notifications(deps, call)),
  route(operations.changeNotifications, async (call) => {
    const { member, body } = call
    const quiet = quietHours(body.quiet_from, body.quiet_until)
    await change(deps, call, async (db, audit) => {
      const done = await changePushSettings(db, wholeOf(member.scope), member.userId, { kinds: body.kinds, quiet })
      if ('refused' in done) return done
      const [before, after] = [auditValues(done.before), auditValues(done.after)]
      if (JSON.stringify(before) !== JSON.stringify(after))
        audit({ action: 'user.notifications', kind: 'user', id: member.userId, before, after })
      return done
    })
    return notifications(deps, call)
  }),
  route(operations.subscribeDevice, async (call) => {
    const { member, via, now, from, body } = call
    if (via.kind !== 'session') throw answerTo(refuse('push_browser_only'))
    const { p256dh, auth } = body.keys
    const endpoint = await checkedAddress(deps, body.endpoint)
    const subscriber = {
      accountId: member.scope.accountId,
      userId: member.userId,
      sessionId: via.id,
      agent: from.agent,
    }
    const { id } = await change(deps, call, async (db, audit) => {
      const done = await subscribeDevice(db, deps.subscriptions, subscriber, { endpoint, p256dh, auth }, now)
      if (!('refused' in done) && !done.renewed)
        audit({ action: 'user.device_on', kind: 'user', id: member.userId, after: browserOf(from.agent) })
      return done
    })
    const devices = await pushDevicesOf(deps.db, wholeOf(member.scope), member.userId)
    return deviceAnswer(devices.find((device) => device.id === id)!, call, deps)
  }),
  route(operations.removeDevice, async (call) => {
    const { member, path } = call
    await change(deps, call, async (db, audit) => {
      const removed = await removeDevice(db, wholeOf(member.scope), member.userId, path.id)
      if (!('refused' in removed))
        audit({ action: 'user.device_off', kind: 'user', id: member.userId, before: browserOf(removed.agent) })
      return removed
    })
    return undefined
  }),
  // A test changes nothing of the account: no entry in its audit log.
  route(operations.testDevice, async (call) => {
    const { member, path, now } = call
    await change(
      deps,
      call,
      async (db) => (await queueTest(db, wholeOf(member.scope), member.userId, path.id, now)) ?? {},
    )
    return undefined
  }),
  route(operations.tellCounter, async ({ member, body, now }) => {
    if (body.open) await markCounterOpen(deps.db, wholeOf(member.scope), member.userId, now + counterOpen_ms)
    else await markCounterClosed(deps.db, wholeOf(member.scope), member.userId)
    return undefined
  }),
]

/** The same guard as for endpoints of webhooks. Called before the transaction: checking an address needs a DNS lookup. */
const checkedAddress = async (deps: NotificationDeps, endpoint: string): Promise<string> => {
  const checked = await checkUrl(deps, endpoint)
  if (typeof checked !== 'string') throw answerTo(refuse('push_address_refused', checked.facts))
  return checked
}

/** Null: no quiet hours. Undefined: they are not changed. Both times are sent together. */
const quietHours = (from: string | undefined, until: string | undefined): QuietHours | null | undefined => {
  if (from === undefined && until === undefined) return undefined
  if (from === '' && until === '') return null
  if (!from || !until) throw answerTo(refuse('quiet_hours_empty'))
  return { from: minutesOf(from), until: minutesOf(until) }
}

const quietAnswer = (quiet: QuietHours | null) => ({
  quiet_from: quiet === null ? '' : timeOfDay(quiet.from),
  quiet_until: quiet === null ? '' : timeOfDay(quiet.until),
})

const auditValues = ({ kinds, quiet }: PushSettings) => ({ kinds, ...quietAnswer(quiet) })

const notifications = async (deps: NotificationDeps, call: Call): Promise<operations.Notifications> => {
  const { scope, userId } = call.member
  const settings = await pushSettingsOf(deps.db, wholeOf(scope), userId)
  const devices = await pushDevicesOf(deps.db, wholeOf(scope), userId)
  const possible = kindsOfMember(rightsOf(call.member))
  return {
    public_key: (await deps.pushKeys()).publicKey,
    kinds: settings.kinds.filter((kind) => possible.includes(kind)),
    possible_kinds: possible,
    ...quietAnswer(settings.quiet),
    time_zone: (await call.zone()).name,
    devices: devices.map((device) => deviceAnswer(device, call, deps)),
    most_devices: mostDevices,
  }
}

const deviceAnswer = (device: PushDevice, { via }: Call, deps: NotificationDeps): operations.NotificationDevice => {
  const time = (at: number): string => deps.zone.format(new Date(at))
  return {
    id: device.id,
    ...browserOf(device.agent),
    service: device.service,
    created_at: time(device.createdAt),
    last_sent_at: device.sentAt === null ? null : time(device.sentAt),
    current: device.sessionId === via.id,
  }
}
