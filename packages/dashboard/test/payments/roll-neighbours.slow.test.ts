/**
 * The live roll beside its usual way, in a real browser: the line breaks while a sale is undone, two tabs of one cashier, an amount with
 * decimals, money that arrives while the page is in the background, test money, a member with one wallet, and a cashier with a PIN.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { zoneOf } from '../../../server/src/core/zone.ts'
import { finishSales } from '../../../server/src/matching/queue/finish-sales.ts'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { startFlakyProxy } from '../../../server/test/support/servers/flaky-proxy.ts'
import { purchaseText } from '../../../server/test/support/sms-texts.ts'
import { createMember, createMembers } from '../../../server/test/support/users.ts'
import { all } from '../../src/words/all.ts'
import { eventually, phone as narrow, openDashboard, textPattern } from '../browser.ts'
import { loseAnswers } from '../lost-answer.ts'
import { purchaseReporter } from '../report-purchase.ts'

const { service, open, openAs, visit, complaints } = await openDashboard()
const { clock, demo, sql } = service
const staff = await createMembers(service)
const huda = await createMember(service, staff.accountId, 'cashier')
await sql(`update users set name = 'هدى المثال' where id = $1`, [huda.userId])
await sql('update wallets set active = false where id = any($1::uuid[])', [
  [demo.wallets.off, demo.wallets.unmonitored],
])
// A phone that was not paired today: nothing is doubtful.
await sql(`update devices set paired_at = paired_at - interval '3 days' where id = $1`, [demo.device.id])
clock.advance(2_000)
const shopPhone = phoneOf(service.origin, clock.now, demo.device)
await shopPhone.heartbeat()
const pay = purchaseReporter(shopPhone, clock.now)
const t = (key: Parameters<typeof textPattern>[1]): RegExp => textPattern('ar', key)

const line = (page: Page, end: string): Locator => page.locator('article', { hasText: `··${end}` })
const take = (page: Page, end: string): Locator => line(page, end).getByRole('button', { name: t('counter.takeSale') })
const undo = (page: Page): Locator => page.getByRole('button', { name: t('counter.undo') })
const finish = async (): Promise<void> => {
  clock.advance(11_000)
  await finishSales({ db: service.db, zone: zoneOf('Asia/Aden') }, 100, clock.now())
}
const stateOf = async (reference: string) =>
  (
    await sql(
      'select a.state, i.status from alerts a left join intents i on i.id = a.intent_id where a.reference = $1',
      [reference],
    )
  )[0]

test('the line breaks while a sale is undone: the bar says so, and the money is free once, or sold once', async () => {
  const network = await startFlakyProxy(service.origin)
  service.atEnd(network.close)
  const page = await openAs(huda, narrow, { origin: network.origin })
  await page.goto(`${network.origin}/counter`)
  await pay('7100', '220700007100', 'علي المثال')
  await take(page, '7100').click()
  await undo(page).waitFor()

  // The request does not leave: the sale is still there, and the bar says so.
  network.state = 'down'
  await undo(page).click()
  const bar = page.getByRole('status').filter({ hasText: '7,100' })
  await bar.filter({ hasText: new RegExp(`${all.ar['problem.notSent']}|${all.ar['problem.maybeDone']}`) }).waitFor()
  assert.deepEqual(await stateOf('220700007100'), ['booked', null])
  network.state = 'up'
  await page.getByText(t('connection.title')).first().waitFor({ state: 'detached' })
  assert.deepEqual(await stateOf('220700007100'), ['booked', null], 'a change that failed is not sent later')

  // The request arrives, and its answer is lost.
  const restoreLine = await loseAnswers(page, '**/undo-sale/', network)
  await undo(page).click()
  await eventually(async () => assert.deepEqual(await stateOf('220700007100'), ['waiting', null]))
  await restoreLine()
  await undo(page).waitFor({ state: 'detached' })
  await take(page, '7100').waitFor()
  await finish()
  assert.deepEqual(await stateOf('220700007100'), ['waiting', null], 'what was undone is not finished')
  await page.context().close()
})

test('two tabs of one cashier: a sale of one has its bar in both, and is undone in the other', async () => {
  await shopPhone.heartbeat()
  const first = await openAs(huda, narrow)
  await visit(first, '/counter')
  const second = await first.context().newPage()
  await visit(second, '/counter')
  await pay('7200', '220700007200', 'سالم المثال')
  await take(second, '7200').waitFor()
  await take(first, '7200').click()
  await undo(second).waitFor()
  assert.equal(await take(second, '7200').count(), 0)
  await undo(second).click()
  await undo(first).waitFor({ state: 'detached' })
  await take(first, '7200').waitFor()
  assert.deepEqual(await stateOf('220700007200'), ['waiting', null])
  await first.context().close()
})

test('an amount with decimals is shown, taken and undone to the last of them', async () => {
  await shopPhone.heartbeat()
  const page = await openAs(huda, narrow)
  await visit(page, '/counter')
  await pay('1500.05', '220700001505', 'منى المثال')
  await line(page, '1505').getByText('1,500.05').waitFor()
  await take(page, '1505').click()
  await page.getByRole('status').filter({ hasText: '1,500.05' }).waitFor()
  await finish()
  const [paid] = await sql(
    `select i.payable, i.status from alerts a join intents i on i.id = a.intent_id where a.reference = '220700001505'`,
  )
  assert.deepEqual(paid, ['150005', 'VERIFIED'])
  // An amount alone finds this one and not the round one.
  await visit(page, '/counter?q=1500.05')
  await page.getByRole('button', { name: /1,500\.05.*··1505/ }).waitFor()
  await page.context().close()
})

test('money that arrives while the page is in the background is on the roll when it is seen again, and said once', async () => {
  await shopPhone.heartbeat()
  const network = await startFlakyProxy(service.origin)
  service.atEnd(network.close)
  const page = await openAs(staff.cashier, narrow, { origin: network.origin })
  await page.addInitScript(() => {
    let hidden = false
    const said: string[] = []
    const locks: string[] = []
    const lock = { release: async () => void locks.push('released') }
    const request = async (kind: string) => {
      locks.push(kind)
      return lock
    }
    Object.defineProperty(navigator, 'wakeLock', { value: { request } })
    Object.defineProperty(document, 'hidden', { get: () => hidden })
    Object.defineProperty(document, 'visibilityState', { get: () => (hidden ? 'hidden' : 'visible') })
    const show = (isHidden: boolean): void => {
      hidden = isHidden
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }
    const param = { setValueAtTime() {}, exponentialRampToValueAtTime() {}, value: 0 }
    const node = () => ({ frequency: param, gain: param, connect: (to: unknown) => to, start() {}, stop() {} })
    class SimulatedAudioContext {
      state = 'running'
      currentTime = 0
      async resume() {}
      createOscillator = node
      createGain = node
    }
    function SimulatedUtterance(this: { text: string }, text: string) {
      this.text = text
    }
    const speech = {
      getVoices: () => [{ lang: 'ar-SA', name: 'A voice', localService: true }],
      speak: (spoken: { text: string; onstart?: () => void; onend?: () => void }) => {
        said.push(spoken.text)
        spoken.onstart?.()
        spoken.onend?.()
      },
      cancel() {},
      addEventListener() {},
      removeEventListener() {},
    }
    Object.assign(globalThis, {
      said,
      locks,
      show,
      AudioContext: SimulatedAudioContext,
      SpeechSynthesisUtterance: SimulatedUtterance,
    })
    Object.defineProperty(globalThis, 'speechSynthesis', { value: speech })
  })
  type Global = { readonly said: string[]; readonly locks: string[]; readonly show: (isHidden: boolean) => void }
  const locks = (): Promise<string[]> => page.evaluate(() => (globalThis as unknown as Global).locks)
  const said = (): Promise<string[]> => page.evaluate(() => (globalThis as unknown as Global).said)
  const show = (isHidden: boolean): Promise<void> =>
    page.evaluate((to) => (globalThis as unknown as Global).show(to), isHidden)
  await page.goto(`${network.origin}/counter`)
  await page.getByRole('button', { name: t('counter.sound') }).click()
  await page.getByText(t('counter.soundOn')).waitFor({ state: 'attached' })
  assert.deepEqual(await locks(), ['screen'], 'the screen is kept awake')
  // A phone in a pocket: the page is hidden, and its connections are cut.
  await show(true)
  network.state = 'down'
  await pay('7300', '220700007300', 'علي المثال')
  await pay('7400', '220700007400', 'سالم المثال')
  network.state = 'up'
  await show(false)
  await line(page, '7300').waitFor()
  await line(page, '7400').waitFor()
  await eventually(async () => assert.equal((await said()).length, 2))
  const [older, newer] = await said()
  assert.match(older!, /ثلاثمئة.*علي/)
  assert.match(newer!, /أربعمئة.*سالم/)
  // Seen again later: nothing is said twice.
  await show(true)
  await show(false)
  await pay('7450', '220700007450', 'منى المثال')
  await eventually(async () => assert.equal((await said()).length, 3))
  // A browser takes the lock back while the page is hidden: each time the page is seen it asks again, until the sound is off.
  assert.deepEqual(await locks(), ['screen', 'screen', 'screen'])
  await page.getByRole('button', { name: t('counter.sound') }).click()
  await eventually(async () => assert.equal((await locks()).at(-1), 'released'))
  await page.context().close()
})

test('test money is not on the roll', async () => {
  await shopPhone.heartbeat()
  const page = await openAs(staff.manager, narrow)
  await visit(page, '/counter')
  const { body: intent } = await service.create({ wallet: demo.wallets.test, amount: '4321.00' })
  await service.ask('PATCH', `/intents/${intent.id}/`, { body: { reference: '220700004321' } })
  const made = await staff.manager.ask('POST', '/test-payment/', {
    body: { wallet: demo.wallets.test, amount: '4321.00', reference: '220700004321' },
  })
  assert.ok(made.status < 300, made.text)
  await pay('7500', '220700007500', 'علي المثال')
  await line(page, '7500').waitFor()
  assert.equal(await page.locator('article', { hasText: '4,321' }).count(), 0)
  await page.context().close()
})

test('a member with one wallet sees and hears of its money only, also live', async () => {
  await shopPhone.heartbeat()
  const limited = await createMember(service, staff.accountId, 'cashier')
  const given = await staff.owner.ask('PATCH', `/members/${limited.userId}/`, {
    body: { wallets: [demo.wallets.second] },
  })
  assert.equal(given.status, 200, given.text)
  const page = await openAs(limited, narrow)
  await visit(page, '/counter')
  const seen: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) seen.push(await response.text().catch(() => ''))
  })
  await pay('7600', '220700007600', 'علي المثال')
  const report = {
    client_id: crypto.randomUUID(),
    kind: 'sms',
    sender: 'Jawali',
    text: purchaseText('7700', '220700007700', 'سالم المثال'),
    sim_slot: 'SIM2',
    received_at: Math.floor(clock.now() / 1000),
  }
  assert.equal((await shopPhone.alerts([report])).status, 200)
  await take(page, '7700').click()
  await undo(page).waitFor()
  assert.equal(await line(page, '7600').count(), 0)
  assert.ok(seen.length > 0 && !seen.some((text) => text.includes('220700007600')))
  await visit(page, '/counter?q=7600')
  await page.locator('section[data-tone]').first().waitFor()
  assert.equal(await page.getByText('220700007600').count(), 0)
  await finish()
  await page.context().close()
})

test('a cashier with a PIN takes a sale at a counter under the own name, and the next one can undo it', async () => {
  await shopPhone.heartbeat()
  const owner = await createMember(service, staff.accountId, 'owner')
  const pins = { 'أمل المثال': '482915', 'باسم المثال': '730164' } as const
  for (const [name, pin] of Object.entries(pins))
    assert.equal((await owner.ask('POST', '/cashiers/', { body: { name, pin } })).status, 201)
  const opened = await owner.ask('POST', '/counters/', { body: { name: 'Front till', idle_minutes: 60 } })
  assert.equal(opened.status, 201, opened.text)
  const [, token] = /sanad_counter=([\w-]+)/.exec([opened.headers['set-cookie']].flat().join('\n'))!
  const page = await open(narrow)
  await page.context().addCookies([{ name: 'sanad_counter', value: token!, url: service.origin }])
  const enter = async (name: keyof typeof pins): Promise<void> => {
    await page.getByRole('button', { name }).click()
    await page.getByRole('button', { name: '1', exact: true }).waitFor()
    for (const digit of pins[name]) await page.keyboard.press(digit)
    await page.locator('header').getByRole('button').filter({ hasText: name }).waitFor()
  }
  await page.goto(`${service.origin}/counter`)
  await enter('أمل المثال')
  await pay('7800', '220700007800', 'علي المثال')
  await take(page, '7800').click()
  await page.getByRole('status').filter({ hasText: 'أمل المثال' }).waitFor()
  await page.locator('header').getByRole('button').filter({ hasText: 'أمل المثال' }).click()
  await enter('باسم المثال')
  await page.getByRole('status').filter({ hasText: 'أمل المثال' }).waitFor()
  await undo(page).click()
  await take(page, '7800').waitFor()
  assert.deepEqual(await stateOf('220700007800'), ['waiting', null])
  await page.context().close()
})

test('a paid card whose buttons are not loaded yet has no empty frame on it', async () => {
  await shopPhone.heartbeat()
  const { body: order } = await service.create({ amount: '7900.00', external_order_id: 'C-79' })
  await service.ask('PATCH', `/intents/${order.id}/`, { body: { reference: '220700007900' } })
  await pay('7900', '220700007900', 'أمل المثال')
  const page = await openAs(huda, narrow)
  const asked = page.waitForRequest(`**/api/v1/dashboard/intents/${order.id}/`)
  // The voucher's own query is never answered.
  await page.route(`**/api/v1/dashboard/intents/${order.id}/`, () => {})
  await visit(page, '/counter?q=C-79')
  await page.locator('section[data-tone=paid]').waitFor()
  await asked
  const empty = await page
    .locator('section[data-tone=paid] div')
    .evaluateAll(
      (frames) => frames.filter((frame) => frame.textContent === '' && frame.getBoundingClientRect().height > 0).length,
    )
  assert.equal(empty, 0)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().close()
})

test('no errors in the console', () => {
  assert.deepEqual(
    complaints.filter((text) => !/ERR_|net::|EventSource/.test(text)),
    [],
  )
})
