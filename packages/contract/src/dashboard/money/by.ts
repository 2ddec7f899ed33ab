/** Who did something: a program, a member, a buyer, or the service itself. */

import type { Static } from 'typebox'
import { oneOf } from '../../scalars.ts'
import { closed, text } from '../../schema.ts'

export const By = closed('Who did it.', {
  kind: oneOf(
    ['key', 'person', 'buyer', 'clock', 'alert', 'reference', 'amount'],
    '`key`: a program with an API key. `person`: a member. `buyer`: the buyer, on the checkout page. `clock`: the window ' +
      'closed. `alert`, `reference`: the service, when the alert or the reference came second. `amount`: the service, ' +
      'because an alert without a reference had its unique amount.',
  ),
  name: text('The name of the key or of the member; `""` for the others.'),
})
export type By = Static<typeof By>
