/**
 * The counter in a real browser: the cashier looks up a payment and books it with one click, a sale from the keypad to the
 * announced payment, and a bad network.
 */
import assert from 'node:assert/strict'

import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { startFlakyProxy } from '../../../server/test/support/servers/flaky-proxy.ts'

import { createMembers } from '../../../server/test/support/users.ts'
import { all } from '../../src/words/all.ts'
import {
  desktop,
  eventually,
  expectGood,
  expectKeyboard,
  expectNoFaults,
  phone as narrow,
  openDashboard,
  textPattern,
} from '../browser.ts'
import { purchaseReporter } from '../report-purchase.ts'

const { service, open, openAs, visit } = await openDashboard()
const { clock, demo, sql } = service
const staff = await createMembers(service)
const shopPhone = phoneOf(service.origin, clock.now, demo.device)
// Only wallets with a phone, and a phone that was not paired today: nothing is doubtful.
await sql('update wallets set active = false where id = any($1::uuid[])', [
  [demo.wallets.off, demo.wallets.unmonitored],
])
await sql(`update devices set paired_at = paired_at - interval '3 days' where id = $1`, [demo.device.id])
await shopPhone.heartbeat()

const reportPurchase = purchaseReporter(shopPhone, clock.now)
const pay = (amount: string, reference: string, payer = 'علي صالح المثال'): Promise<void> =>
  reportPurchase(amount, reference, payer)

type Key = Parameters<typeof textPattern>[1]
const find = async (page: Page, text: string): Promise<void> => {
  await page.locator('search input').fill(text)
  await page.keyboard.press('Enter')
}
const answer = (page: Page, language: 'ar' | 'en', key: Key) =>
  page.getByRole('heading', { level: 2, name: textPattern(language, key) })

test('a cashier starts at the counter, finds money by four digits, and books it after one question', async () => {
  const { body: order } = await service.create({ amount: '1500.00', external_order_id: 'A-1042' })
  clock.advance(60_000)
  await pay('1500', '220700000045')
  const page = await openAs(staff.cashier, narrow)
  await page.goto(service.origin)
  await page.waitForURL('**/counter')
  await page.getByRole('heading', { level: 1, name: textPattern('ar', 'frame.counter') }).waitFor()
  assert.equal(await page.locator('nav a').first().getAttribute('href'), '/counter')
  await page.getByRole('list').getByText('··0045').waitFor()

  // The order waits, and money of its amount has arrived: the answer for the order's number shows both.
  await find(page, 'a-1042')
  await answer(page, 'ar', 'counter.waiting').waitFor()
  await page.getByText(textPattern('ar', 'counter.phoneHeard')).waitFor()
  await page.getByText(textPattern('ar', 'counter.equalHere_one')).waitFor()
  await expectGood(page, 'an order that waits')

  // Digits of an Arabic keyboard.
  await find(page, '٠٠٤٥')
  await answer(page, 'ar', 'counter.money').waitFor()
  await expectGood(page, 'money without an order')
  await page.getByRole('button', { name: textPattern('ar', 'counter.bookNow') }).click()
  const question = page.getByRole('dialog')
  for (const shown of ['A-1042', '220700000045', 'علي صالح المثال']) await question.getByText(shown).first().waitFor()
  await question.getByRole('button', { name: textPattern('ar', 'act.book') }).click()
  await answer(page, 'ar', 'state.VERIFIED').waitFor()
  await page.locator('section[data-tone=paid]').getByText('علي صالح المثال').waitFor()
  await page.getByRole('list').getByText('A-1042').waitFor()
  await expectGood(page, 'a paid order')
  assert.equal((await service.ask('GET', `/intents/${order.id}/`)).body.status, 'VERIFIED')

  // After the text in the field is changed, the old answer is no longer shown.
  await page.locator('search input').fill('1')
  await page.locator('section[data-tone]').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.getByText(textPattern('ar', 'list.tooShort')).waitFor()

  await find(page, '98765')
  await answer(page, 'ar', 'counter.none').waitFor()
  // The payment arrives while the answer is on the screen.
  await pay('777', '220700098765')
  await answer(page, 'ar', 'counter.money').waitFor()

  // The phone has not reported for fourteen minutes: the answer is no longer a plain "no".
  clock.advance(14 * 60_000)
  await page.clock.setFixedTime(clock.now())
  await visit(page, '/counter?q=55555')
  await answer(page, 'ar', 'counter.cannotKnow').waitFor()
  await page.getByText(textPattern('ar', 'counter.doubt.phone_silent')).first().waitFor()
  await expectGood(page, 'an answer that is not certain')
  await shopPhone.heartbeat()
  await visit(page, '/counter?q=55555')
  await answer(page, 'ar', 'counter.none').waitFor()

  // Several orders match: they are listed, and one click chooses. A payment of another day is marked as earlier.
  await service.create({ amount: '1500.00', external_order_id: 'B-7' })
  await find(page, '1500')
  await page.getByRole('heading', { name: textPattern('ar', 'counter.several') }).waitFor()
  await page.getByRole('button', { name: /A-1042/ }).click()
  await answer(page, 'ar', 'state.VERIFIED').waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: textPattern('ar', 'counter.several') }).waitFor()
  clock.advance(2 * 24 * 3_600_000)
  await shopPhone.heartbeat()
  await page.clock.setFixedTime(clock.now())
  await visit(page, '/counter?q=A-1042')
  await page.getByText(textPattern('ar', 'counter.earlier')).waitFor()
  await page.getByRole('link', { name: textPattern('ar', 'frame.today') }).click()
  await page.getByRole('heading', { level: 1, name: textPattern('ar', 'frame.today') }).waitFor()
})

test('a sale is entered on the keypad, paid by the code on the screen, and its payment is announced by sound', async () => {
  await shopPhone.heartbeat()
  const page = await openAs(staff.owner, desktop)
  // Simulated audio and speech: they record what the speakers would play.
  await page.addInitScript(() => {
    const heard: string[] = []
    const voice = { lang: 'en-GB', name: 'A voice', localService: true }
    const param = { setValueAtTime() {}, exponentialRampToValueAtTime() {}, value: 0 }
    class SimulatedAudioContext {
      state = 'suspended'
      currentTime = 0
      async resume() {
        this.state = 'running'
      }
      createOscillator() {
        return { frequency: param, connect: (to: unknown) => to, start: () => heard.push('note'), stop() {} }
      }
      createGain() {
        return { gain: param, connect: (to: unknown) => to }
      }
    }
    Object.assign(globalThis, {
      heard,
      AudioContext: SimulatedAudioContext,
      SpeechSynthesisUtterance: SimulatedUtterance,
    })
    function SimulatedUtterance(this: { text: string }, text: string) {
      this.text = text
    }
    const speech = {
      getVoices: () => [voice],
      speak: (spoken: { text: string; onstart?: () => void; onend?: () => void }) => {
        heard.push(spoken.text)
        spoken.onstart?.()
        spoken.onend?.()
      },
      cancel() {},
      addEventListener() {},
      removeEventListener() {},
    }
    Object.defineProperty(globalThis, 'speechSynthesis', { value: speech })
  })
  const heard = (): Promise<string[]> => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)
  await visit(page, '/counter')
  const sound = page.getByRole('button', { name: textPattern('en', 'counter.sound') })
  await sound.click()
  await page.getByText(textPattern('en', 'counter.soundOn')).waitFor({ state: 'attached' })
  await expectKeyboard(page, 'the counter')
  await page.getByRole('link', { name: textPattern('en', 'sale.title') }).click()
  const showCodeButton = page.getByRole('button', { name: textPattern('en', 'sale.go') })
  assert.ok(await showCodeButton.isDisabled())
  // An amount is typed or pasted with decimals; what can be read in two ways is refused and not sent.
  const amount = page.getByLabel('Amount')
  await amount.pressSequentially('1500.50')
  await amount.blur()
  await eventually(async () => assert.equal(await amount.inputValue(), '1,500.50'))
  await amount.press('End')
  await amount.press('Backspace')
  await eventually(async () => assert.equal(await amount.inputValue(), '1500.5'))
  await amount.fill('1500.00 YER')
  await amount.blur()
  await eventually(async () => assert.equal(await amount.inputValue(), '1,500.00'))
  await amount.fill('250,5')
  await amount.press('Enter')
  await page.getByText(textPattern('en', 'refused.invalid.amount')).waitFor()
  await amount.fill('')
  for (const key of ['2', '5', '00']) await page.getByRole('button', { name: key, exact: true }).click()
  await page.getByRole('button', { name: textPattern('en', 'sale.back') }).click()
  await eventually(async () => assert.equal(await amount.inputValue(), '250'))
  const wallet = page.getByRole('group', { name: 'Wallet' })
  assert.equal(await wallet.locator('input:checked').count(), 0, 'no wallet is chosen, and never the test wallet')
  await showCodeButton.click()
  await page.getByText(textPattern('en', 'sale.chooseFirst')).waitFor()
  await wallet.locator(`input[value="${demo.wallets.main}"]`).check()
  await page.getByLabel(textPattern('en', 'sale.order')).fill('S-1')
  await expectNoFaults(page, 'a new sale')
  await showCodeButton.click()
  await page.getByRole('img', { name: textPattern('en', 'sale.qr') }).waitFor()
  await page.getByText(/^Waiting for .250/).waitFor()
  await expectGood(page, 'the code of a sale')
  const id = page.url().split('/').at(-1)!
  const { body: checkout } = await staff.owner.ask('GET', `/checkouts/${id}/`)
  assert.equal(checkout.intents[0].wallet.id, demo.wallets.main)

  const buyer = await open(narrow)
  await buyer.goto(checkout.url)
  // The wallet is already chosen on the page of the buyer.
  await buyer.getByRole('textbox').fill('331100000001')
  await buyer.getByRole('button', { name: 'إرسال الرقم' }).click()
  await pay('250', '331100000001', 'Amal Example')
  await answer(page, 'en', 'state.VERIFIED').waitFor()
  await page.getByText('Amal Example').waitFor()
  await eventually(async () =>
    assert.ok((await heard()).includes('received two hundred fifty riyals from Amal'), String(await heard())),
  )
  const notes = (await heard()).filter((sound) => sound === 'note')
  assert.ok(notes.length >= 4, 'one chime when the sound was switched on, and one for the payment')
  await buyer.context().close()

  // The wallet and the sound are remembered; the next sale begins with them.
  await visit(page, '/counter/new')
  await eventually(async () =>
    assert.equal(await wallet.locator('input:checked').getAttribute('value'), demo.wallets.main),
  )
  await visit(page, '/counter')
  assert.equal(await sound.getAttribute('aria-pressed'), 'true')

  // An order with a unique amount shows which amount to send, and is found by the amount before the change.
  await sql(
    `update wallets set unique_amounts = 'more', unique_amounts_most = 50, version = version + 1 where id = $1`,
    [demo.wallets.second],
  )
  clock.advance(2_000)
  const { body: unique } = await service.create({ wallet: demo.wallets.second, amount: '4200.00' })
  assert.notEqual(unique.payable_amount, '4200.00')
  await find(page, '4,200')
  await answer(page, 'en', 'counter.waiting').waitFor()
  await page.getByText(textPattern('en', 'counter.exactly')).waitFor()
  assert.deepEqual(await heard(), [], 'old payments are not read out when the screen is opened')
})

test('without a connection the counter shows how old its data is, and answers a search when the connection is back', async () => {
  const network = await startFlakyProxy(service.origin)
  service.atEnd(network.close)
  await shopPhone.heartbeat()
  const page = await openAs(staff.cashier, desktop, { origin: network.origin })
  await page.goto(`${network.origin}/counter`)
  await page.getByRole('heading', { name: all.en['counter.roll'] }).waitFor()
  network.state = 'down'
  await page.getByText(textPattern('en', 'counter.lineDown')).waitFor()
  await find(page, 'A-1042')
  await page.getByText(textPattern('en', 'counter.waitsForLine')).waitFor()
  assert.equal(await page.locator('section[data-tone]').count(), 0)
  await expectNoFaults(page, 'the counter without a connection')
  network.state = 'up'
  await answer(page, 'en', 'state.VERIFIED').waitFor()
  await page.getByText(textPattern('en', 'counter.lineDown')).waitFor({ state: 'detached' })
})
