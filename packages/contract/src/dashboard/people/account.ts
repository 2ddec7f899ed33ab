/** The account that the user acts for: its name, its time zone, and how much of its quota is used. */
import { type Static, Type } from 'typebox'
import { operation } from '../../operation.ts'
import { id, timestamp } from '../../scalars.ts'

export const QuotaUse = Type.Object(
  {
    monthly: Type.Union([Type.Integer(), Type.Null()], {
      description: 'How many intents may be made per calendar month; null: no limit.',
    }),
    used: Type.Integer({ description: 'How many were made this month. Those of the testing wallet do not count.' }),
    month_from: timestamp('When this month began, in the zone of the service.'),
  },
  { additionalProperties: false, description: 'The quota, which the operator sets, and what is used of it.' },
)

export const Account = Type.Object(
  {
    id: id('Identifier of the account.'),
    name: Type.String({ description: 'Name of the account.' }),
    time_zone: Type.String({ description: 'The zone in which its days begin, such as `Asia/Aden`.' }),
    own_time_zone: Type.Boolean({ description: 'False: it is that of the service, because none was chosen.' }),
    country: Type.String({ description: 'Two letters (ISO 3166-1): its wallet companies are listed first.' }),
    created_at: timestamp('When it was made.'),
    quota: QuotaUse,
  },
  { additionalProperties: false, description: 'An account and its settings.' },
)
export type Account = Static<typeof Account>

/** Names are written into emails. A line break or a link in a name would let its owner add content to the email. */
export const accountName = Type.String({
  format: 'account-name',
  minLength: 1,
  maxLength: 200,
  description: 'What to call it: one line, without a link.',
})
export const timeZone = (description: string) => Type.String({ format: 'time-zone', maxLength: 64, description })

export const AccountChanges = Type.Object(
  {
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
  },
  { description: 'What to change; what is left out stays.' },
)

const tag = 'Account'

export const showAccount = operation({
  id: 'showAccount',
  method: 'GET',
  path: '/account/',
  access: 'account.read',
  tag,
  summary: 'The account you act for, and what is used of its quota',
  status: 200,
  answer: Account,
})

export const changeAccount = operation({
  id: 'changeAccount',
  method: 'PATCH',
  path: '/account/',
  access: 'account.write',
  tag,
  summary: 'Change its name, its time zone or its country',
  body: AccountChanges,
  example: { name: 'Corner shop' },
  status: 200,
  answer: Account,
})

export const accountOperations = [showAccount, changeAccount]
