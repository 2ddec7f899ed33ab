/**
 * The calls of the native protocol of phones, under `/api/v1/device` (docs/phones.md). Bodies are described as phones should
 * write them: an alert that has other forms is stored too, because a message of an authenticated phone is never lost.
 */
import { Type } from 'typebox'
import { sentInstant, withDefault } from '../body.ts'
import { usualCurrency } from '../currency.ts'
import { reportOutcomes } from '../kinds.ts'
import { type Operation, operationsOf, type Parameters } from '../operation.ts'
import { id, oneOf } from '../scalars.ts'
import { body, closed, flag, listOf, orNull, text } from '../schema.ts'

const serverTime = Type.Integer({ minimum: 0, description: 'The time of the service, in Unix seconds.' })

export const AgentConfig = closed('What the agent is to do.', {
  version: Type.Integer({ minimum: 0, description: 'It changes whenever the configuration changes.' }),
  heartbeat_s: Type.Integer({ minimum: 1, description: 'Seconds between heartbeats.' }),
  alerts_per_request: Type.Integer({ minimum: 1, description: 'The most alerts of one call.' }),
  senders: listOf('Whose messages to report. `[]`: no wallet has this phone yet.', {
    name: Type.String(),
    sim_slot: Type.String(),
  }),
  packages: listOf('The apps whose notifications to report, each with the sender of its wallet.', {
    name: Type.String(),
    sender: Type.String(),
  }),
})

const phoneFact = (description: string) => withDefault(Type.String({ maxLength: 100, description }), '')

export const PairPhone = body('The one-time code, and facts about the phone.', {
  code: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The one-time code of the dashboard, as it was typed.',
  }),
  agent: phoneFact('The name of the program.'),
  version: phoneFact('Its version.'),
  model: phoneFact('The model of the phone.'),
  android: phoneFact('Its version of Android.'),
})

export const PairedDevice = closed('A phone that is paired.', {
  device_id: id('The phone: `X-Service-Device` of every other call.'),
  secret: text('Signs every other call. It is never shown again.'),
  secret_version: Type.Integer({ minimum: 1, description: 'Counts the secrets of this phone.' }),
  server_time: serverTime,
  config: AgentConfig,
})

const operation = operationsOf({ tag: 'Phones' })

export const pairPhone = operation({
  id: 'pairPhone',
  method: 'POST',
  path: '/pair',
  access: 'open',
  limit: 'pairing',
  summary: 'Pair a phone with its one-time code',
  description: 'A code is valid for 10 minutes and once. Paired again, a phone keeps its id and gets a new secret.',
  body: PairPhone,
  example: { code: '7K3MQ2XV9D', agent: 'sanad-agent', version: '1.0.0', model: 'Phone', android: '14' },
  answer: PairedDevice,
  showsSecret: true,
  refusals: { 400: 'The body is not valid.', 401: 'The code is wrong, used or expired.' },
})

/** The signature covers the method, the path, these values and the body: `v1\n{METHOD}\n{path}\n{device}\n...`. */
const signatureHeaders: Parameters = {
  'X-Service-Device': { required: true, description: 'The `device_id`.', schema: id('The phone.') },
  'X-Service-Request-Id': {
    required: true,
    description: 'New for each call, the same when it is sent again: then it gets the same answer again.',
    schema: id('The call.'),
  },
  'X-Service-Timestamp': {
    required: true,
    description: 'Unix seconds.',
    schema: Type.String({ pattern: '^\\d{1,15}$' }),
  },
  'X-Service-Device-Signature': {
    required: true,
    description: '`v1=` and the hex HMAC-SHA256 with the secret of the phone.',
    schema: Type.String({ pattern: '^v1=[0-9a-f]{64}$' }),
  },
}

/** The calls of a paired phone. */
const signedCall = {
  method: 'POST',
  access: 'phone',
  limit: 'device',
  tag: 'Phones',
  headers: signatureHeaders,
  status: 200,
  refusals: {
    400: 'The body or a header is not valid.',
    401: 'No signature, or a wrong one. `clock_skew`: the time is more than 300 seconds off; sign again by `server_time`.',
  },
} as const

export const longestClientId = 128

export const ReportedAlert = body('A message that the phone received.', {
  client_id: Type.String({
    minLength: 1,
    maxLength: longestClientId,
    description: 'Chosen by the phone, one for each message.',
  }),
  kind: oneOf(['sms', 'notification'], 'What it is.'),
  sender: text('Who it came from.'),
  package: Type.Optional(text('The app of a notification.')),
  title: Type.Optional(text('The title of a notification.')),
  text: text('The message.'),
  sim_slot: Type.Optional(text('`SIM1` or `SIM2`.')),
  sent_at: Type.Optional(sentInstant('When it was sent.')),
  received_at: sentInstant('When the phone received it.'),
})

export const mostAlerts = 100

const phoneState = {
  server_time: serverTime,
  switched_on: flag('False: what the phone reports is held.'),
  config_version: Type.Integer({ minimum: 0, description: 'The `version` of the configuration.' }),
}

export const reportAlerts = operation({
  ...signedCall,
  id: 'reportAlerts',
  path: '/alerts',
  summary: 'Report messages',
  description: 'Delete a message from the phone only when it is in `results`.',
  body: body('The oldest first.', { alerts: Type.Array(ReportedAlert, { maxItems: mostAlerts }) }),
  example: {
    alerts: [
      {
        client_id: 'inbox-1042',
        kind: 'sms',
        sender: 'ExamplePay',
        text: `You have received 9500.00 ${usualCurrency}.`,
        received_at: '2026-01-02T06:05:41+03:00',
      },
    ],
  },
  answer: closed('What became of each message.', {
    results: listOf('One for each alert, in their order.', {
      client_id: orNull(Type.String()),
      status: oneOf([...reportOutcomes, 'invalid'], 'What became of it.'),
    }),
    ...phoneState,
  }),
})

const phoneText = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }))
const simText = (maxLength: number, description: string) => withDefault(Type.String({ maxLength, description }), '')

export const Heartbeat = body('What a phone reports about itself.', {
  battery: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Per cent.' })),
  charging: Type.Optional(flag('Whether it is charging.')),
  network: phoneText(64, 'How it is connected.'),
  signal: Type.Optional(
    Type.Integer({ minimum: -200, maximum: 200, description: 'Per cent, bars or dBm: phones differ.' }),
  ),
  app_version: phoneText(64, 'The version of the program.'),
  os_version: phoneText(64, 'The version of Android.'),
  queue_depth: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2147483647, description: 'Messages that wait to be sent.' }),
  ),
  oldest_unsent_at: Type.Optional(sentInstant('When the oldest of them was received.')),
  sims: Type.Optional(
    Type.Array(
      Type.Object({
        slot: Type.String({ minLength: 1, maxLength: 16, description: 'Its slot.' }),
        carrier: simText(100, 'Its company.'),
        iccid_tail: simText(32, 'The end of its number.'),
      }),
      { maxItems: 8, description: 'The SIM cards.' },
    ),
  ),
  problems: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
      maxItems: 8,
      description: 'Short codes of what does not work, such as `sms_refused`.',
    }),
  ),
  clock: sentInstant('The time of the phone.'),
})

export const sendHeartbeat = operation({
  ...signedCall,
  id: 'sendHeartbeat',
  path: '/heartbeat',
  summary: 'Report the health of the phone',
  description: 'Every `heartbeat_s` seconds. A phone that misses three is shown as silent.',
  body: Heartbeat,
  example: { battery: 80, charging: true, queue_depth: 0, clock: '2026-01-02T06:05:41+03:00' },
  answer: closed('What the phone is to do.', {
    ...phoneState,
    config: AgentConfig,
    self_test_until: orNull(
      Type.Integer(),
      'Until when a member waits for a self-test, in Unix seconds: report one message of your own. Null: nobody does.',
    ),
  }),
})

/** The address of a forwarding app, from the root. What it sends is in the app's own form (`http/device/adapters/`). */
export const forwardMessage = operation({
  id: 'forwardMessage',
  method: 'POST',
  path: '/ingest/{adapter}/{token}',
  access: 'phone',
  limit: 'device',
  summary: 'Report a message by a forwarding app',
  answer: closed({ ok: Type.Boolean() }),
  refusals: { 401: 'The address or the signature is wrong.', 503: 'Send it again later.' },
})

/** The heartbeat of a forwarding app, to an address of its own, from the root. Its body is ignored. */
export const appHeartbeat = operation({
  id: 'appHeartbeat',
  method: 'POST',
  path: '/heartbeat/{token}',
  access: 'phone',
  limit: 'device',
  summary: 'A sign of life of a forwarding app',
  answer: closed({ ok: Type.Boolean() }),
  refusals: { 401: 'The address is wrong.' },
})

export const deviceOperations: readonly Operation[] = [pairPhone, reportAlerts, sendHeartbeat]
