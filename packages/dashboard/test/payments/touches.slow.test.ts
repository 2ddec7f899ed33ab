/**
 * The counter with a count of touches, in Arabic on a phone: walk-in money in one touch after the voice, "has he paid?" in two, a sale to
 * a buyer without a connection, two cashiers at once; and a line that breaks in the middle: nothing is done twice, and the screen says
 * what happened.
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
import { eventually, phone as narrow, openDashboard, textPattern } from '../browser.ts'
import { loseAnswers } from '../lost-answer.ts'
import { purchaseReporter } from '../report-purchase.ts'

const { service, openAs, visit, complaints } = await openDashboard({}, undefined, { consoleErrors: 'allowed' })
const { clock, demo, sql } = service
const staff = await createMembers(service)
const huda = await createMember(service, staff.accountId, 'cashier')
const salem = await createMember(service, staff.accountId, 'cashier')
await sql(`update users set name = 'هدى المثال' where id = $1`, [huda.userId])
await sql(`update users set name = 'سالم المثال' where id = $1`, [salem.userId])
// One real wallet that can collect, and a phone that was not paired today: nothing is doubtful.
await sql('update wallets set active = false where id = any($1::uuid[])', [
  [demo.wallets.off, demo.wallets.unmonitored, demo.wallets.second],
])
await sql(`update devices set paired_at = paired_at - interval '3 days' where id = $1`, [demo.device.id])
clock.advance(2_000)
const shopPhone = phoneOf(service.origin, clock.now, demo.device)
await shopPhone.heartbeat()
const pay = purchaseReporter(shopPhone, clock.now)
const t = (key: Parameters<typeof textPattern>[1]) => textPattern('ar', key)

const finish = async (): Promise<void> => {
  clock.advance(11_000)
  await finishSales({ db: service.db, zone: zoneOf('Asia/Aden') }, 100, clock.now())
}
const line = (page: Page, end: string): Locator => page.locator('article', { hasText: `··${end}` })
const take = (page: Page, end: string): Locator => line(page, end).getByRole('button', { name: t('counter.takeSale') })
const undo = (page: Page): Locator => page.getByRole('button', { name: t('counter.undo') })
const count = async (text: string, values: unknown[] = []): Promise<number> => Number((await sql(text, values))[0]![0])
const alertOf = async (reference: string): Promise<string> =>
  (await sql('select id from alerts where reference = $1', [reference]))[0]![0]!
const salesOf = async (reference: string): Promise<number> =>
  count('select count(*) from counter_sales where alert_id = $1', [await alertOf(reference)])

/** Counts what a finger does. */
const fingers = () => {
  let touches = 0
  return {
    touch: async (target: Locator): Promise<void> => {
      touches++
      await target.click()
    },
    touches: () => touches,
  }
}

/** A machine with a voice. A sentence lasts until the test ends it, so that two at once would be seen. */
const simulateVoice = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const param = { setValueAtTime() {}, exponentialRampToValueAtTime() {}, value: 0 }
    class SimulatedAudioContext {
      state = 'running'
      currentTime = 0
      async resume() {}
      createOscillator() {
        return { frequency: param, connect: (to: unknown) => to, start() {}, stop() {} }
      }
      createGain() {
        return { gain: param, connect: (to: unknown) => to }
      }
    }
    function SimulatedUtterance(this: { text: string }, text: string) {
      this.text = text
    }
    type Spoken = { text: string; onstart?: () => void; onend?: () => void }
    const voice = { said: [] as string[], atOnce: 0, mostAtOnce: 0, current: undefined as Spoken | undefined }
    const speech = {
      getVoices: () => [{ lang: 'ar-SA', name: 'A voice', localService: true }],
      speak: (spoken: Spoken) => {
        voice.said.push(spoken.text)
        voice.mostAtOnce = Math.max(voice.mostAtOnce, ++voice.atOnce)
        voice.current = spoken
        spoken.onstart?.()
      },
      cancel() {},
      addEventListener() {},
      removeEventListener() {},
    }
    const endSentence = (): void => {
      voice.atOnce--
      voice.current?.onend?.()
    }
    Object.assign(globalThis, {
      voice,
      endSentence,
      AudioContext: SimulatedAudioContext,
      SpeechSynthesisUtterance: SimulatedUtterance,
    })
    Object.defineProperty(globalThis, 'speechSynthesis', { value: speech })
  })
}
type Voice = { said: string[]; atOnce: number; mostAtOnce: number }
const voiceOf = (page: Page): Promise<Voice> =>
  page.evaluate(() => {
    const { said, atOnce, mostAtOnce } = (globalThis as unknown as { voice: Voice }).voice
    return { said, atOnce, mostAtOnce }
  })
const endSentence = (page: Page): Promise<void> =>
  page.evaluate(() => (globalThis as unknown as { endSentence: () => void }).endSentence())

test('walk-in money is a sale with one touch after the voice', async () => {
  const page = await openAs(huda, narrow)
  await simulateVoice(page)
  await visit(page, '/counter')
  await page.getByRole('button', { name: t('counter.sound') }).click()
  const { touch, touches } = fingers()
  await pay('1500', '220700002345', 'علي صالح المثال')
  await eventually(async () => assert.equal((await voiceOf(page)).said.length, 1))
  assert.match((await voiceOf(page)).said[0]!, /ألف وخمسمئة.*علي/)
  await touch(take(page, '2345'))
  await undo(page).waitFor()
  assert.equal(touches(), 1)
  assert.equal(await salesOf('220700002345'), 1)
  await endSentence(page)

  // Undone by one touch, and taken again by one.
  await touch(undo(page))
  await take(page, '2345').waitFor()
  await touch(take(page, '2345'))
  await undo(page).waitFor()
  assert.equal(touches(), 3)
  await finish()
  const [verified] = await sql(
    `select i.status from alerts a join intents i on i.id = a.intent_id where a.reference = '220700002345'`,
  )
  assert.deepEqual(verified, ['VERIFIED'])
})

test('payments that arrive together are each said once, in their order, and never over another', async () => {
  await shopPhone.heartbeat()
  const page = await openAs(huda, narrow)
  await simulateVoice(page)
  await visit(page, '/counter')
  await page.getByRole('button', { name: t('counter.sound') }).click()
  const amounts = ['3100', '3200', '3300', '3400'] as const
  const received_at = Math.floor(clock.now() / 1000)
  const reports = amounts.map((amount, n) => ({
    ...{ client_id: crypto.randomUUID(), kind: 'sms', sender: 'Jawali', sim_slot: 'SIM1', received_at },
    text: purchaseText(amount, `22070000310${n}`, 'منى المثال'),
  }))
  assert.equal((await shopPhone.alerts(reports)).status, 200)
  // The phone sends them again: nothing is said twice.
  assert.equal((await shopPhone.alerts(reports)).status, 200)
  for (let n = 1; n <= amounts.length; n++) {
    await eventually(async () => assert.equal((await voiceOf(page)).said.length, n))
    await line(page, `310${n - 1}`).waitFor()
    await endSentence(page)
  }
  const { said, mostAtOnce } = await voiceOf(page)
  assert.equal(mostAtOnce, 1)
  for (const [n, words] of ['مئة', 'مئتا', 'ثلاثمئة', 'أربعمئة'].entries())
    assert.match(said[n]!, new RegExp(`ثلاثة آلاف.*(${words}).*منى`))
  await visit(page, '/counter')
  await line(page, '3100').waitFor()
  assert.deepEqual((await voiceOf(page)).said, [], 'a reload says nothing again')
})

test('money is on the roll in the time of a few reloads of the page, and without one', async () => {
  await shopPhone.heartbeat()
  const page = await openAs(huda, narrow)
  await visit(page, '/counter')
  let reloads = 0
  page.on('framenavigated', () => reloads++)
  const timed = async (act: () => Promise<void>): Promise<number> => {
    const from = performance.now()
    await act()
    return performance.now() - from
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
  const [live, reloaded]: [number[], number[]] = [[], []]
  // The first one waits until the page listens.
  for (let n = 0; n < 8; n++) {
    const reference = `22070000510${n}`
    const took = await timed(async () => {
      await pay(String(5100 + n), reference, 'علي المثال')
      await line(page, reference.slice(-4)).waitFor()
    })
    if (n > 0) live.push(took)
  }
  assert.equal(reloads, 0, 'the page updates itself')
  for (let n = 0; n < 7; n++)
    reloaded.push(
      await timed(async () => {
        await page.reload()
        await line(page, '5107').waitFor()
      }),
    )
  // Measured side by side, because a time alone says more about the machine. Without live hints it is 30 seconds at the most.
  assert.ok(median(live) < 10 * median(reloaded), `${median(live)} ms live, ${median(reloaded)} ms by a reload`)
})

test('“has he paid?” is answered with two touches and four digits', async () => {
  await shopPhone.heartbeat()
  const { body: order } = await service.create({ amount: '2750.00', external_order_id: 'B-7' })
  await service.ask('PATCH', `/intents/${order.id}/`, { body: { reference: '220700002750' } })
  await pay('2750', '220700002750', 'أمل المثال')
  const page = await openAs(huda, narrow)
  await visit(page, '/counter')
  const { touch, touches } = fingers()
  await touch(page.locator('search input'))
  await page.keyboard.type('2750')
  await touch(page.locator('search button[type=submit]'))
  const paid = page.locator('section[data-tone=paid]')
  await paid.getByText('B-7').waitFor()
  assert.equal(touches(), 2)
  await touch(paid.getByRole('button', { name: t('counter.handOver') }))
  await eventually(async () =>
    assert.equal(await count('select count(*) from handovers where intent_id = $1', [order.id]), 1),
  )
  assert.equal(touches(), 3)
})

test('a sale to a buyer without a connection: the amount, one touch to show it, one to book its money', async () => {
  await shopPhone.heartbeat()
  const page = await openAs(salem, narrow)
  await visit(page, '/counter')
  const { touch, touches } = fingers()
  await touch(page.getByRole('link', { name: t('sale.title') }).or(page.getByRole('button', { name: t('sale.title') })))
  for (const key of ['9', '00']) await touch(page.getByRole('button', { name: key, exact: true }))
  await touch(page.getByRole('button', { name: t('sale.go') }))
  await page.locator('dl').first().getByText('771 000 001').waitFor()
  await pay('900', '220700000900', 'سامي المثال')
  await touch(page.getByRole('button', { name: t('sale.book') }))
  await page.locator('section[data-tone=paid]').waitFor()
  assert.equal(touches(), 5)
})

test('two cashiers touch at once: one sale, and the other reads who was first', async () => {
  const [first, second] = [await openAs(huda, narrow), await openAs(salem, narrow)]
  const waiting: (() => Promise<void>)[] = []
  for (const page of [first, second]) {
    await visit(page, '/counter')
    // Both requests leave before either is answered.
    await page.route('**/take-sale/', (route) => {
      waiting.push(() => route.continue())
      if (waiting.length === 2) for (const send of waiting) void send()
    })
  }
  await pay('6100', '220700006100', 'علي المثال')
  await Promise.all([first, second].map(async (page) => take(page, '6100').click()))
  await eventually(async () => assert.equal(await salesOf('220700006100'), 1))
  const [[by]] = (await sql('select by from counter_sales where alert_id = $1', [await alertOf('220700006100')])) as [
    [string],
  ]
  const isHuda = by.includes('هدى المثال')
  const [loser, winner] = isHuda ? [second, 'هدى المثال'] : [first, 'سالم المثال']
  // The name is in the line, or in the bar if the roll was faster than the refusal.
  await loser.getByText(winner).first().waitFor()
  for (const page of [first, second]) await undo(page).waitFor()
  await finish()
  await first.context().close()
  await second.context().close()
})

test('the line breaks while a sale is taken: the screen says so, and one sale is there when the line is back', async () => {
  await shopPhone.heartbeat()
  const network = await startFlakyProxy(service.origin)
  service.atEnd(network.close)
  const page = await openAs(huda, narrow, { origin: network.origin })
  await page.goto(`${network.origin}/counter`)
  await pay('7100', '220700007100', 'علي المثال')
  await take(page, '7100').waitFor()

  // The request does not leave.
  network.state = 'down'
  await take(page, '7100').click()
  await line(page, '7100').getByRole('alert').waitFor()
  assert.equal(await salesOf('220700007100'), 0)
  network.state = 'up'
  await page.getByText(t('connection.title')).first().waitFor({ state: 'detached' })
  assert.equal(await salesOf('220700007100'), 0, 'a change that failed is not sent later')

  // The request arrives, and its answer is lost.
  const restoreLine = await loseAnswers(page, '**/take-sale/', network)
  await take(page, '7100').click()
  await line(page, '7100').getByText(t('problem.maybeDone')).waitFor()
  assert.equal(await salesOf('220700007100'), 1)
  await restoreLine()
  await undo(page).waitFor()
  await take(page, '7100').waitFor({ state: 'detached' })
  assert.equal(await salesOf('220700007100'), 1)
  await finish()
  assert.equal(await count(`select count(*) from intents where payable = 710000 and status = 'VERIFIED'`), 1)
})

test('the line breaks while goods are handed over: marked once, and the screen shows it when the line is back', async () => {
  await shopPhone.heartbeat()
  const network = await startFlakyProxy(service.origin)
  service.atEnd(network.close)
  const { body: order } = await service.create({ amount: '7300.00', external_order_id: 'B-9' })
  await service.ask('PATCH', `/intents/${order.id}/`, { body: { reference: '220700007300' } })
  await pay('7300', '220700007300', 'أمل المثال')
  const page = await openAs(huda, narrow, { origin: network.origin })
  await page.goto(`${network.origin}/counter`)
  const restoreLine = await loseAnswers(page, '**/hand-over/', network)
  await line(page, '7300')
    .getByRole('button', { name: t('counter.handOver') })
    .click()
  await page.getByText(t('problem.maybeDone')).first().waitFor()
  await restoreLine()
  await line(page, '7300')
    .getByText(/سُلّمت البضاعة/)
    .waitFor()
  assert.equal(await count('select count(*) from handovers where intent_id = $1', [order.id]), 1)
})

test('the line breaks while money is booked: booked once, and the screen shows the stamp when the line is back', async () => {
  await shopPhone.heartbeat()
  const network = await startFlakyProxy(service.origin)
  service.atEnd(network.close)
  const { body: order } = await service.create({ amount: '7500.00', external_order_id: 'B-11' })
  clock.advance(60_000)
  await pay('7500', '220700007500', 'سامي المثال')
  const page = await openAs(huda, narrow, { origin: network.origin })
  await page.goto(`${network.origin}/counter?q=7500`)
  await page.goto(`${network.origin}/counter?q=220700007500`)
  await page.getByRole('button', { name: t('counter.bookNow') }).click()
  const go = page.getByRole('dialog').getByRole('button', { name: t('act.book') })
  const restoreLine = await loseAnswers(page, '**/book/', network)
  await go.click()
  await page.getByText(t('problem.maybeDone')).first().waitFor()
  assert.equal((await service.ask('GET', `/intents/${order.id}/`)).body.status, 'VERIFIED')
  await restoreLine()
  await page.locator('section[data-tone=paid]').waitFor()
  assert.equal(await count(`select count(*) from intents where payable = 750000 and status = 'VERIFIED'`), 1)
  assert.equal(
    await count(`select count(*) from events where kind = 'payment.verified' and body::text like '%B-11%'`),
    1,
  )
})

test('no errors in the console', () => {
  assert.deepEqual(
    complaints.filter((text) => !/ERR_|net::|EventSource/.test(text)),
    [],
  )
})
