/** References that two orders claim, in a real browser: on both orders and in the queue, and the button that moves the number. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { languages } from '../../../server/test/support/runs.ts'
import { purchaseText } from '../../../server/test/support/sms-texts.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import {
  desktop,
  eventually,
  expectGood,
  expectNoFaults,
  phone as narrow,
  openDashboard,
  textPattern,
} from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { clock, demo, sql } = service
const { manager, cashier } = await createMembers(service)
const phone = phoneOf(service.origin, clock.now, demo.device)
const pages = { ar: await openAs(manager, narrow), en: await openAs(manager, desktop) }
const attach = (id: string, reference: string) => service.ask('PATCH', `/intents/${id}/`, { body: { reference } })
const referenceOf = async (id: string): Promise<string> =>
  (await sql('select reference from intents where id = $1', [id]))[0]![0]!

let references = 870_000_000_000
const twoOrders = async (name: string) => {
  const holder = (await service.create({ external_order_id: `first-${name}` })).body.id as string
  const claimer = (await service.create({ external_order_id: `second-${name}` })).body.id as string
  const reference = String(++references)
  assert.equal((await attach(holder, reference)).status, 200)
  assert.equal((await attach(claimer, reference)).status, 400)
  return { holder, claimer, reference }
}

for (const language of languages) {
  test(`a manager sees on both orders that they claim one number, and moves it with one touch, ${language}`, async () => {
    const page = pages[language]
    const { holder, claimer, reference } = await twoOrders(language)
    await visit(page, `/intents/${claimer}`)
    await page.getByText(textPattern(language, 'claims.title')).waitFor()
    await expectGood(page, 'a claim')
    await page.getByRole('link', { name: `first-${language}` }).click()
    await page.getByRole('link', { name: `second-${language}` }).waitFor()
    assert.equal(await referenceOf(holder), reference)
    await page.getByRole('button', { name: textPattern(language, 'claims.move') }).click()
    await eventually(async () => assert.equal(await referenceOf(claimer), reference))
    assert.equal(await referenceOf(holder), '')
    await page.getByText(textPattern(language, 'line.reference_moved')).waitFor()
  })
}

test('a cashier sees the claim, without a button to move the number', async () => {
  const page = await openAs(cashier, desktop)
  const { claimer } = await twoOrders('cashier')
  await visit(page, `/intents/${claimer}`)
  await page.getByText(textPattern('en', 'claims.managerDecides')).waitFor()
  assert.equal(await page.getByRole('button', { name: textPattern('en', 'claims.move') }).count(), 0)
})

test('the card of money in the queue says that two orders claim its number, with links to them', async () => {
  const page = pages.en
  const { reference } = await twoOrders('queue')
  const received_at = new Date(clock.now()).toISOString()
  const text = purchaseText('1,350.00', reference)
  await phone.alerts([{ client_id: 'claims-1', kind: 'sms', sender: 'Jawali', sim_slot: 'SIM1', received_at, text }])
  await visit(page, '/unmatched')
  await page.getByText(textPattern('en', 'claims.title')).waitFor()
  await page.locator('button[aria-expanded]', { hasText: '1,350.00' }).first().click()
  await page.getByRole('link', { name: 'second-queue' }).first().waitFor()
  await expectNoFaults(page, 'a card with a claim')
})
