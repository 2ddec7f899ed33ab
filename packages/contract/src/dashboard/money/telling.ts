/** How the merchant's server is told of an intent: the delivery of its event. */
import { Type } from 'typebox'
import { deliveryStates } from '../../kinds.ts'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { closed, orNull, text } from '../../schema.ts'

export const TellingOf = closed('The delivery to the merchant’s server.', {
  event: id('The event.'),
  kind: text('Such as `payment.verified`.'),
  delivery: orNull(id('Its delivery.'), 'Null: it is sent to no endpoint.'),
  endpoint: orNull(id('To which endpoint.')),
  endpoint_name: orNull(Type.String(), 'The address of the endpoint; long parts of its path are cut.'),
  state: oneOf(
    ['nobody', ...deliveryStates],
    '`nobody`: no endpoint subscribes to it. `retrying`: an attempt failed, the next one is planned.',
  ),
  attempts: Type.Integer({ minimum: 0 }),
  next_attempt_at: orNull(timestamp('When it is tried next.')),
})
