/** The main path of the merchant API: create an intent, retrieve it, attach a reference, let it expire. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService()
const { ask, create, demo, clock } = service

test('the whole intent is answered, unset values in their fixed form', async () => {
  const answer = await create({ external_order_id: ' order-1 ', notes: 'two boxes' })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers['content-type'], 'application/json')
  const { id, code, wallet, provider, ...rest } = answer.body
  assert.equal(answer.headers.location, `${service.base}/intents/${id}/`)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{10}$/)
  assert.deepEqual(rest, {
    external_order_id: 'order-1',
    reference: '',
    status: 'PENDING',
    base_amount: '1500.00',
    payable_amount: '1500.00',
    paid_amount: null,
    currency: 'YER',
    items: [],
    notes: 'two boxes',
    expires_at: '2026-01-02T07:04:05.678000+03:00',
    created_at: '2026-01-02T06:04:05.678000+03:00',
    verified_at: null,
    manual_override: false,
    collected_manually: false,
    matched_event: null,
    device: null,
    subscription: null,
  })
  assert.deepEqual(Object.keys(wallet), ['id', 'name', 'sender_name', 'is_test', 'sim_slot', 'account_number'])
  assert.equal(wallet.sim_slot, 'SIM1')
  assert.deepEqual(Object.keys(provider), ['id', 'name', 'display_name', 'theme_color', 'logo_url', 'provider_status'])
  const read = await ask('GET', `/intents/${id}/`)
  assert.equal(read.status, 200)
  assert.equal(read.text, answer.text)
})

test('a reference is attached trimmed; the same again changes nothing, another replaces it', async () => {
  const { body: intent } = await create()
  const first = await ask('PATCH', `/intents/${intent.id}/`, { body: { reference: '  ref-41 ' } })
  assert.equal(first.status, 200)
  assert.deepEqual(first.body, { ...intent, reference: 'ref-41' })
  assert.equal((await ask('PATCH', `/intents/${intent.id}/`, { body: { reference: 'ref-41' } })).text, first.text)
  const other = await ask('PATCH', `/intents/${intent.id}/`, { body: { reference: 'ref-41b' } })
  assert.equal(other.body.reference, 'ref-41b')
  const moves = await service.sql('select kind, facts from intent_moves where intent_id = $1 order by id', [intent.id])
  assert.deepEqual(moves, [
    ['reference', '{"reference" : "ref-41"}'],
    ['reference', '{"reference" : "ref-41b"}'],
  ])
})

test('a reference held by another pending intent of the wallet is refused, in any spelling', async () => {
  const [first, second] = [(await create()).body, (await create()).body]
  await ask('PATCH', `/intents/${first.id}/`, { body: { reference: 'AB 12' } })
  const refused = await ask('PATCH', `/intents/${second.id}/`, { body: { reference: 'ab\u0661\u0662' } })
  assert.equal(refused.status, 400)
  assert.deepEqual(errorsOf(refused), ['reference_already_used@reference'])
  const elsewhere = (await create({ wallet: demo.wallets.second })).body
  assert.equal((await ask('PATCH', `/intents/${elsewhere.id}/`, { body: { reference: 'AB12' } })).status, 200)
})

test('the reference of an expired intent is free at the instant of expiry, before the background loop runs', async () => {
  const old = (await create()).body
  await ask('PATCH', `/intents/${old.id}/`, { body: { reference: 'left-behind' } })
  clock.advance(3_600_000 - 1)
  assert.equal((await ask('GET', `/intents/${old.id}/`)).body.status, 'PENDING')
  clock.advance(1)
  assert.equal((await ask('GET', `/intents/${old.id}/`)).body.status, 'EXPIRED')
  const fresh = (await create()).body
  assert.equal((await ask('PATCH', `/intents/${fresh.id}/`, { body: { reference: 'left-behind' } })).status, 200)
  const late = await ask('PATCH', `/intents/${old.id}/`, { body: { reference: 'too-late' } })
  assert.equal(late.status, 400)
  assert.deepEqual(errorsOf(late), ['intent_not_pending@reference'])
})
