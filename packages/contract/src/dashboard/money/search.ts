/** One search over intents and money: an order, a code, a reference, an amount, a payer. */
import { type Static, Type } from 'typebox'
import { operation } from '../../operation.ts'
import { id } from '../../scalars.ts'
import { closed, flag } from '../../schema.ts'
import { Alert } from './alert.ts'
import { ListedIntent } from './intents.ts'
import { HandedOver } from './sales.ts'

export const Found = closed({
  intents: Type.Array(ListedIntent, { maxItems: 20, description: 'Newest first, at most 20.' }),
  alerts: Type.Array(Alert, {
    maxItems: 20,
    description:
      'Money that was seen, whatever became of it, newest first, at most 20; also the money that resolved an intent found ' +
      'here. Duplicates are left out.',
  }),
  handed_over: Type.Array(
    closed('The mark of one intent.', { intent: id('The paid intent.'), ...HandedOver.properties }),
    { maxItems: 40, description: 'Which of the intents here were handed over, in no order.' },
  ),
  more: flag('There are more results than are shown, or not everything was searched.'),
})
export type Found = Static<typeof Found>

export const search = operation({
  id: 'search',
  method: 'GET',
  path: '/search/',
  access: 'unmatched.read',
  tag: 'Intents',
  summary: 'Find an order, a code, a reference, an amount or a payer in intents and in money',
  query: {
    q: {
      description:
        'What to look for, 2 to 128 characters. An amount is found as such; a reference or a phone number also by its last ' +
        'four digits or more.',
      schema: Type.String(),
    },
  },
  answer: Found,
})

export const searchOperations = [search]
