/**
 * The queue of unmatched money in a real browser: booking and its confirmation, other amounts, wrong amounts, doubts, the
 * next step for every message, and the search.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { shippedProviderId } from '../../../server/src/alerts/shipped/ship-templates.ts'
import { createAccount } from '../../../server/src/wallets/entries/create-account.ts'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { fastTest, languages, slowTest } from '../../../server/test/support/runs.ts'
import { purchaseText, transferText } from '../../../server/test/support/sms-texts.ts'
import { askAt } from '../../../server/test/support/story.ts'
import { createMember, createMembers } from '../../../server/test/support/users.ts'
import { all } from '../../src/words/all.ts'
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
const { demo, clock, sql } = service
const staff = await createMembers(service)
const phone = phoneOf(service.origin, clock.now, demo.device)
const pages = { ar: await openAs(staff.owner, narrow), en: await openAs(staff.owner, desktop) }

let reports = 0
const report = async (text: string, more: Record<string, unknown> = {}): Promise<void> => {
  const received_at = new Date(clock.now()).toISOString()
  const common = { kind: 'sms', sender: 'Jawali', sim_slot: 'SIM1', received_at }
  const answer = await phone.alerts([{ client_id: `booking-${++reports}`, ...common, text, ...more }])
  assert.equal(answer.status, 200, answer.text)
}
const purchase = (amount: string, reference: string): string => purchaseText(amount, reference, 'علي المثال')
const attach = (id: string, reference: string) => service.ask('PATCH', `/intents/${id}/`, { body: { reference } })
const statusOf = async (id: string): Promise<string> =>
  (await sql('select status from intents where id = $1', [id]))[0]![0]!
const stateOf = async (reference: string): Promise<string> =>
  (await sql('select state from alerts where reference = $1', [reference]))[0]![0]!

/** Opens the first card of the queue with this text, and returns it. */
const openCard = async (page: Page, line: string | RegExp): Promise<Locator> => {
  const card = page.getByRole('listitem').filter({ has: page.locator('button[aria-expanded]', { hasText: line }) })
  await card.first().locator('button[aria-expanded]').first().click()
  return card.first()
}
/** The text of an element without direction marks. */
const textOf = async (element: Locator): Promise<string> =>
  (await element.innerText()).replaceAll(/[\u2066-\u2069]/g, '')

for (const language of languages) {
  const page = pages[language]
  const amount = language === 'ar' ? '4500' : '4700'
  const amountText = language === 'ar' ? '4,500.00' : '4,700.00'

  test(`the confirmation of a booking shows the order, both amounts, the payer, and that a booking is final, ${language}`, async () => {
    const order = `A-1042-${language}`
    const reference = `81400000000${language === 'ar' ? 1 : 2}`
    const { body } = await service.create({ amount: `${amount}.00`, external_order_id: order })
    const { body: large } = await service.create({ amount: '196000.00', external_order_id: `large-${language}` })
    clock.advance(180_000)
    await report(purchase(amount, reference))
    await visit(page, '/unmatched')
    const card = await openCard(page, amountText)
    await card.getByRole('link', { name: order, exact: true }).waitFor()
    assert.equal(await card.getByText(`large-${language}`).count(), 0, 'another amount is not likely')
    await expectGood(page, 'an open card')
    await card.getByRole('button', { name: textPattern(language, 'act.book') }).click()
    const dialog = page.getByRole('dialog')
    await eventually(async () => {
      const text = await textOf(dialog)
      for (const part of [order, body.code, 'علي المثال']) assert.ok(text.includes(part), `${part}: ${text}`)
      assert.equal(text.split(amountText).length - 1, 3, 'in the title, for the alert and for the order')
    })
    await dialog.getByText(textPattern(language, 'book.final')).waitFor()
    assert.equal(await dialog.getByRole('textbox').count(), 0, 'the same amount needs no typing')
    await expectGood(page, 'the confirmation')
    await dialog.getByRole('button', { name: textPattern(language, 'act.book') }).click()
    await dialog.waitFor({ state: 'detached' })
    const line = page.getByRole('status').filter({ hasText: order })
    await line.getByRole('link').click()
    await page.waitForURL(`**/intents/${body.id}`)
    assert.deepEqual([await statusOf(body.id), await statusOf(large.id)], ['VERIFIED', 'PENDING'])
  })

  test(`to book another amount, the user must type the amount that arrived, ${language}`, async () => {
    const order = `B-77-${language}`
    const reference = `81400000001${language === 'ar' ? 1 : 2}`
    const { body } = await service.create({ amount: '196000.00', external_order_id: order })
    await report(purchase(language === 'ar' ? '3000' : '3100', reference))
    await visit(page, '/unmatched')
    const card = await openCard(page, language === 'ar' ? '3,000.00' : '3,100.00')
    await card.getByText(textPattern(language, 'likely.none')).waitFor()
    await card.getByRole('button', { name: textPattern(language, 'book.other') }).click()
    await card.getByRole('textbox').fill(order)
    await card.getByRole('button', { name: textPattern(language, 'act.find') }).click()
    await card.getByText(textPattern(language, 'likely.asksMore')).waitFor()
    await card.getByRole('button', { name: textPattern(language, 'act.book') }).click()
    const dialog = page.getByRole('dialog')
    const bookButton = dialog.getByRole('button', { name: textPattern(language, 'act.book') })
    await dialog.getByText(textPattern(language, 'book.less')).waitFor()
    await dialog.getByText(order).first().waitFor()
    assert.ok(await bookButton.isDisabled())
    const field = dialog.getByRole('textbox')
    for (const other of ['196000', '300', '3000.5']) {
      await field.fill(other)
      assert.ok(await bookButton.isDisabled(), other)
    }
    await field.press('Enter')
    assert.equal(await statusOf(body.id), 'PENDING')
    await expectGood(page, 'the confirmation of another amount')
    await field.fill(language === 'ar' ? '٣٬٠٠٠' : '3,100')
    await bookButton.click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('status').filter({ hasText: order }).waitFor()
    assert.equal(await statusOf(body.id), 'VERIFIED')
  })

  test(`the intent’s page shows a wrong amount, and the amount that arrived can be accepted for the order, ${language}`, async () => {
    const order = `W-1-${language}`
    const reference = `81400000002${language === 'ar' ? 1 : 2}`
    const { body } = await service.create({ amount: '1500.00', external_order_id: order })
    await attach(body.id, reference)
    await report(purchase('1400', reference))
    assert.equal(await statusOf(body.id), 'WRONG_AMOUNT')
    await visit(page, '/')
    await page.locator('main a[href="/unmatched?state=wrong_amount"]').first().click()
    await page.getByRole('listitem').filter({ hasText: '1,400.00' }).first().waitFor()
    const card = await openCard(page, '1,400.00')
    await card.getByText(order).waitFor()
    await card.getByRole('button', { name: textPattern(language, 'accept.go') }).waitFor()
    await expectGood(page, 'the card of a wrong amount')
    await visit(page, `/intents/${body.id}`)
    const sentence = await textOf(page.getByText(textPattern(language, 'ended.missing')))
    for (const figure of ['1,400.00', '1,500.00', '100.00']) assert.ok(sentence.includes(figure), sentence)
    await expectGood(page, 'the page of a wrong amount')
    await page.getByRole('button', { name: textPattern(language, 'accept.go') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(order).first().waitFor()
    await dialog.getByText(textPattern(language, 'book.final')).waitFor()
    await dialog.getByRole('button', { name: textPattern(language, 'accept.go') }).click()
    await dialog.waitFor({ state: 'detached' })
    const line = page.getByRole('status').filter({ hasText: order })
    await line.getByRole('link').click()
    await page.getByText(textPattern(language, 'state.VERIFIED')).first().waitFor()
    const acceptedId = page.url().split('/').at(-1)!
    assert.notEqual(acceptedId, body.id)
    assert.deepEqual([await statusOf(body.id), await statusOf(acceptedId)], ['WRONG_AMOUNT', 'VERIFIED'])
    await visit(page, `/intents/${body.id}`)
    await page.getByText(textPattern(language, 'intent.wrongOver')).waitFor()
    assert.equal(await page.getByRole('button', { name: textPattern(language, 'accept.go') }).count(), 0)
  })
}

slowTest('an alert of a wrong amount is dismissed from its card and leaves the queue', async () => {
  const { body } = await service.create({ amount: '1500.00', external_order_id: 'W-2' })
  await attach(body.id, '814000000031')
  await report(purchase('1501', '814000000031'))
  const page = pages.en
  await visit(page, `/intents/${body.id}`)
  await page.getByText(textPattern('en', 'ended.over')).waitFor()
  await visit(page, '/unmatched?state=wrong_amount')
  const card = await openCard(page, '1,501.00')
  await card.getByRole('button', { name: textPattern('en', 'dismiss.go') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Given back in cash')
  await dialog.getByRole('button', { name: textPattern('en', 'dismiss.go') }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('status').filter({ hasText: '1,501.00' }).waitFor()
  assert.equal(await stateOf('814000000031'), 'dismissed')
  await visit(page, '/')
  await page.getByRole('heading', { name: textPattern('en', 'today.roll') }).waitFor()
  assert.equal(await page.locator('main a[href="/unmatched?state=wrong_amount"]').count(), 0)
})

slowTest('an alert of a wrong amount is booked to another order of exactly that amount', async () => {
  const { body } = await service.create({ amount: '1500.00', external_order_id: 'W-3' })
  await attach(body.id, '814000000032')
  const { body: right } = await service.create({ amount: '1350.00', external_order_id: 'right-one' })
  await report(purchase('1350', '814000000032'))
  const page = pages.en
  await visit(page, '/unmatched?state=wrong_amount')
  const card = await openCard(page, '1,350.00')
  await card.getByText('W-3').waitFor()
  await card.getByRole('link', { name: 'right-one', exact: true }).waitFor()
  await card.getByRole('button', { name: textPattern('en', 'act.book') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: textPattern('en', 'act.book') }).click()
  await page.getByRole('status').filter({ hasText: 'right-one' }).waitFor()
  assert.deepEqual([await statusOf(body.id), await statusOf(right.id)], ['WRONG_AMOUNT', 'VERIFIED'])
})

slowTest(
  'in a new intent the test wallet is marked and never preselected; the last used wallet is preselected',
  async () => {
    const page = pages.en
    const wallet = () => page.getByRole('dialog').getByRole('combobox', { name: textPattern('en', 'field.wallet') })
    const waitForChoice = (name: RegExp) =>
      page.waitForFunction(
        (pattern) =>
          pattern.test(
            document.querySelector<HTMLSelectElement>('[role=dialog] select')?.selectedOptions[0]?.label ?? '',
          ),
        name,
      )
    await visit(page, '/intents?new=1')
    await page.getByRole('dialog').waitFor()
    await wallet().locator('option').filter({ hasText: 'Test wallet (Test)' }).waitFor({ state: 'attached' })
    await waitForChoice(/^(?!.*Test).+$/)
    await wallet().selectOption('Second wallet')
    await page.getByRole('textbox', { name: /^Amount/ }).fill('250')
    await page.getByRole('dialog').locator('button[type=submit]').click()
    await page.waitForURL(/\/intents\/[0-9a-f-]{36}$/)
    await visit(page, '/intents?new=1')
    await waitForChoice(/^Second wallet$/)
    await wallet().selectOption('Test wallet (Test)')
    await page.getByText(textPattern('en', 'newIntent.isTest')).waitFor()
    await page.getByRole('textbox', { name: /^Amount/ }).fill('260')
    await page.getByRole('dialog').locator('button[type=submit]').click()
    await page.waitForURL(/\/intents\/[0-9a-f-]{36}$/)
    await page.locator('main').getByText(textPattern('en', 'part.test')).first().waitFor()
    await visit(page, '/intents')
    await page.getByRole('row').filter({ hasText: '260.00' }).getByText(textPattern('en', 'part.test')).waitFor()
    await visit(page, '/intents?new=1')
    await waitForChoice(/^Second wallet$/)
  },
)

slowTest(
  'if the test wallet is the only one, a new intent has no wallet preselected, and the form says why',
  async () => {
    const newcomer = await createMember(
      service,
      await createAccount(service.db, 'A new shop', null, clock.now()),
      'owner',
    )
    const page = await openAs(newcomer, narrow)
    await visit(page, '/intents?new=1')
    const form = page.getByRole('dialog')
    await form.getByText(textPattern('ar', 'newIntent.onlyTest')).waitFor()
    assert.equal(await form.getByRole('combobox').inputValue(), '')
    assert.ok(await form.locator('button[type=submit]').isDisabled())
    await expectGood(page, 'the form')
  },
)

slowTest('the search finds intents and alerts by reference, its last digits, amount and payer', async () => {
  const { body } = await service.create({ amount: '7345.00', external_order_id: 'S-500' })
  await report(purchase('7345', '814000009876'))
  const page = pages.en
  const result = (name: RegExp) => page.locator('main a').filter({ hasText: name })
  await visit(page, '/')
  await page.keyboard.press('/')
  await page.keyboard.type('814000009876')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?q=814000009876')
  await result(/7,345\.00.*814000009876/s).waitFor()
  await page.getByText(textPattern('en', 'search.noIntents')).waitFor()
  await expectNoFaults(page, 'the results')
  for (const searched of ['9876', '7345', '7,345.00']) {
    await visit(page, `/search?q=${encodeURIComponent(searched)}`)
    await result(/7,345\.00.*814000009876/s).waitFor()
  }
  await result(/S-500/).waitFor()
  await visit(page, `/search?q=${encodeURIComponent('علي المثال')}`)
  await result(/814000009876/).waitFor()
  await visit(page, '/search?q=S-500')
  await result(/S-500/).click()
  await page.waitForURL(`**/intents/${body.id}`)
  await visit(page, '/search?q=814000009876')
  await result(/814000009876/).click()
  await page.waitForURL(/\/unmatched\/[0-9a-f-]{36}$/)
  await page.getByRole('link', { name: 'S-500', exact: true }).waitFor()
  await expectNoFaults(page, 'the page of money')
})

slowTest(
  'on a narrow screen one tap opens the search, and a search among intents links to matching alerts',
  async () => {
    const page = pages.ar
    await visit(page, '/intents?search=814000009876')
    await page.getByText(textPattern('ar', 'intents.inMoney')).waitFor()
    await page.getByRole('link', { name: textPattern('ar', 'intents.showMoney_one') }).click()
    await page.locator('main a').filter({ hasText: '814000009876' }).waitFor()
    await expectGood(page, 'the results')
    await visit(page, '/')
    await page.getByRole('link', { name: textPattern('ar', 'frame.search') }).click()
    await page.getByRole('textbox').fill('nothing like it')
    await page.getByText(new RegExp(textPattern('ar', 'search.none').source.slice(1, -1))).waitFor()
  },
)

test('the card of an alert without a reference shows its doubts', async () => {
  clock.advance(60_000)
  await report(transferText('1000', '10000.00'), { sim_slot: 'SIM2' })
  clock.advance(60_000)
  await report(transferText('611', '12000.00'), { sim_slot: 'SIM2' })
  const forwarded = await askAt(
    `${service.origin}/ingest/text/${demo.device.ingest_token}?from=Jawali&sim=SIM1`,
    'POST',
    { body: transferText('622', '50000.00') },
  )
  assert.equal(forwarded.status, 200, forwarded.text)
  for (const language of languages) {
    const page = pages[language]
    await visit(page, '/unmatched')
    const broken = await openCard(page, '611.00')
    const doubts = broken.getByRole('list', { name: textPattern(language, 'unmatched.lookTwice') })
    await doubts.getByText(new RegExp(textPattern(language, 'doubt.balance').source.slice(1, -1))).waitFor()
    await eventually(async () => assert.match(await textOf(broken), /1,389\.00/))
    const unsigned = await openCard(page, '622.00')
    await unsigned.getByText(textPattern(language, 'doubt.unsigned'), { exact: true }).waitFor()
    await expectGood(page, 'cards with doubts')
  }
})

slowTest(
  'a balance that does not follow from the previous one is accepted with one click, and the alert pays the order',
  async () => {
    const wallet = { name: 'Jaib wallet', account_number: '771234567', provider: shippedProviderId('jaib') }
    const phoneSettings = { phone: demo.device.id, sender_name: 'Jaib', review_broken_chains: true }
    const created = await staff.owner.ask('POST', '/wallets/', { body: { ...wallet, ...phoneSettings } })
    assert.equal(created.status, 201, created.text)
    clock.advance(60_000)
    const jaib = (amount: string, balance: string, reference: string) =>
      report(`أضيف ${amount}ر.ي مشتريات رص:${balance}ر.ي من 1234567 م:${reference}`, { sender: 'Jaib', sim_slot: '' })
    await jaib('100', '1100', '10000000000001')
    clock.advance(60_000)
    const { body } = await service.create({ wallet: created.body.id, amount: '733.00', external_order_id: 'chain' })
    await attach(body.id, '10000000000002')
    await jaib('733', '1333', '10000000000002')
    assert.equal(await statusOf(body.id), 'PENDING')
    const page = pages.ar
    await visit(page, '/unmatched?state=review')
    const card = await openCard(page, '733.00')
    assert.match(await textOf(card.getByText(textPattern('ar', 'step.left'))), /500\.00/)
    await expectGood(page, 'a card whose balance does not follow')
    await card.getByRole('button', { name: textPattern('ar', 'step.acceptBalance') }).click()
    await page.getByRole('status').filter({ hasText: 'chain' }).waitFor()
    assert.equal(await statusOf(body.id), 'VERIFIED')
  },
)

slowTest('a user chooses the wallet of a message that fits two wallets', async () => {
  const { body } = await service.create({ amount: '811.00', external_order_id: 'two-wallets' })
  await attach(body.id, '814000008110')
  await report(purchase('811', '814000008110'), { sim_slot: '' })
  const page = pages.ar
  await visit(page, '/unmatched')
  const card = await openCard(page, all.ar['short.which_wallet'])
  await card.getByText(textPattern('ar', 'step.choose')).waitFor()
  await expectNoFaults(page, 'a card that asks for its wallet')
  await card.getByRole('button', { name: 'Main wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Main wallet').first().waitFor()
  await dialog.getByRole('button', { name: textPattern('ar', 'step.chooseGo') }).click()
  await page.getByRole('status').filter({ hasText: 'two-wallets' }).waitFor()
  assert.equal(await statusOf(body.id), 'VERIFIED')
})

slowTest('every message that was not understood has a next step', async () => {
  await report('Your package is on its way', { sender: 'Jawali' })
  await report('استلمت حوالة من علي المثال بمبلغ 250.00 ر.ي رصيدك 250.00 ر.ي', { sender: 'Floosak' })
  const page = pages.en
  await visit(page, '/unmatched?state=unread')
  const unread = await openCard(page, 'Not understood')
  await unread.getByRole('link', { name: textPattern('en', 'step.template') }).waitFor()
  await unread.getByRole('button', { name: textPattern('en', 'step.readAgain') }).click()
  await unread.getByText(textPattern('en', 'step.readSame')).waitFor()
  await unread.getByRole('button', { name: textPattern('en', 'dismiss.go') }).waitFor()
  const unknown = await openCard(page, all.en['short.unknown_sender'])
  const bind = unknown.getByRole('link', { name: textPattern('en', 'step.bind') })
  assert.equal(await bind.getAttribute('href'), `/wallets?new=1&sender=Floosak&phone=${demo.device.id}`)
  await expectNoFaults(page, 'messages that were not understood')
  const cashierPage = await openAs(staff.cashier, narrow)
  await visit(cashierPage, '/unmatched?state=unread')
  const card = await openCard(cashierPage, all.ar['short.unknown_sender'])
  await card.getByText(textPattern('ar', 'step.bindAsk')).waitFor()
  await card.getByRole('button', { name: textPattern('ar', 'dismiss.go') }).waitFor()
})

slowTest('a repeated message without a reference can be marked as another payment', async () => {
  clock.advance(60_000)
  await report(transferText('945', '99000'), { sim_slot: 'SIM2' })
  await report(transferText('945', '99000'), { sim_slot: 'SIM2' })
  const rows = await sql('select id, state, reason from alerts where amount = 94500 order by id')
  const [id, state, reason] = rows.at(-1)!
  assert.deepEqual([state, reason], ['duplicate', 'same_text'])
  const page = pages.en
  await visit(page, `/unmatched/${id}`)
  await expectNoFaults(page, 'the page of a repeated message')
  await page.getByRole('button', { name: textPattern('en', 'step.another') }).click()
  await page.getByText(textPattern('en', 'unmatched.state.review')).first().waitFor()
})

fastTest('money of an order’s claimed payer is listed first, and one click books it', async () => {
  const page = pages.ar
  // A phone that was paired today would be a doubt.
  await sql(`update devices set paired_at = paired_at - interval '3 days' where id = $1`, [demo.device.id])
  const { body: order } = await service.create({ amount: '6161.00', external_order_id: 'payer-1' })
  await visit(page, `/intents/${order.id}`)
  await page.getByRole('button', { name: textPattern('ar', 'payer.add') }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(textPattern('ar', 'payer.phone')).fill('+967 770 000 000')
  await form.getByLabel(textPattern('ar', 'payer.name')).fill('علي المثال')
  await expectGood(page, 'the form of the payer')
  await form.getByRole('button', { name: textPattern('ar', 'part.save') }).click()
  await page.getByText(textPattern('ar', 'payer.source.member')).waitFor()
  await report(transferText('6161', '105161', '77XXXX000'), { sim_slot: 'SIM1' })
  clock.advance(1_000)
  await report(purchase('8181', '814000000881'))
  await visit(page, '/unmatched')
  const first = page
    .getByRole('listitem')
    .filter({ has: page.locator('button[aria-expanded]') })
    .first()
  await first
    .getByText(textPattern('ar', 'likely.same_phone_shown'))
    .or(first.getByText(/نفس رقم هاتف المشتري/))
    .first()
    .waitFor()
  await expectGood(page, 'the order of the same payer')
  await first.getByRole('button', { name: textPattern('ar', 'book.atOnce') }).click()
  await page.getByRole('status').filter({ hasText: 'payer-1' }).waitFor()
  assert.equal(await statusOf(order.id), 'VERIFIED')
})

slowTest('a viewer sees the queue and can change nothing in it', async () => {
  const page = await openAs(staff.viewer, desktop)
  await visit(page, '/unmatched')
  const card = await openCard(page, '7,345.00')
  await card.getByRole('link', { name: 'S-500', exact: true }).waitFor()
  // Only the line itself, and the button that shows the message.
  await eventually(async () => assert.equal(await card.getByRole('button').count(), 2))
})
