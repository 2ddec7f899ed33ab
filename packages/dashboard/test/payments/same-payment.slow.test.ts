/** A payment in two wordings, in a real browser: the doubt, the tick before a booking, and "this is another payment". */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { purchaseText, transferText } from '../../../server/test/support/sms-texts.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { bothLanguages, eventually, expectNoFaults, openDashboard, textPattern } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { ask, clock, demo, sql } = service
const { cashier } = await createMembers(service)
const shopPhone = phoneOf(service.origin, clock.now, demo.device)
const sms = async (text: string): Promise<string> => {
  const client_id = randomUUID()
  const at = Math.floor(clock.now() / 1000)
  const report = { client_id, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', sent_at: at, received_at: at }
  assert.equal((await shopPhone.alerts([report])).status, 200)
  return (await sql('select id from alerts where client_id = $1', [client_id]))[0]![0]!
}
const order = async (amount: string, name: string): Promise<string> =>
  (await ask('POST', '/intents/', { body: { wallet: demo.wallets.main, amount, external_order_id: name } })).body.id

const folder = process.env.SANAD_TEST_PICTURES
let references = 771_100_000_000
let amount = 2_000

for (const language of bothLanguages)
  for (const [width, scheme] of [
    [390, 'light'],
    [1440, 'dark'],
  ] as const)
    test(`the doubt names the order that was paid, and a booking requires a tick, ${language} at ${width}`, async () => {
      const money = `${++amount}.00`
      const reference = String(++references)
      const first = await order(money, `A-${amount}`)
      const plain = await sms(transferText(String(amount), `${50_000 + amount}.00`, `77000${amount}`))
      const body = { intent: first, alert_amount: money, intent_amount: money }
      assert.equal((await cashier.ask('POST', `/unmatched/${plain}/book/`, { body })).status, 200)
      const second = await order(money, `B-${amount}`)
      await ask('PATCH', `/intents/${second}/`, { body: { reference } })
      const alert = await sms(purchaseText(String(amount), reference, 'علي صالح المثال'))

      const page = await openAs(cashier, { language, width, scheme })
      await visit(page, `/unmatched/${alert}`)
      await page.getByText(textPattern(language, 'doubt.same_payment')).first().waitFor()
      await page.getByText(`A-${amount}`).first().waitFor()
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/alert-${language}-${width}.png`, fullPage: true })
      await expectNoFaults(page, `the alert, ${language}`)

      // Booking asks for a tick before the button works.
      await page
        .getByRole('button', { name: textPattern(language, 'act.book') })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      const tick = dialog.getByRole('checkbox')
      await tick.waitFor()
      const bookButton = dialog.getByRole('button', { name: textPattern(language, 'act.book') })
      assert.ok(await bookButton.isDisabled())
      await tick.check()
      await eventually(async () => assert.ok(await bookButton.isEnabled()))
      if (folder !== undefined) await page.screenshot({ path: `${folder}/booking-${language}-${width}.png` })
      await expectNoFaults(page, `the booking, ${language}`)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })

      await page.getByRole('button', { name: textPattern(language, 'step.another') }).click()
      await eventually(async () => {
        const { body: intent } = await ask('GET', `/intents/${second}/`)
        assert.equal(intent.status, 'VERIFIED')
      })
    })

for (const [language, width, scheme] of [
  ['ar', 390, 'dark'],
  ['en', 1440, 'light'],
] as const)
  test(`the order that has the reference is shown, also if it asks for another amount, ${language}`, async () => {
    const money = `${++amount}.00`
    const reference = String(++references)
    const first = await order(money, `C-${amount}`)
    const plain = await sms(transferText(String(amount), `${50_000 + amount}.00`, `77000${amount}`))
    const body = { intent: first, alert_amount: money, intent_amount: money }
    assert.equal((await cashier.ask('POST', `/unmatched/${plain}/book/`, { body })).status, 200)
    const named = await order(`${amount + 250}.00`, `D-${amount}`)
    await ask('PATCH', `/intents/${named}/`, { body: { reference } })
    const alert = await sms(purchaseText(String(amount), reference, 'علي صالح المثال'))

    const page = await openAs(cashier, { language, width, scheme })
    await visit(page, `/unmatched/${alert}`)
    await page.getByText(textPattern(language, 'likely.titleReference')).waitFor()
    await page.getByRole('link', { name: `D-${amount}` }).waitFor()
    await page.getByText(/250\.00/).waitFor()
    if (folder !== undefined)
      await page.screenshot({ path: `${folder}/other-amount-${language}-${width}.png`, fullPage: true })
    await expectNoFaults(page, `the order of another amount, ${language}`)
    // The confirmation needs the amount that arrived, besides the tick.
    await page.getByRole('button', { name: textPattern(language, 'act.book') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox').check()
    await dialog.getByText(textPattern(language, 'book.type')).waitFor()
    assert.ok(await dialog.getByRole('button', { name: textPattern(language, 'act.book') }).isDisabled())
  })
