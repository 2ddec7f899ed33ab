/**
 * The voucher in a real browser: the page of an intent in every state, booking and collecting from it, sharing it as an image, by a
 * link and on paper, the public page, and the buyer's paid page.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { hour_ms } from '../../../server/src/core/duration.ts'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { purchaseText } from '../../../server/test/support/sms-texts.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import {
  bothLanguages,
  desktop,
  eventually,
  expectFits,
  expectGood,
  expectNoFaults,
  type Look,
  phone as narrow,
  openDashboard,
  textPattern,
} from '../browser.ts'

const { service, open, openAs, visit } = await openDashboard()
const { demo, clock, origin } = service
const staff = await createMembers(service)
const phone = phoneOf(origin, clock.now, demo.device)
// A phone that was connected today is a doubt.
clock.advance(48 * hour_ms)

let reports = 0
const payer = 'عبد الرحمن صالح المثال'
const report = async (amount: string, reference: string, name = payer): Promise<void> => {
  const received_at = new Date(clock.now()).toISOString()
  const common = { kind: 'sms', sender: 'Jawali', sim_slot: 'SIM1', received_at }
  const text = purchaseText(amount, reference, name)
  const answer = await phone.alerts([{ client_id: `voucher-${++reports}`, ...common, text }])
  assert.equal(answer.status, 200, answer.text)
}
let references = 870_000_000_000
const newReference = (): string => String(++references)
const make = async (amount: string, order: string, reference = ''): Promise<string> => {
  const { body } = await service.create({ amount, external_order_id: order })
  if (reference !== '') await service.ask('PATCH', `/intents/${body.id}/`, { body: { reference } })
  return body.id
}
const makePaid = async (amount: string, order: string): Promise<string> => {
  const reference = newReference()
  const id = await make(amount, order, reference)
  await report(amount, reference)
  return id
}
const makeWrong = async (order: string): Promise<string> => {
  const reference = newReference()
  const id = await make('1500.00', order, reference)
  await report('1400.00', reference)
  return id
}
const plain = async (page: Page, place = 'main'): Promise<string> =>
  (await page.innerText(place)).replaceAll(/[\u2066-\u2069]/g, '').replaceAll(/\s+/g, ' ')
const button = (page: Page, language: Look['language'], key: Parameters<typeof textPattern>[1]) =>
  page.getByRole('button', { name: textPattern(language, key) })

const paid = await makePaid('1500.00', 'A-1042')
const wrong = await makeWrong('C-9')
const cancelled = await make('900.00', 'D-1')
await staff.cashier.ask('POST', `/intents/${cancelled}/cancel/`)
const expired = await make('810.00', 'E-1')
clock.advance(90 * 60_000)
await report('810.00', newReference())
const pending = await make('2750.00', 'B-7')
await report('2750.00', newReference())
await report('2751.00', newReference())

const states = {
  paid: { id: paid, says: [/A-1042/, /1,500\.00/, /عبد الرحمن صالح/, /PAID 0|مدفوع 0/] },
  pending: { id: pending, says: [/B-7/, /2,750\.00/, /Time left|المتبقي/] },
  wrong: { id: wrong, says: [/C-9/, /1,400\.00.*1,500\.00.*100\.00/] },
  expired: { id: expired, says: [/E-1/, /810\.00/, /Expired|انتهت المهلة/] },
  cancelled: { id: cancelled, says: [/D-1/, /900\.00/, /A cashier/] },
} as const

for (const language of bothLanguages)
  for (const width of [narrow.width, desktop.width])
    test(`the page of an intent is a voucher in every state, ${language}, ${width} pixels wide`, async () => {
      for (const scheme of width === narrow.width ? (['light', 'dark'] as const) : (['light'] as const)) {
        const page = await openAs(staff.owner, { language, width, scheme })
        for (const [name, { id, says }] of Object.entries(states)) {
          await visit(page, `/intents/${id}`)
          const text = await plain(page)
          for (const part of says) assert.match(text, part, name)
          const size = await page.locator('main [data-amount]').evaluate((amount) => getComputedStyle(amount).fontSize)
          assert.equal(size, '44px')
          const edge = await page
            .locator('main section')
            .first()
            .evaluate((paper) => getComputedStyle(paper).borderInlineStartWidth)
          assert.equal(edge, '4px')
          await expectGood(page, name)
        }
      }
    })

test('a waiting intent lists only money of its amount, and a button books it', async () => {
  const page = await openAs(staff.cashier, narrow)
  await visit(page, `/intents/${pending}`)
  const text = await plain(page)
  assert.doesNotMatch(text, /2,751/)
  assert.equal(await button(page, 'ar', 'act.book').count(), 1)
  await button(page, 'ar', 'act.book').click()
  await page.getByRole('dialog').waitFor()
  assert.match(await plain(page, '[role=dialog]'), /2,750\.00.*B-7/)
  await expectNoFaults(page, 'booking')
  await page.getByRole('dialog').getByRole('button').last().click()
  await eventually(async () => assert.match(await plain(page), /مدفوع 0/))
  await expectFits(page, 'booked')
})

test('late money of an expired intent is booked onto a copy', async () => {
  const page = await openAs(staff.cashier, { ...narrow, language: 'en' })
  await visit(page, `/intents/${expired}`)
  await button(page, 'en', 'voucher.bookCopy').click()
  await page.getByRole('dialog').waitFor()
  await page.getByRole('dialog').getByRole('button').last().click()
  await eventually(async () => assert.equal(await button(page, 'en', 'voucher.bookCopy').count(), 0))
  const [[count]] = (await service.sql(
    "select count(*) from intents where external_order_id = 'E-1' and status = 'VERIFIED'",
  )) as [[string]]
  assert.equal(Number(count), 1)
})

for (const sound of ['on', 'off'])
  test(`the stamp lands when the money arrives while the page is open; with the sound ${sound} on this device`, async () => {
    const reference = newReference()
    const id = await make('620.00', 'F-1', reference)
    const page = await openAs(staff.owner, narrow)
    await page.addInitScript((value) => {
      localStorage.setItem('sanad-counter-sound', value)
      const level = { setValueAtTime() {}, exponentialRampToValueAtTime() {}, value: 0 }
      const played = { notes: 0 }
      class SimulatedAudioContext {
        state = 'running'
        currentTime = 0
        async resume() {}
        createOscillator() {
          return { frequency: level, connect: (to: unknown) => to, start: () => played.notes++, stop() {} }
        }
        createGain() {
          return { gain: level, connect: (to: unknown) => to }
        }
      }
      Object.assign(globalThis, { played, AudioContext: SimulatedAudioContext })
    }, sound)
    const notes = () => page.evaluate(() => (globalThis as unknown as { played: { notes: number } }).played.notes)
    await visit(page, `/intents/${id}`)
    assert.equal(await page.locator('[data-lands]').count(), 0)
    assert.equal(await notes(), 0)
    await report('620.00', reference)
    await page.waitForSelector('[data-lands=true]')
    // The chime has two notes. It sounds once, also when the page is drawn again.
    if (sound === 'on') await eventually(async () => assert.equal(await notes(), 2))
    await button(page, 'ar', 'counter.handOver').click()
    await page
      .getByText(/سُلّمت البضاعة/)
      .first()
      .waitFor()
    assert.equal(await notes(), sound === 'on' ? 2 : 0)
    await visit(page, `/intents/${paid}`)
    await page.waitForSelector('[data-lands=false]')
    assert.equal(await notes(), 0, 'a payment of before makes no sound')
  })

for (const language of bothLanguages)
  test(`a wrong amount: nothing changes nothing, and the rest is collected by a link, ${language}`, async () => {
    const id = await makeWrong(`W-${language}`)
    const page = await openAs(staff.cashier, { ...narrow, language })
    await visit(page, `/intents/${id}`)
    await button(page, language, 'nothing.go').click()
    await eventually(async () => assert.match(await plain(page), textPatternIn(language, 'nothing.done')))
    const [[before]] = (await service.sql(
      "select count(*) from intents where external_order_id = $1 and status = 'VERIFIED'",
      [`W-${language}`],
    )) as [[string]]
    assert.equal(Number(before), 0)
    await page.reload()
    await button(page, language, 'rest.go').click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: textPattern(language, 'rest.go') })
      .click()
    const link = page.getByRole('dialog').locator('text=/\\/pay\\//')
    await link.first().waitFor()
    await expectGood(page, 'the link of the rest')
    const url = /https?:\/\/\S+\/pay\/\S+/.exec(await page.getByRole('dialog').innerText())![0]
    const buyer = await open({ ...narrow, language })
    await buyer.goto(url)
    assert.match(await plain(buyer, 'body'), /1,400.*100/)
    await page.keyboard.press('Escape')
    await eventually(async () => assert.match(await plain(page), /1,400\.00/))
    assert.equal(await button(page, language, 'rest.go').count(), 0)
  })

/** The text of a key anywhere in a page. */
const textPatternIn = (language: Look['language'], key: Parameters<typeof textPattern>[1]): RegExp =>
  new RegExp(textPattern(language, key).source.slice(1, -1))

test('the card of a wrong amount in the queue collects the remaining too', async () => {
  await makeWrong('Q-1')
  const page = await openAs(staff.cashier, narrow)
  await visit(page, '/unmatched')
  await page.locator('button[aria-expanded]', { hasText: '1,400' }).first().click()
  await button(page, 'ar', 'rest.go').first().waitFor()
  await expectFits(page, 'queue')
})

/** Replaces what the browser would open: the share menu, the clipboard and the printer. Returns what they were given. */
const record = async (page: Page, sharesFiles: boolean): Promise<void> => {
  await page.addInitScript((shares) => {
    const told: string[] = []
    Object.assign(window, { told })
    window.print = () => void told.push('print')
    const clipboard = { writeText: async (text: string) => void told.push(`copied ${text}`) }
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
    if (!shares) return
    const share = async ({ files }: ShareData) => {
      for (const file of files ?? []) told.push(`shared ${file.name} ${file.type} ${file.size}`)
    }
    Object.assign(navigator, { canShare: () => true, share })
  }, sharesFiles)
}
const told = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as { told: string[] }).told)

test('an image is shared by the menu of the device where it takes files, else it is saved; the link is copied, and revoked', async () => {
  const id = await makePaid('1500.00', 'S 1/2')
  const page = await openAs(staff.cashier, narrow)
  await record(page, true)
  await visit(page, `/intents/${id}`)
  await button(page, 'ar', 'voucher.image').click()
  await eventually(async () => assert.match((await told(page)).join(), /shared S-1-2\.png image\/png [1-9]\d{3,}/))
  await button(page, 'ar', 'voucher.copy').click()
  await eventually(async () => assert.match((await told(page)).join(), /copied http\S+\/voucher\/\S{27}/))
  await button(page, 'ar', 'act.print').click()
  await eventually(async () => assert.ok((await told(page)).includes('print')))
  const url = /copied (\S+)/.exec((await told(page)).join(' '))![1]!
  assert.equal((await fetch(url)).status, 200)
  await button(page, 'ar', 'voucher.revoke').click()
  // The dialog gets its name a moment after it is there.
  await page.locator('[role=dialog][aria-labelledby]').waitFor()
  await expectNoFaults(page, 'revoking')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: textPattern('ar', 'voucher.revoke') })
    .click()
  await eventually(async () => assert.equal((await fetch(url)).status, 404))

  const other = await openAs(staff.cashier, narrow)
  await visit(other, `/intents/${id}`)
  const [download] = await Promise.all([other.waitForEvent('download'), button(other, 'ar', 'voucher.image').click()])
  assert.equal(download.suggestedFilename(), 'S-1-2.png')
})

test('a viewer prints a voucher and does not share it', async () => {
  const page = await openAs(staff.viewer, narrow)
  await visit(page, `/intents/${paid}`)
  await button(page, 'ar', 'act.print').waitFor()
  assert.equal(await button(page, 'ar', 'voucher.image').count(), 0)
  assert.equal(await button(page, 'ar', 'voucher.copy').count(), 0)
})

test('the paid card of the counter has the same buttons', async () => {
  const page = await openAs(staff.cashier, narrow)
  await record(page, true)
  await visit(page, '/counter?q=A-1042')
  await button(page, 'ar', 'voucher.image').click()
  await eventually(async () => assert.match((await told(page)).join(), /shared A-1042\.png/))
  await button(page, 'ar', 'act.print').waitFor()
  await expectGood(page, 'counter')
})

const papers = [
  ['58mm', '150mm'],
  ['80mm', '150mm'],
  ['105mm', '148mm'],
] as const
const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
/** The widest right and left ends of texts, on a screen as wide as the paper. */
const expectPrintFits = async (page: Page, sheet: string, width: string): Promise<void> => {
  await page.emulateMedia({ media: 'print' })
  const paper_px = Math.floor(((Number.parseInt(width, 10) - 6) / 25.4) * 96)
  await page.setViewportSize({ width: paper_px, height: 700 })
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  assert.ok(content! <= window!, `${sheet} on ${width}: ${content} of ${window}`)
  assert.ok(await page.locator(sheet).isVisible())
  await page.emulateMedia({ media: null })
}

for (const language of bothLanguages)
  test(`a voucher is printed on one page of 58 mm, 80 mm and A6, and nothing is cut, ${language}`, async () => {
    const large = await makePaid('999999999999.99', `${'طلبية-طويلة-جدا-'.repeat(7)}`)
    const page = await openAs(staff.cashier, { ...narrow, language })
    const share = async (id: string): Promise<string> =>
      (await staff.cashier.ask('POST', `/intents/${id}/voucher/`)).body.url
    const pages: readonly (readonly [string, string])[] = [
      [`${origin}/intents/${paid}`, 'body > [data-tone]'],
      [`${origin}/intents/${large}`, 'body > [data-tone]'],
      [`${origin}/intents/${wrong}`, 'body > [data-tone]'],
      [`${await share(paid)}?lang=${language}`, '.card'],
      [`${await share(large)}?lang=${language}`, '.card'],
      [`${await share(wrong)}?lang=${language}`, '.card'],
    ]
    for (const [url, sheet] of pages) {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(url)
      await page.locator(sheet).waitFor({ state: 'attached' })
      for (const [width, height] of papers) {
        assert.equal(pagesOf(await page.pdf({ width, height })), 1, `${url} on ${width}`)
        await expectPrintFits(page, sheet, width)
      }
    }
  })

test('the public page works without a sign-in and without scripts, and its buttons with them', async () => {
  const url = (await staff.cashier.ask('POST', `/intents/${paid}/voucher/`)).body.url
  for (const language of bothLanguages)
    for (const scheme of ['light', 'dark'] as const) {
      const page = await open({ language, width: 390, scheme })
      await record(page, true)
      await page.goto(url)
      assert.match(await plain(page, 'body'), /1,500 ?\.00.*A-1042.*عبد الرحمن/)
      assert.doesNotMatch(await plain(page, 'body'), /المثال/)
      await page.click('[data-act=image]')
      await eventually(async () => assert.match((await told(page)).join(), /shared sanad\.png image\/png [1-9]\d{3,}/))
      await page.click('[data-act=copy]')
      await page.click('[data-act=print]')
      await eventually(async () => {
        const all = await told(page)
        assert.ok(all.includes(`copied ${url}`) && all.includes('print'), all.join())
      })
      await expectGood(page, 'public')
    }
})
