/** The bodies for creating and changing an endpoint, rotating its secret and replaying events to it. */
import { Type } from 'typebox'
import { sentHeaders, sentInstant, withDefault } from '../../body.ts'
import { id } from '../../scalars.ts'
import { flag, orNull } from '../../schema.ts'
import { EventKind } from '../event-kind.ts'

const sentKinds = Type.Array(EventKind, { minItems: 1, maxItems: 30, 'x-distinct': true })

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'https, except to addresses that the operator allows.',
  }),
  wallet: orNull(id('Only events of this wallet.')),
  kinds: sentKinds,
  headers: sentHeaders('Headers to send along; in a change, null removes a header.'),
  enabled: Type.Boolean(),
}

export const NewWebhook = Type.Object({
  url: fields.url,
  wallet: Type.Optional(fields.wallet),
  // The other kinds, such as unmatched money, are opt-in.
  kinds: withDefault(fields.kinds, ['payment.verified', 'payment.received']),
  headers: Type.Optional(fields.headers),
  enabled: withDefault(fields.enabled, true),
})

export const WebhookChanges = Type.Partial(Type.Object(fields))

/** How long the previous secret also signs. The bounds are settings of the service; these are their defaults. */
export const webhookRotation = ({ most_s = 604_800, default_s = 86_400 } = {}) =>
  Type.Object({
    overlap_s: withDefault(
      Type.Integer({ minimum: 0, maximum: most_s, description: '24 hours when left out.' }),
      default_s,
    ),
  })

export const ReplayRange = Type.Object({
  from: sentInstant('From when; at most 30 days ago. Without an offset: in the zone of the account.'),
  until: Type.Optional(sentInstant('To when; left out: now. Without an offset: in the zone of the account.')),
  kinds: Type.Optional(sentKinds),
  only_undelivered: withDefault(flag('Only events that never arrived.'), false),
})
