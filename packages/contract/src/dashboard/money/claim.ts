/** A claim: a reference that was refused to an intent because another intent has it, or its money. */

import type { Static } from 'typebox'
import { claimStates, intentStatuses } from '../../kinds.ts'
import { amount, id, oneOf, timestamp } from '../../scalars.ts'
import { closed, orNull, text } from '../../schema.ts'
import { By } from './by.ts'

export const ClaimParty = closed('An intent that claims a reference or has it.', {
  id: id('Identifier of the intent.'),
  code: text('Its payment code.'),
  external_order_id: text('The order it is for; `""` if none was given.'),
  status: oneOf([...intentStatuses], 'Its status.'),
  payable_amount: amount('What the buyer has to pay.'),
  currency: text('In which currency.'),
  created_at: timestamp('When it was made.'),
})
export type ClaimParty = Static<typeof ClaimParty>

export const Claim = closed(
  'Two orders claim one reference: it was refused to the claimer, because the holder had it first. Only claims of a ' +
    '`PENDING` claimer are shown, until it gets a reference.',
  {
    reference: text('The reference, as it was typed for the claimer.'),
    claimed_at: timestamp('When it was refused to the claimer, the last time.'),
    by: By,
    claimer: ClaimParty,
    holder: orNull(
      ClaimParty,
      'The intent that has the reference, or that its money verified. Null: no intent any more.',
    ),
    state: oneOf(
      [...claimStates],
      '`held`: the holder is PENDING; a manager may move the reference to the claimer (`take-reference`). `paid`: the money has ' +
        'verified the holder. `free`: no intent has the reference; the claimer can get it as any other reference.',
    ),
  },
)
export type Claim = Static<typeof Claim>
