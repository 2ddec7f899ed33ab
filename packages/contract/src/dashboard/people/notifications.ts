/** Notifications on a member's own devices: what the member wants to be notified of, and the browsers that subscribed. */
import { type Static, Type } from 'typebox'
import { pushKinds } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { id, oneOf, timestamp, timestampOrNull } from '../../scalars.ts'
import { closed, flag, text, whole } from '../../schema.ts'

const operation = operationsOf({ tag: 'Notifications', access: 'notifications.own' })

const kind = oneOf(
  pushKinds,
  '`money`: money arrived. `unmatched`: money without an order, or that needs a look. `wrong_amount`: another amount than the ' +
    'order’s. `phone_silent`: no messages come from a phone. `endpoint_failing`: an endpoint takes no events.',
)

const quietTime = (description: string) =>
  Type.String({
    maxLength: 5,
    pattern: '^(([01]\\d|2[0-3]):[0-5]\\d)?$',
    'x-invalid': 'Use the form 22:30.',
    description,
  })
const quiet = {
  quiet_from: quietTime(
    'From when nothing is sent, such as `22:00`, in the time zone of the account. Empty: no quiet hours.',
  ),
  quiet_until: quietTime('Until when; before `quiet_from`: on the next day. Empty: no quiet hours.'),
}

export const NotificationDevice = closed('A browser that subscribed to notifications.', {
  id: id('Identifier of the device.'),
  browser: text('Such as `Chrome`; `""` if unknown.'),
  system: text('Such as `Android`; `""` if unknown.'),
  service: text('The host of its push service, such as `fcm.googleapis.com`.'),
  created_at: timestamp('Since when it is notified.'),
  last_sent_at: timestampOrNull('When its push service last took a message. Null: never.'),
  current: flag('It subscribed in the session of this call.'),
})
export type NotificationDevice = Static<typeof NotificationDevice>

export const Notifications = closed({
  public_key: text('With which a browser subscribes (`applicationServerKey`), in base64url.'),
  kinds: Type.Array(kind, { description: 'What you are notified of.' }),
  possible_kinds: Type.Array(kind, { description: 'What your role may be notified of.' }),
  ...quiet,
  time_zone: text('The time zone of the account, in which the quiet hours are.'),
  devices: Type.Array(NotificationDevice, { description: 'Your devices, the newest first.' }),
  most_devices: whole('How many devices a member can have.'),
})
export type Notifications = Static<typeof Notifications>

export const showNotifications = operation({
  id: 'showNotifications',
  method: 'GET',
  path: '/notifications/',
  summary: 'What you are notified of, and on which devices',
  answer: Notifications,
})

export const changeNotifications = operation({
  id: 'changeNotifications',
  method: 'PATCH',
  path: '/notifications/',
  summary: 'Change what you are notified of, and when',
  description:
    'For all your devices. In quiet hours nothing is sent; what happened then comes as one message at their end.',
  body: Type.Partial(Type.Object({ kinds: Type.Array(kind, { maxItems: 20, 'x-distinct': true }), ...quiet })),
  answer: Notifications,
})

export const subscribeDevice = operation({
  id: 'subscribeDevice',
  method: 'POST',
  path: '/notifications/devices/',
  summary: 'Notify this browser',
  description:
    'The body is what the browser’s `PushSubscription` has. Sent again by the same browser, it renews the device. A browser is ' +
    'the device of one member in one account. It is removed when the session of this call is ended, or the member.',
  body: Type.Object({
    endpoint: Type.String({ minLength: 1, maxLength: 2048, description: 'The address at the browser’s push service.' }),
    keys: Type.Object({
      p256dh: Type.String({ minLength: 1, maxLength: 200, description: 'The browser’s public key, in base64url.' }),
      auth: Type.String({ minLength: 1, maxLength: 100, description: 'The secret of the subscription, in base64url.' }),
    }),
  }),
  example: { endpoint: 'https://push.example.com/nobody', keys: { p256dh: 'no key', auth: 'no secret' } },
  status: 201,
  answer: NotificationDevice,
})

export const removeDevice = operation({
  id: 'removeDevice',
  method: 'DELETE',
  path: '/notifications/devices/{id}/',
  summary: 'Notify one of your devices no more',
  status: 204,
})

export const testDevice = operation({
  id: 'testDevice',
  method: 'POST',
  path: '/notifications/devices/{id}/test/',
  summary: 'Send a test notification to one of your devices',
  description: 'It is sent within some seconds, also in quiet hours.',
  status: 202,
})

export const tellCounter = operation({
  id: 'tellCounter',
  method: 'POST',
  path: '/notifications/counter/',
  summary: 'Tell that you have the counter screen open',
  description:
    'The counter screen tells it every 30 seconds. For 75 seconds after that none of your devices is notified of money that ' +
    'arrives: you see it on the counter.',
  body: Type.Object({ open: flag('False: the counter screen was closed.') }),
  example: { open: false },
  status: 204,
})

export const notificationOperations = operation.described
