/**
 * A secret is in the answer that creates it and nowhere else: every kind of secret is made, then every answer that can be
 * read, the log and the audit log are searched for it, as it is and as it is written in a URL or in JSON.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '@sanad/contract/dashboard/operation'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import { people, somebody } from './people.ts'
import { type Answer, openHouse } from './story.ts'

const house = await openHouse({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const all = await people(house)
const { owner } = all

/** By the name of the field that shows it. */
const secretFields = new Set([
  'client_secret',
  'secret',
  'code',
  'signing_key',
  'access_token',
  'recovery_codes',
  'uri',
])
const secrets = new Map<string, string>()
const keep = (of: string, value: unknown): void => {
  if (typeof value === 'string' && value.length >= 6) secrets.set(value, of)
  if (Array.isArray(value)) for (const one of value) keep(of, one)
}
const note = (of: string, value: unknown, name = ''): void => {
  if (secretFields.has(name)) keep(`${of} ${name}`, value)
  else if (Array.isArray(value)) for (const one of value) note(of, one)
  else if (typeof value === 'object' && value !== null)
    for (const [field, inside] of Object.entries(value)) note(of, inside, field)
}
const make = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  const answer = await owner.ask(method, path, body === undefined ? {} : { body })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  note(path, answer.body)
  return answer
}

const url = 'http://127.0.0.1:9/hook'
const key = (await make('POST', '/keys/', { name: 'A key' })).body.key.client_id
await make('POST', `/keys/${key}/rotate/`, { overlap_s: 3600 })
const hook = (await make('POST', '/webhooks/', { url, headers: { 'x-shop': 'a-value-that-is-nobody-elses' } })).body
  .webhook.id
keep('a header of their own', 'a-value-that-is-nobody-elses')
await make('POST', `/webhooks/${hook}/rotate/`, {})
const phone = (await make('POST', '/phones/', { name: 'A phone' })).body.phone.id
await make('POST', `/phones/${phone}/pairing/`)
const access = (await make('POST', `/phones/${phone}/ingest/`, { app: 'sms-to-url' })).body
keep('the token of a forwarding app', new URL(access.url).pathname.split('/').at(-1))
await make('POST', '/me/second_factor/', { password: 'a password of a story' })
await make('POST', '/invitations/', { email: 'somebody@sanad.example', role: 'cashier' })
const other = await somebody(house, all.accountId, 'owner')
keep('the token of a session', other.session.token)
keep('the token of a session', owner.session.token)
keep('a password', 'a password of a story')

/** As it stands, escaped in JSON, and in an address. */
const forms = (secret: string): string[] => [
  ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
]
const found = (text: string): string[] =>
  [...secrets].filter(([secret]) => forms(secret).some((form) => text.includes(form))).map(([, of]) => of)

const places: Record<string, string> = { '/keys/': key, '/webhooks/': hook, '/phones/': phone }
const pathOf = ({ path }: Operation): string | undefined => {
  if (!path.includes('{')) return path
  const [, one] = Object.entries(places).find(([beginning]) => path.startsWith(beginning)) ?? []
  return one === undefined || path.replace('{id}', '').includes('{') ? undefined : path.replace('{id}', one)
}

test('the story has secrets of every kind to look for', () => {
  const kinds = new Set([...secrets.values()].map((of) => of.replace(/[0-9a-f-]{32,36}/, '')))
  assert.ok(secrets.size >= 12, [...kinds].join(', '))
})

test('no answer that reads shows one', async () => {
  let asked = 0
  for (const operation of dashboardOperations) {
    const path = pathOf(operation)
    if (operation.method !== 'GET' || operation.id === 'openStream' || path === undefined) continue
    const hand = operation.access === 'operator' ? all.operator : owner
    const answer = await hand.ask('GET', path)
    asked++
    assert.deepEqual(found(answer.text), [], `${operation.id}: ${answer.text}`)
  }
  assert.ok(asked > 25, `${asked} calls`)
})

test('no answer that changes shows one that it did not make', async () => {
  const changes: [string, string, unknown][] = [
    ['PATCH', `/keys/${key}/`, { name: 'Another name' }],
    ['PATCH', `/webhooks/${hook}/`, { enabled: false }],
    ['PATCH', `/phones/${phone}/`, { name: 'Another name' }],
    ['POST', `/keys/${key}/revoke/`, undefined],
    ['DELETE', `/webhooks/${hook}/`, undefined],
  ]
  for (const [method, path, body] of changes) {
    const answer = await owner.ask(method, path, body === undefined ? {} : { body })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    assert.deepEqual(found(answer.text), [], `${method} ${path}: ${answer.text}`)
  }
})

test('none is in the log, in the audit log, or readable in any table', async () => {
  assert.ok(house.lines.length > 20)
  assert.deepEqual(found(house.lines.join('\n')), [])
  const audit = await house.sql('select coalesce(json_agg(a)::text, $1) from audit_log a', [''])
  assert.ok(audit[0]![0]!.length > 500)
  assert.deepEqual(found(audit[0]![0]!), [])
  const tables = await house.sql(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  for (const [table] of tables) {
    const [row] = await house.sql(`select coalesce(json_agg(t)::text, '') from ${table} t`)
    assert.deepEqual(found(row![0]!), [], `table ${table}`)
  }
})
