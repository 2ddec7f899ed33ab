/** What arrived for an intent, and how that differs from what was asked. */
import { type Static, Type } from 'typebox'
import { amount, signedAmount } from '../../scalars.ts'
import { orNull } from '../../schema.ts'

const arrived = (description: string) => orNull(amount(description), `${description} Null: it is not \`VERIFIED\`.`)

/** Fields of an intent in the dashboard. The addition of a unique amount is neither forgiven nor in excess. */
export const arrivalFields = {
  arrived_amount: arrived('What arrived, as the alert says.'),
  forgiven_amount: arrived('What was asked for the order and did not arrive: a member booked or accepted less.'),
  excess_amount: arrived('What arrived beyond what was asked.'),
}

const ArrivalFields = Type.Object(arrivalFields)
export type ArrivalFields = Static<typeof ArrivalFields>

/** The same as sums over several intents. */
export const arrivalSums = {
  arrived_amount: signedAmount('What arrived.'),
  forgiven_amount: signedAmount('What was asked and did not arrive.'),
}
