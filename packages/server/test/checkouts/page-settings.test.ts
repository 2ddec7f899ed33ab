/** What members set for the account's checkout pages: who may, what is refused, and what buyers see of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsOf } from '../support/story.ts'
import { createMembers } from '../support/users.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { made, open } = service
const all = await createMembers(service)
const path = '/account/checkout-page/'
const nothing = { shop_name: '', color: '', whatsapp: '', phone: '', frame_origins: [] }

test('buyers see the name, the colour and the contact of the shop', async () => {
  assert.deepEqual((await all.viewer.ask('GET', path)).body, nothing)
  const { page } = await made({ external_order_id: 'A-1042' })
  assert.match(textOf((await open(page)).text), /^Demo shop/)
  const contact = { whatsapp: '967770000000', phone: '+967770000001' }
  const body = { shop_name: 'متجر الركن', color: '#ab12cd', ...contact, frame_origins: [] }
  const changed = await all.manager.ask('PATCH', path, { body })
  assert.deepEqual([changed.status, changed.body], [200, { ...body, color: '#AB12CD' }])
  const shown = await open(page)
  assert.match(textOf(shown.text), /^متجر الركن.*Message the shop on WhatsApp.*Call the shop \+967770000001/)
  assert.ok(shown.text.includes('href="https://wa.me/967770000000?text=A-1042"'))
  assert.ok(shown.text.includes('fill="#AB12CD"'))
  assert.deepEqual((await all.owner.ask('PATCH', path, { body: { phone: '' } })).body, { ...changed.body, phone: '' })
  const log = (await all.owner.ask('GET', '/audit/')).body.results as { action: string; after: object }[]
  assert.equal(log.filter((one) => one.action === 'account.checkout_page').length, 2)
})

test('cashiers and viewers change nothing, and bad values are refused', async () => {
  const before = (await all.viewer.ask('GET', path)).body
  for (const who of [all.cashier, all.viewer])
    assert.equal((await who.ask('PATCH', path, { body: { shop_name: 'x' } })).status, 403)
  const cases: readonly (readonly [unknown, string[]])[] = [
    [{ shop_name: 'x'.repeat(101) }, ['max_length@shop_name']],
    [{ shop_name: 'a\nb' }, ['invalid@shop_name']],
    [{ color: 'red' }, ['invalid@color']],
    [{ color: '#12345"' }, ['invalid@color']],
    [{ whatsapp: '+967770000000' }, ['invalid@whatsapp']],
    [{ whatsapp: '967?text=x' }, ['invalid@whatsapp']],
    [{ phone: 'javascript:1', color: null }, ['invalid@phone', 'null@color']],
  ]
  for (const [body, errors] of cases) {
    const answer = await all.owner.ask('PATCH', path, { body })
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.deepEqual(errorsOf(answer).sort(), [...errors].sort(), JSON.stringify(body))
  }
  assert.deepEqual((await all.viewer.ask('GET', path)).body, before)
})
