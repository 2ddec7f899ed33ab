/** A booking of 200 to an order of 4,200 in a real browser: every screen shows 200 as received and 4,000 as forgiven. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { purchaseText } from '../../../server/test/support/sms-texts.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { desktop, eventually, expectGood, phone as narrow, openDashboard } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { demo, clock } = service
const staff = await createMembers(service)
const phone = phoneOf(service.origin, clock.now, demo.device)

let reports = 0
const report = async (amount: string, reference: string): Promise<void> => {
  const received_at = new Date(clock.now()).toISOString()
  const text = purchaseText(amount, reference, 'علي المثال')
  const common = { kind: 'sms', sender: 'Jawali', sim_slot: 'SIM1', received_at }
  const answer = await phone.alerts([{ client_id: `arrived-${++reports}`, ...common, text }])
  assert.equal(answer.status, 200, answer.text)
}

const { body: endpoint } = await staff.owner.ask('POST', '/webhooks/', {
  body: { url: 'http://127.0.0.1:9/', kinds: ['payment.verified'] },
})
const { body: exact } = await service.create({ amount: '1500.00', external_order_id: 'EXACT' })
await service.ask('PATCH', `/intents/${exact.id}/`, { body: { reference: '830000000001' } })
await report('1500.00', '830000000001')
const { body: short } = await service.create({ amount: '4200.00', external_order_id: 'SHORT-7' })
await report('200.00', '830000000002')
const [alert] = (await service.sql(`select id from alerts where reference = '830000000002'`))[0]!
const booked = await staff.cashier.ask('POST', `/unmatched/${alert}/book/`, {
  body: { intent: short.id, alert_amount: '200.00', intent_amount: '4200.00' },
})
assert.equal(booked.status, 200, booked.text)
clock.advance(60_000)

const plain = async (page: Page): Promise<string> =>
  (await page.innerText('main')).replaceAll(/[\u2066-\u2069]/g, '').replaceAll(/\s+/g, ' ')

/** What each screen says, and what it may not say: that 4,200 (or 5,700 with the other order) was received. */
const screens = {
  today: { path: '/', says: ['1,700.00', '4,000.00', 'SHORT-7'], never: ['5,700.00'] },
  counter: { path: '/counter', says: ['200', '1,500', '4,000.00'], never: ['5,700.00'] },
  'counter card': { path: '/counter?q=SHORT-7', says: ['200', '4,200.00', '4,000.00'], never: [] },
  intent: { path: `/intents/${short.id}`, says: ['200.00', '4,200.00', '4,000.00'], never: [] },
  intents: { path: '/intents', says: ['200.00', '4,000.00', '1,500.00'], never: [] },
  'day close': { path: '/day-close', says: ['1,700.00', '4,000.00'], never: ['5,700.00'] },
  search: { path: '/search?q=SHORT-7', says: ['200.00', '4,000.00'], never: [] },
  alert: { path: `/unmatched/${alert}`, says: ['200.00', '4,000.00'], never: [] },
  'webhook log': { path: `/webhooks/${endpoint.webhook.id}`, says: ['200.00', '4,000.00'], never: [] },
} as const

for (const language of ['ar', 'en'] as const)
  for (const width of [narrow.width, desktop.width]) {
    test(`91: every screen shows what arrived and what was forgiven, ${language}, ${width} pixels wide`, async () => {
      const page = await openAs(staff.owner, { language, width, scheme: 'light' })
      for (const [name, { path, says, never }] of Object.entries(screens)) {
        await visit(page, path)
        await eventually(async () => {
          const text = await plain(page)
          for (const part of says) assert.ok(text.includes(part), `${name}: ${part} in ${text}`)
          for (const part of never) assert.ok(!text.includes(part), `${name}: ${part} in ${text}`)
        })
        if (name === 'intent') assert.match(await page.innerText('main [data-amount]'), /200\.00/)
        await expectGood(page, name)
      }
    })
  }
