/** The limits of managers and cashiers, which an owner sets. */
import { type Static, Type } from 'typebox'
import { sentAmount } from '../../body.ts'
import { operationsOf } from '../../operation.ts'
import { amount, collectedCurrency } from '../../scalars.ts'
import { body, closed, flag, orNull } from '../../schema.ts'

const orNone = (description: string) => orNull(amount(description), description)

const amounts = {
  short_amount: orNone('How far a booking may fall short of its order; null: as far as they like.'),
  booked_amount: orNone('How much they may book by hand, or take as a sale, in one step; null: any amount.'),
}

const flags = {
  cancel: flag('Whether they may cancel intents and checkouts.'),
  take_sales: flag('Whether they may take walk-in money as a sale.'),
  other_days: flag(
    'Whether they see payments, lists, sums, shifts and files of other days than today, in the time zone of the account.',
  ),
}

export const Limits = closed('The limits of the roles. Owners have none.', {
  currency: collectedCurrency(),
  manager: closed('What managers may do without asking.', amounts),
  cashier: closed('What cashiers may do without asking.', { ...amounts, ...flags }),
})
export type Limits = Static<typeof Limits>

const sentOrNone = (description: string) => Type.Optional(orNull(sentAmount(description)))
const sentAmounts = {
  short_amount: sentOrNone('How far a booking may fall short of its order; null: as far as they like.'),
  booked_amount: sentOrNone('How much they may book in one step; null: any amount.'),
}

export const LimitChanges = body('What to change; what is left out stays.', {
  manager: Type.Optional(Type.Object(sentAmounts)),
  cashier: Type.Optional(
    Type.Object({
      ...sentAmounts,
      cancel: Type.Optional(flags.cancel),
      take_sales: Type.Optional(flags.take_sales),
      other_days: Type.Optional(flags.other_days),
    }),
  ),
})

const operation = operationsOf({ tag: 'Limits' })

export const showLimits = operation({
  id: 'showLimits',
  method: 'GET',
  path: '/limits/',
  access: 'account.read',
  summary: 'The limits of managers and cashiers',
  answer: Limits,
})

export const changeLimits = operation({
  id: 'changeLimits',
  method: 'PATCH',
  path: '/limits/',
  access: 'limits.write',
  proof: 'depends',
  summary: 'Change the limits of managers and cashiers',
  description:
    'They hold at once for every act that begins afterwards. A change that raises or removes a limit needs a proof of the person.',
  body: LimitChanges,
  example: { cashier: { take_sales: false } },
  answer: Limits,
})

export const limitOperations = operation.described
