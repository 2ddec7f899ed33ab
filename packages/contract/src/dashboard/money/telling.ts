/** How the merchant's server is told of an intent: the delivery of its event. */
import { type Static, Type } from 'typebox'
import { deliveryStates } from '../../kinds.ts'
import { id, oneOf, timestamp } from '../../scalars.ts'

export const TellingOf = Type.Object(
  {
    event: id('The event.'),
    kind: Type.String({ description: 'Such as `payment.verified`.' }),
    delivery: Type.Union([id('Its delivery.'), Type.Null()], { description: 'Null: it is sent to no endpoint.' }),
    endpoint: Type.Union([id('To which endpoint.'), Type.Null()]),
    endpoint_name: Type.Union([Type.String(), Type.Null()], {
      description: 'The address of the endpoint; long parts of its path are cut.',
    }),
    state: oneOf(
      ['nobody', ...deliveryStates],
      '`nobody`: no endpoint subscribes to it. `retrying`: an attempt failed, the next one is planned.',
    ),
    attempts: Type.Integer({ minimum: 0 }),
    next_attempt_at: Type.Union([timestamp('When it is tried next.'), Type.Null()]),
  },
  { additionalProperties: false, description: 'The delivery to the merchant’s server.' },
)
export type TellingOf = Static<typeof TellingOf>
