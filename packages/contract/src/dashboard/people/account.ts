/** The account that the user acts for: its name, its time zone, and how much of its quota is used. */
import { type Static, Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { id, timestamp } from '../../scalars.ts'
import { body, closed, flag, orNull, text, whole } from '../../schema.ts'

export const QuotaUse = closed('The quota, which the operator sets, and what is used of it.', {
  monthly: orNull(Type.Integer(), 'How many intents may be made per calendar month; null: no limit.'),
  used: whole('How many were made this month. Those of the testing wallet do not count.'),
  month_from: timestamp('When this month began, in the zone of the service.'),
})

export const Account = closed('An account and its settings.', {
  id: id('Identifier of the account.'),
  name: text('Name of the account.'),
  time_zone: text('The zone in which its days begin, such as `Asia/Aden`.'),
  own_time_zone: flag('False: it is that of the service, because none was chosen.'),
  country: text('Two letters (ISO 3166-1): its wallet companies are listed first.'),
  created_at: timestamp('When it was made.'),
  quota: QuotaUse,
})
export type Account = Static<typeof Account>

/** Names are written into emails. A line break or a link in a name would let its owner add content to the email. */
export const accountName = Type.String({
  format: 'account-name',
  minLength: 1,
  maxLength: 200,
  description: 'What to call it: one line, without a link.',
})
export const timeZone = (description: string) => Type.String({ format: 'time-zone', maxLength: 64, description })

export const AccountChanges = body('What to change; what is left out stays.', {
  name: Type.Optional(accountName),
  time_zone: Type.Optional(timeZone('An IANA name such as `Asia/Aden`; `""`: that of the service.')),
  country: Type.Optional(
    Type.String({
      format: 'country',
      minLength: 1,
      maxLength: 2,
      'x-upper': true,
      description: 'Two letters, such as `YE`.',
    }),
  ),
})

const operation = operationsOf({ tag: 'Account' })

export const showAccount = operation({
  id: 'showAccount',
  method: 'GET',
  path: '/account/',
  access: 'account.read',
  summary: 'The account you act for, and what is used of its quota',
  answer: Account,
})

export const changeAccount = operation({
  id: 'changeAccount',
  method: 'PATCH',
  path: '/account/',
  access: 'account.write',
  summary: 'Change its name, its time zone or its country',
  body: AccountChanges,
  example: { name: 'Corner shop' },
  answer: Account,
})

export const accountOperations = operation.described
