/**
 * Wrong requests of the merchant, checkout and developer APIs: the body and status of each answer are what they were before
 * there were hints, and the headers say how to repair the request.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createKey, revokeKey } from '../../src/accounts/keys/key-secrets.ts'
import { openTokens } from '../../src/accounts/sessions/token.ts'
import { builtDashboard } from '../../src/built-dashboard.ts'
import type { AccountId, ClientId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { dashboardPages } from '../../src/http/app/dashboard-pages.ts'
import { askAt, openTestService } from '../support/story.ts'
import { type Material, type WrongRequest, wrongRequests } from './wrong-requests.ts'

const recorded = join(import.meta.dirname, '../fixtures/wrong-requests.json')
// With the dashboard's page, which has a route for every path that has no other.
const pages = await builtDashboard(() => {})
const service = await openTestService(
  { SANAD_LIMITS: 'off' },
  { more: async (app) => void (await app.register(dashboardPages(pages))) },
)
const { ask, clock, create, db, demo, origin } = service
const accountId = (
  await service.sql('select account_id from wallets where id = $1', [demo.wallets.main])
)[0]![0] as AccountId

const material = async (): Promise<Material> => {
  const tokens = openTokens(service.masterKey)
  const bearer = { typ: 'client', sub: demo.client_id as ClientId, acc: accountId, generation: 1 } as const
  const revoked = await createKey(db, accountId, 'To be revoked', clock.now())
  const revokedKey = { client_id: revoked.clientId as string, client_secret: revoked.clientSecret }
  const revokedToken = await service.tokenFor(revokedKey.client_id, revokedKey.client_secret)
  await revokeKey(db, wholeAccount(accountId), revoked.clientId, clock.now())
  const idempotencyKey = 'wrong-requests-1'
  const first = (await create({ external_order_id: 'A-1001' }, { 'service-idempotency-key': idempotencyKey })).body
  const holder = (await create({ amount: '1501.00' })).body
  const reference = 'HELD-1'
  assert.equal((await ask('PATCH', `/intents/${holder.id}/`, { body: { reference } })).status, 200)
  const cancelled = (await create({ amount: '1502.00' })).body
  await service.sql(`update intents set status = 'CANCELLED' where id = $1`, [cancelled.id])
  clock.advance(2_000)
  return {
    clientId: demo.client_id,
    secret: demo.client_secret,
    token: service.token,
    userToken: demo.dashboard.user_token,
    expiredToken: await tokens.issue(bearer, 60, clock.now() - 7_200_000),
    foreignToken: await openTokens(Buffer.alloc(32, 7)).issue(bearer, 3600, clock.now()),
    revokedToken,
    revokedKey,
    wallet: demo.wallets.main,
    offWallet: demo.wallets.off,
    intent: first.id,
    code: first.code,
    cancelled: cancelled.id,
    reference,
    unknownId: '00000000-0000-4000-8000-000000000001',
    idempotencyKey,
  }
}

const m = await material()
const requests = wrongRequests(m)
/** Ids and secrets of this run are replaced by their names. */
const withNames = (text: string): string => {
  let named = text
  for (const [name, value] of Object.entries(m))
    if (typeof value === 'string') named = named.replaceAll(value, `<${name}>`)
  return named
}

type Recorded = { readonly status: number; readonly body: string; readonly hint?: string; readonly ignored?: string }
const expected: Readonly<Record<string, Recorded>> = JSON.parse(readFileSync(recorded, 'utf8'))

const outcomeOf = async (wrong: WrongRequest): Promise<Recorded> => {
  const { method, path, token = m.token, headers, body } = wrong
  const answer = await askAt(`${origin}${path}`, method, {
    token,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  })
  const { 'x-service-hint': hint, 'x-service-ignored': ignored } = answer.headers
  return {
    status: answer.status,
    body: answer.status < 300 ? '' : withNames(answer.text),
    ...(hint === undefined ? {} : { hint: String(hint) }),
    ...(ignored === undefined ? {} : { ignored: String(ignored) }),
  }
}

test('every wrong request is recorded once', () => {
  assert.deepEqual(requests.map(({ name }) => withNames(name)).sort(), Object.keys(expected).sort())
})

for (const wrong of requests)
  test(`${withNames(wrong.name)}: the body is the dialect's, the hint says what to repair`, async () => {
    assert.deepEqual(await outcomeOf(wrong), expected[withNames(wrong.name)])
  })
