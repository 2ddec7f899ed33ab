/** The phones that report alerts: pairing them, access for forwarding apps, and their health. */

import { type Static, Type } from 'typebox'
import { untrimmed } from '../../body.ts'
import { alertStates, phoneStates, selfTestStates } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { amount, id, oneOf, timestamp, timestampOrNull } from '../../scalars.ts'
import { closed, closedOrNull, flag, listOf, orNull, text } from '../../schema.ts'
import { pageOf, pageQuery } from '../page.ts'
import { PhoneHealth, PhoneSetup, PhoneSilence } from './phone-health.ts'
import { simSlots } from './wallets.ts'

export const ingestApps = ['sms-to-url', 'smsgate', 'sms-forwarder', 'text'] as const
const App = oneOf(ingestApps, 'Which forwarding app.')
const SimSlot = oneOf([...simSlots], 'The SIM that received it; `""`: not known.')

export const Phone = closed('A phone and its health.', {
  id: id('Identifier of the phone; it stays when its code is regenerated.'),
  name: Type.String(),
  switched_on: flag('false: its alerts are stored, and held.'),
  paired: flag('It has a secret of its own, from a pairing code.'),
  paired_at: timestampOrNull(
    'When its secret was last issued: by pairing, or as the access or the key of a forwarding app. Null: never.',
  ),
  pairing_until: timestampOrNull('Until when a pairing code is open.'),
  forwards: oneOf(['no', 'unsigned', 'signed'], 'Whether a forwarding app has access, and whether it must sign.'),
  app: oneOf(
    ['', 'agent', ...ingestApps],
    'The app that it reports by: `agent` (or another program of the native protocol), or the forwarding app that was last given ' +
      'access. `""`: none yet, or not known which.',
  ),
  refused_app: closedOrNull(
    'Another app than the chosen one used the phone’s address and was refused: an app that is set up wrongly, or somebody who ' +
      'knows the address. Null: none since access was last given.',
    { app: text('The app, as in its address.'), at: timestamp('When it last tried.') },
  ),
  setup: orNull(PhoneSetup, 'How far the set-up is on the page of its last code; null: the page was not opened yet.'),
  state: oneOf(phoneStates, '`waiting`: it has never reported. `silent`: as `silence` describes.'),
  silent_s: orNull(Type.Integer(), 'Seconds since its last sign of life; null: there was none yet.'),
  silence: PhoneSilence,
  last_seen_at: timestampOrNull('Its last sign of life.'),
  last_alert_at: timestampOrNull('When it last reported an alert.'),
  self_test_until: timestampOrNull('Until when a self-test waits for a message; null: none is open.'),
  health: PhoneHealth,
  wallets: listOf('The wallets whose alerts it reports.', {
    id: id('Identifier of the wallet.'),
    name: Type.String(),
    sender_name: Type.String(),
    sim_slot: SimSlot,
    active: Type.Boolean(),
  }),
  created_at: timestamp('When it was added.'),
})
export type Phone = Static<typeof Phone>

export const Pairing = closed('How to pair the phone.', {
  code: text('To be typed into the phone; shown this once.'),
  until: timestamp('Until when it can be used, once.'),
  uri: text('The content of the QR code.'),
  qr_svg: text('The QR code, as an SVG document.'),
})
export type Pairing = Static<typeof Pairing>

export const PairedPhone = closed({ phone: Phone, pairing: Pairing })

export const IngestAccess = closed('The access of a forwarding app. Shown this once.', {
  phone: Phone,
  app: App,
  url: text('The address that the app sends to; it contains the token.'),
  signing_key: orNull(
    Type.String(),
    'The key with which the app signs; null: it does not sign, so its payments wait for review.',
  ),
  settings: listOf('What to type into the app, in its order.', {
    label: text('What the app calls the setting.'),
    value: text('What to put there.'),
    multiline: Type.Boolean(),
  }),
  rule_file: closedOrNull('A file with all settings, for an app that can import one.', {
    name: Type.String(),
    content: Type.String(),
  }),
})

export const PhoneAlert = closed('An alert that the phone reported.', {
  id: id('Identifier of the alert.'),
  received_at: timestamp('When the server got it.'),
  sent_at: timestampOrNull('When it was sent, as far as the phone knows.'),
  kind: oneOf(['sms', 'notification'], 'What it was on the phone.'),
  app: text('The app that forwarded it; `native`: our own protocol.'),
  sender: Type.String(),
  sim_slot: SimSlot,
  text: text('The message as it came; if it is hidden, with its numbers masked, or `""`.'),
  wallet: orNull(closed({ id: id('Identifier of the wallet.'), name: Type.String() })),
  state: oneOf(alertStates, 'What became of it.'),
  reason: text('Why, as a code; `""`: nothing to explain.'),
  amount: orNull(amount('What was read.')),
  currency: orNull(Type.String()),
  reference: orNull(Type.String()),
  hidden: oneOf(
    ['', 'code', 'stranger'],
    '`code`: a one-time code, sealed. `stranger`: a message of a sender that belongs to no wallet and no provider; it is in ' +
      'no list, only in the self-test. `""`: not hidden.',
  ),
  revealable: flag('Whether its text is still kept, so that an owner can reveal it (`POST /alerts/{id}/reveal/`).'),
})
export type PhoneAlert = Static<typeof PhoneAlert>

export const PhoneComparison = closed('A phone compared with the other phones of its wallets.', {
  since: timestamp('From when messages are compared: seven days ago.'),
  until: timestamp('Until when: ten minutes ago, because a slow phone may report later.'),
  shared_wallets: Type.Integer({
    minimum: 0,
    description: 'Wallets that other phones report too. 0: nothing to compare.',
  }),
  messages: Type.Integer({ minimum: 0, description: 'Messages of those wallets, whichever phone reported them.' }),
  reported: Type.Integer({ minimum: 0, description: 'Of those, how many this phone reported.' }),
  missed: Type.Integer({ minimum: 0, description: 'How many it did not.' }),
  first: Type.Integer({ minimum: 0, description: 'How many it reported first, or alone.' }),
})
export type PhoneComparison = Static<typeof PhoneComparison>

export const HiddenMessages = closed('Messages of other senders, as a number.', {
  other_messages: Type.Integer({ minimum: 0, maximum: 1000, description: 'How many are kept, up to 1000.' }),
  more: flag('There are more than that.'),
})

export const SelfTest = closed('Whether a message sent to the phone has come through.', {
  since: timestamp('When the test began.'),
  checked_at: timestamp('When this answer was made.'),
  until: timestampOrNull(
    'Until when a message counts as the test; null: this test was not begun by `POST`, and has no end.',
  ),
  state: oneOf(
    selfTestStates,
    '`heard`: there was a sign of life, but no alert yet. `ended`: no alert came before `until`.',
  ),
  last_seen_at: timestampOrNull('The phone’s last sign of life.'),
  alert: orNull(PhoneAlert, 'The first alert after `since` and before `until`; null: none yet.'),
})

// Not trimmed: a space at its end belongs to the key that the app has.
const signingKey = untrimmed(200)
const operation = operationsOf({ tag: 'Phones' })

export const listPhones = operation({
  id: 'listPhones',
  method: 'GET',
  path: '/phones/',
  access: 'phones.read',
  summary: 'All phones with their health',
  query: pageQuery('text', 'uuid'),
  answer: pageOf(Phone, 'Phones by name.'),
})

const secrets = { access: 'phones.secrets', proof: 'always' } as const

export const createPhone = operation({
  id: 'createPhone',
  method: 'POST',
  path: '/phones/',
  ...secrets,
  summary: 'Add a phone; its pairing code is shown this once',
  body: Type.Object({ name: Type.String({ format: 'name', minLength: 1, maxLength: 100 }) }),
  example: { name: 'Counter phone' },
  status: 201,
  answer: PairedPhone,
  showsSecret: true,
})

export const showPhone = operation({
  id: 'showPhone',
  method: 'GET',
  path: '/phones/{id}/',
  access: 'phones.read',
  summary: 'One phone',
  answer: Phone,
})

export const changePhone = operation({
  id: 'changePhone',
  method: 'PATCH',
  path: '/phones/{id}/',
  access: 'phones.write',
  summary: 'Rename a phone, switch it ON or OFF',
  body: Type.Object({
    name: Type.Optional(Type.String({ format: 'name', minLength: 1, maxLength: 100 })),
    switched_on: Type.Optional(Type.Boolean()),
  }),
  example: { name: 'Counter phone' },
  answer: Phone,
})

export const deletePhone = operation({
  id: 'deletePhone',
  method: 'DELETE',
  path: '/phones/{id}/',
  access: 'phones.write',
  summary: 'Remove a phone that no wallet is bound to and that never reported an alert',
  status: 204,
})

export const pairPhone = operation({
  id: 'pairPhone',
  method: 'POST',
  path: '/phones/{id}/pairing/',
  ...secrets,
  summary: 'A new pairing code, shown this once',
  description:
    'The phone keeps its id and its history; its secret stays good until the new one is used. A phone reports in one way: when a ' +
    'program of the native protocol uses the code, the address of a forwarding app ends. Only an owner: with the code anyone can ' +
    'report as the phone. Owners get a notice when it was used.',
  answer: PairedPhone,
  showsSecret: true,
})

export const letAppIn = operation({
  id: 'letAppIn',
  method: 'POST',
  path: '/phones/{id}/ingest/',
  ...secrets,
  summary: 'Access for a forwarding app, shown this once',
  description:
    'An earlier address stops working. A phone reports in one way: a native pairing ends at once. Apps that can sign get a key, ' +
    'unless you send the key of the app.',
  body: Type.Object({
    app: App,
    signing_key: Type.Optional(orNull(signingKey, 'A key that the app made; null: the app does not sign.')),
  }),
  example: { app: 'sms-to-url' },
  answer: IngestAccess,
  showsSecret: true,
})

export const setSigningKey = operation({
  id: 'setSigningKey',
  method: 'PUT',
  path: '/phones/{id}/signing-key/',
  ...secrets,
  summary: 'Set the key that a forwarding app made for itself',
  body: Type.Object({ signing_key: orNull(signingKey) }),
  example: { signing_key: null },
  answer: Phone,
})

export const listPhoneAlerts = operation({
  id: 'listPhoneAlerts',
  method: 'GET',
  path: '/phones/{id}/alerts/',
  access: 'phones.read',
  summary: 'What a phone reported, the newest first',
  query: pageQuery('uuid'),
  answer: pageOf(PhoneAlert, 'Alerts, the newest first.'),
})

export const countHiddenMessages = operation({
  id: 'countHiddenMessages',
  method: 'GET',
  path: '/phones/{id}/hidden/',
  access: 'phones.read',
  summary: 'How many messages of other senders a phone reported',
  description:
    'Messages of senders that belong to no wallet and no provider are sealed, never shown, and deleted after 24 hours, ' +
    'unless a wallet is bound to their sender meanwhile: then they are read.',
  answer: HiddenMessages,
})

export const comparePhone = operation({
  id: 'comparePhone',
  method: 'GET',
  path: '/phones/{id}/comparison/',
  access: 'phones.read',
  summary: 'What a phone reported and missed, compared with the other phones of its wallets, in the last seven days',
  description:
    'Messages from before the phone was added to the wallet, or connected, do not count. At most 2,000 of a wallet.',
  answer: PhoneComparison,
})

export const showSelfTest = operation({
  id: 'showSelfTest',
  method: 'GET',
  path: '/phones/{id}/self-test/',
  access: 'phones.read',
  summary: 'Whether a message sent to the phone has come through',
  description:
    'Begin a test with `POST`, send the phone a message, and call this with the `since` of its answer. Without a test: call it ' +
    'once without `since`, then with the first answer’s `since`.',
  query: {
    since: {
      description: 'When the test began; left out: the test that is open, or now.',
      schema: Type.String({ format: 'date-time' }),
    },
  },
  answer: SelfTest,
})

export const beginSelfTest = operation({
  id: 'beginSelfTest',
  method: 'POST',
  path: '/phones/{id}/self-test/',
  access: 'phones.write',
  summary: 'Begin a self-test: the first message that the phone reports within ten minutes counts',
  description:
    'Every message that its app forwards counts, from any sender. The Sanad agent learns of the test by its next heartbeat, and ' +
    'sends a message of its own. A test that was open ends.',
  answer: SelfTest,
})

export const closePhoneToday = operation({
  id: 'closePhoneToday',
  method: 'POST',
  path: '/phones/{id}/closed-today/',
  access: 'phones.write',
  summary: 'The shop is closed today: no message is expected of this phone until tomorrow',
  description:
    'For a phone that is judged by its usual messages (`silence.judged_by`). `silence.alarm_at` of the answer is when it counts ' +
    'as not reporting if no message comes. The next message ends it.',
  answer: Phone,
})

export const phoneOperations = operation.described
