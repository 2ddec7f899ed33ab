/** Counters: browsers at which cashiers sign in with a PIN; and the cashiers themselves. */
import { type Static, Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { id, timestamp } from '../../scalars.ts'
import { closed, listOf, orNull, text, whole } from '../../schema.ts'
import { cookies } from '../answer-headers.ts'
import { Member } from './members.ts'
import { Me, memberName } from './session.ts'

const operation = operationsOf({ tag: 'Counters' })

const counterName = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'member-name',
  description: 'What the shop calls it, such as `Front till`: one line, without a link.',
})
const idleMinutes = (description: string) => Type.Integer({ minimum: 1, maximum: 60, description })
const pin = Type.String({
  minLength: 1,
  maxLength: 20,
  'x-trim': false,
  description:
    'Exactly six digits, in Latin or Arabic digits. A simple one (`111111`, `123456`, `112233`) is refused with `pin_simple`.',
})

export const CounterDevice = closed('A browser that is a counter of the shop.', {
  id: id('Identifier of the counter.'),
  name: text('What the shop calls it.'),
  made_by: text('The owner who made it.'),
  created_at: timestamp('When it was made.'),
  last_used_at: timestamp('When it was last used, to the minute.'),
  address: text('From where it was last used.'),
  browser: text('Such as `Chrome`; `""` if unknown.'),
  system: text('Such as `Android`; `""` if unknown.'),
  agent: text('The whole User-Agent of the browser.'),
  idle_minutes: whole('After so many minutes without a touch it is locked.'),
  cashier: orNull(Type.String(), 'Who is at it now; null: it is locked.'),
  paused_until: orNull(timestamp('Until then no PIN is checked there.')),
  wrong_pins: whole('Wrong PINs there that no right one of the same cashier followed.'),
})
export type CounterDevice = Static<typeof CounterDevice>

export const CounterHere = closed('What a locked counter shows.', {
  name: text('What the shop calls this counter.'),
  account: text('Name of the account.'),
  cashier: orNull(id('The cashier who is at it.'), 'Null: it is locked.'),
  paused_until: orNull(timestamp('Until then no PIN is checked here.')),
  cashiers: listOf('Everybody who can sign in here.', {
    id: id('Identifier of the member.'),
    name: text('Their name.'),
    paused_until: orNull(timestamp('Until then their PIN is not checked.')),
  }),
  service_time_zone: text('The zone of the times in this answer.'),
})

export const showCounterHere = operation({
  id: 'showCounterHere',
  method: 'GET',
  path: '/counters/here/',
  access: 'open',
  anyOrigin: true,
  summary: 'The counter of this browser, and who can sign in at it',
  description:
    'Needs the cookie of a counter (otherwise 401). Nothing but names: a locked counter shows no money and no counts.',
  answer: CounterHere,
})

export const enterPin = operation({
  id: 'enterPin',
  method: 'POST',
  path: '/counters/here/pin/',
  access: 'open',
  summary: 'Sign in at this counter with a PIN',
  description:
    'Needs the cookie of a counter. The cashier who was there is signed out. A wrong PIN and an unknown cashier get the same answer ' +
    '(`pin_wrong`). The fifth wrong one begins a pause of 1 minute; the next pauses are 5, 15, 60 and 240 minutes. It holds for the ' +
    'cashier at all counters, and for the counter with all cashiers. During a pause every PIN is refused without being checked ' +
    '(429 `pin_paused`, `Retry-After`). An owner can lift it.',
  body: Type.Object({
    cashier: id('Who signs in.'),
    pin: Type.String({ maxLength: 20, 'x-trim': false, description: 'Six digits.' }),
  }),
  example: { cashier: '00000000-0000-4000-8000-000000000000', pin: '000000' },
  refusals: { 400: 'The PIN is wrong (`pin_wrong`).' },
  answer: Me,
  answerHeaders: cookies,
})

export const lockCounter = operation({
  id: 'lockCounter',
  method: 'POST',
  path: '/counters/here/lock/',
  access: 'open',
  summary: 'Lock this counter',
  description: 'Needs the cookie of a counter. The cashier is signed out; a shift goes on.',
  status: 204,
})

export const touchCounter = operation({
  id: 'touchCounter',
  method: 'POST',
  path: '/counters/here/touch/',
  access: 'open',
  summary: 'Say that the cashier is still there',
  description:
    'Needs the cookie of a counter. A counter is locked when nobody has touched it for its `idle_minutes`. Every change counts as a ' +
    'touch; reading does not.',
  status: 204,
})

export const listCounters = operation({
  id: 'listCounters',
  method: 'GET',
  path: '/counters/',
  access: 'members.read',
  summary: 'The counters of the account',
  description: 'An account has at most 50.',
  answer: Type.Array(CounterDevice),
})

export const openCounter = operation({
  id: 'openCounter',
  method: 'POST',
  path: '/counters/',
  access: 'members.write',
  proof: 'always',
  summary: 'Make this browser a counter',
  description:
    'Answers with the cookie of the counter and ends the session of this call: nobody at the counter is an owner. Only for a browser ' +
    '(`counter_browser_only`). The counter lasts until it is ended, for 90 days without use, or until the owner who made it is ' +
    'removed, is no longer an owner or changes their password or second factor.',
  body: Type.Object({
    name: counterName,
    idle_minutes: Type.Optional(idleMinutes('After so many minutes without a touch it is locked; left out: 10.')),
  }),
  example: { name: 'Front till' },
  status: 201,
  answer: CounterDevice,
  answerHeaders: cookies,
})

export const changeCounter = operation({
  id: 'changeCounter',
  method: 'PATCH',
  path: '/counters/{id}/',
  access: 'members.write',
  summary: 'Rename a counter, or change when it is locked',
  body: Type.Object({
    name: Type.Optional(counterName),
    idle_minutes: Type.Optional(idleMinutes('After so many minutes without a touch it is locked.')),
  }),
  example: { name: 'Back till' },
  answer: CounterDevice,
})

export const endCounter = operation({
  id: 'endCounter',
  method: 'DELETE',
  path: '/counters/{id}/',
  access: 'members.write',
  summary: 'End a counter',
  description: 'At once, on all nodes: its next call is refused, and its open streams end.',
  status: 204,
})

export const liftCounterPause = operation({
  id: 'liftCounterPause',
  method: 'POST',
  path: '/counters/{id}/lift/',
  access: 'members.write',
  summary: 'Lift the pause of a counter',
  answer: CounterDevice,
})

export const addCashier = operation({
  id: 'addCashier',
  method: 'POST',
  path: '/cashiers/',
  access: 'members.write',
  proof: 'always',
  summary: 'Add a cashier without an email address',
  description:
    'A member with a name and a PIN alone, whose role is always `cashier`. They sign in at the counters of this account and nowhere ' +
    'else. Two of them cannot have the same name (`cashier_name_taken`). Removed as any member (`DELETE /members/{id}/`).',
  body: Type.Object({ name: memberName, pin }),
  example: { name: 'Amal', pin: '482915' },
  status: 201,
  answer: Member,
})

export const renameCashier = operation({
  id: 'renameCashier',
  method: 'PATCH',
  path: '/cashiers/{id}/',
  access: 'members.write',
  summary: 'Rename a cashier without an email address',
  description: 'A member with an address chooses their own name (`cashier_has_address`).',
  body: Type.Object({ name: memberName }),
  example: { name: 'Amal Saleh' },
  answer: Member,
})

export const setPin = operation({
  id: 'setPin',
  method: 'PUT',
  path: '/cashiers/{id}/pin/',
  access: 'members.write',
  proof: 'always',
  summary: 'Give a member a PIN, or another one',
  description:
    'For every member who may take money (not for a viewer: `pin_not_for_role`). At a counter they act as a cashier, whatever their ' +
    'role is. Ends a pause, and signs them out of the counters where they are.',
  body: Type.Object({ pin }),
  example: { pin: '482915' },
  answer: Member,
})

export const removePin = operation({
  id: 'removePin',
  method: 'DELETE',
  path: '/cashiers/{id}/pin/',
  access: 'members.write',
  summary: 'Take the PIN of a member away',
  description: 'A cashier without an email address has nothing else: remove the member instead (`pin_needed`).',
  status: 204,
})

export const liftPinPause = operation({
  id: 'liftPinPause',
  method: 'POST',
  path: '/cashiers/{id}/lift/',
  access: 'members.write',
  summary: 'Lift the pause of a member’s PIN',
  answer: Member,
})

export const tillOperations = operation.described
