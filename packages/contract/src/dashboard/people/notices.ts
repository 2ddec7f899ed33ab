/** Notices: to owners, of phones that can report now, changed webhook addresses, new keys, owners and senders, failing endpoints,
 *  bookings that fall short; and to every user, of what concerns their own sign-in and membership. */
import { type Static, Type } from 'typebox'
import { withDefault } from '../../body.ts'
import { factorChanges, memberRoles, noticeKinds, noticeObjects } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { flagField } from '../../query.ts'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { closed, flag, text, whole } from '../../schema.ts'
import { pageOf, pageQuery } from '../page.ts'

const optionalText = (description: string) => Type.Optional(text(description))
const optionalCount = (description: string) => Type.Optional(whole(description))
const optionalFlag = (description: string) => Type.Optional(flag(description))

export const Notice = closed('Something that you should know of. Kept for 90 days.', {
  id: id('Identifier of the notice.'),
  kind: oneOf(noticeKinds, 'What happened.'),
  at: timestamp('When.'),
  object: closed({
    kind: oneOf(noticeObjects, 'What kind of thing it happened to.'),
    id: text('Which one. It may be gone by now.'),
  }),
  by: text('Who did it, or made the pairing code. `""`: the service found it out itself.'),
  facts: closed('Only the facts that belong to the kind.', {
    name: optionalText('The name of the phone, the key or the template, or the address of the member, as it was then.'),
    again: optionalFlag('The phone had been paired before.'),
    model: optionalText('The model, as the phone reports it.'),
    app: optionalText('The forwarding app.'),
    senders: optionalText('Whose messages the template reads, or would count: as many names as fit.'),
    more_senders: optionalCount('How many senders are not named here.'),
    packages: optionalText('The apps whose notifications would count: as many names as fit.'),
    more_packages: optionalCount('How many apps are not named here.'),
    reasons: optionalText('What a manager asks an owner to confirm: codes of an approval, with commas.'),
    signs: optionalFlag('Whether the app must sign.'),
    from: optionalText('The address that the endpoint had, without parts that may be a password.'),
    to: optionalText('The address that the endpoint has, without parts that may be a password.'),
    phones: optionalCount('How many phones must be paired again, or their apps given access again.'),
    endpoints: optionalCount('How many endpoints have a new secret that nobody knows: rotate it.'),
    second_factors: optionalCount('How many members have no second factor any more.'),
    pins: optionalCount('How many members need a new PIN for the counter.'),
    payment: optionalText('The payment code of the intent.'),
    order: optionalText('The order that was booked short; left out: it has no number.'),
    asked_amount: optionalText('What was asked for the order.'),
    arrived_amount: optionalText('What arrived.'),
    forgiven_amount: optionalText('What was asked and did not arrive.'),
    currency: optionalText('The currency of the amounts.'),
    test: optionalFlag('It is test money.'),
    address: optionalText('The network address that it came from.'),
    browser: optionalText('The browser that it came from, as it names itself.'),
    system: optionalText('The system of that browser.'),
    script: optionalFlag('A script got a token; it was no browser.'),
    change: Type.Optional(oneOf(factorChanges, 'What was changed of the second factor.')),
    counter: optionalText('The name of the counter at which PINs were tried.'),
    count: optionalCount('How many wrong sign-ins, or wrong PINs, there were.'),
    more: optionalCount('How often it happened again that day, beside the notices that there are of it.'),
    account: optionalText('The name of the account, in a notice about yourself.'),
    role: Type.Optional(oneOf(memberRoles, 'The role that the member has, or had at last.')),
    role_before: Type.Optional(oneOf(memberRoles, 'The role that the member had before.')),
    on: optionalFlag('Whether it is on now.'),
    due_at: Type.Optional(timestamp('From when on members need a second factor.')),
    failing_since: Type.Optional(timestamp('Since when nothing reached the endpoint.')),
    disables_at: Type.Optional(timestamp('When the endpoint is disabled if that goes on.')),
  }),
  seen: flag('You have marked it as seen. Others mark for themselves.'),
})
export type Notice = Static<typeof Notice>

const operation = operationsOf({ tag: 'Notices', access: 'self' })

export const listNotices = operation({
  id: 'listNotices',
  method: 'GET',
  path: '/notices/',
  summary: 'Notices about yourself, and for an owner those of the account, the newest first',
  query: {
    unseen: {
      description: '`1`: only those that you have not marked as seen.',
      schema: flagField(),
      published: Type.String(),
    },
    ...pageQuery('uuid'),
  },
  answer: pageOf(Notice, 'Notices, the newest first.'),
})

export const markNoticeSeen = operation({
  id: 'markNoticeSeen',
  method: 'POST',
  path: '/notices/{id}/seen/',
  summary: 'Mark a notice as seen, for yourself',
  body: Type.Object({
    older: withDefault(flag('Whether all older notices are marked as well.'), false),
  }),
  answer: Notice,
})

export const noticeOperations = operation.described
