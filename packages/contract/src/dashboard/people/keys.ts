/** The API keys of merchants' servers. A secret is shown once, to the user who made it. */
import { type Static, Type } from 'typebox'
import { withDefault } from '../../body.ts'
import { operationsOf } from '../../operation.ts'
import { id, timestamp, timestampOrNull } from '../../scalars.ts'
import { closed, flag, orNull, text, whole } from '../../schema.ts'
import { pageOf, pageQuery } from '../page.ts'

export const ApiKey = closed('A key, without its secret.', {
  client_id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Public; names the key.' }),
  name: Type.String(),
  created_at: timestamp('When it was made.'),
  last_used_at: timestampOrNull('When it last got a token or made a call, to the minute.'),
  overlap_until: timestampOrNull('Until when the previous secret also works; null: it does not.'),
  revoked_at: timestampOrNull('Since when it is revoked; null: it works.'),
  test: flag('A test key: it sees and uses the test wallet only. Its id begins with `7e57`.'),
  read_only: flag('Calls that change something are refused.'),
  wallets: orNull(Type.Array(id('A wallet.')), 'The wallets that it sees and uses; null: all.'),
  addresses: orNull(Type.Array(Type.String()), 'The ranges from which it may be used; null: everywhere.'),
  last_address: orNull(Type.String(), 'The address of its last use.'),
  calls_today: whole('Its calls today, by the time zone of the account, up to a minute late.'),
})
export type ApiKey = Static<typeof ApiKey>

export const KeyWithSecret = closed({ key: ApiKey, client_secret: text('Shown this once.') })

const name = Type.String({ format: 'name', minLength: 1, maxLength: 100, description: 'Which server holds it.' })
const limits = {
  read_only: flag('Refuse calls that change something.'),
  wallets: orNull(
    Type.Array(id('One of your wallets.'), { minItems: 1, maxItems: 50, 'x-distinct': true }),
    'The wallets that it sees and uses; null: all, also later ones. Not for a test key.',
  ),
  addresses: orNull(
    Type.Array(Type.String({ format: 'cidr', minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 20 }),
    'The addresses from which it may be used, such as `203.0.113.7` or `203.0.113.0/24`; null: everywhere.',
  ),
}
const operation = operationsOf({ tag: 'API keys' })

/** A key is named by its client id. */
const keyId = { id: { schema: Type.String({ pattern: '^[0-9a-f]{32}$' }), published: Type.String() } }

export const listKeys = operation({
  id: 'listKeys',
  method: 'GET',
  path: '/keys/',
  access: 'keys.read',
  summary: 'All API keys, by name',
  query: pageQuery('text', 'text'),
  answer: pageOf(ApiKey, 'Keys by name, revoked ones too.'),
})

export const createKey = operation({
  id: 'createKey',
  method: 'POST',
  path: '/keys/',
  access: 'keys.write',
  proof: 'always',
  summary: 'A new API key; its secret is shown this once',
  body: Type.Object({
    name,
    test: withDefault(flag('A test key. It stays one.'), false),
    read_only: withDefault(limits.read_only, false),
    wallets: withDefault(limits.wallets, null),
    addresses: withDefault(limits.addresses, null),
  }),
  example: { name: 'Web shop' },
  status: 201,
  answer: KeyWithSecret,
  showsSecret: true,
})

export const changeKey = operation({
  id: 'changeKey',
  method: 'PATCH',
  path: '/keys/{id}/',
  pathParameters: keyId,
  access: 'keys.write',
  proof: 'depends',
  summary: 'Rename a key, or change its limits',
  body: Type.Object({
    name: Type.Optional(name),
    read_only: Type.Optional(limits.read_only),
    wallets: Type.Optional(limits.wallets),
    addresses: Type.Optional(limits.addresses),
  }),
  example: { name: 'Web shop' },
  answer: ApiKey,
})

export const rotateKey = operation({
  id: 'rotateKey',
  method: 'POST',
  path: '/keys/{id}/rotate/',
  pathParameters: keyId,
  access: 'keys.write',
  proof: 'always',
  summary: 'A new secret, shown this once',
  description:
    'The previous secret, and the tokens issued for it, stay valid for `overlap_s` seconds; with 0 they end at once. The ' +
    'secret before the previous one ends in any case.',
  body: Type.Object({
    overlap_s: Type.Integer({ minimum: 0, maximum: 86_400, description: 'Seconds, at most a day.' }),
  }),
  example: { overlap_s: 3600 },
  answer: KeyWithSecret,
  showsSecret: true,
})

export const revokeKey = operation({
  id: 'revokeKey',
  method: 'POST',
  path: '/keys/{id}/revoke/',
  pathParameters: keyId,
  access: 'keys.write',
  summary: 'End a key for good',
  answer: ApiKey,
})

export const keyOperations = operation.described
