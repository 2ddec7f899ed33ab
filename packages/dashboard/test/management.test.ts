/** Keys, phones and roles through the real browser: secrets are shown once, and nobody sees more than their role. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nativeClient, pair } from '@sanad/agent/native-client'
import { wellness } from '@sanad/agent/phone'
import { patient } from '@sanad/agent/post'
import { people, somebody } from '../../server/test/people.ts'
import { desk, expectFits, expectNoFaults, phone as narrow, openDashboard, said } from './browser.ts'

const { house, openAs, visit, complaints } = await openDashboard()
const { demo, clock } = house
const staff = await people(house)
const pages = { ar: await openAs(staff.owner, narrow), en: await openAs(staff.owner, desk) }
const patience = { ...patient, tries: 1 }

for (const language of ['ar', 'en'] as const) {
  test(`a key’s secret is shown once and works, ${language}`, async () => {
    const page = pages[language]
    await visit(page, '/keys')
    await page.getByRole('button', { name: said(language, 'keys.new') }).click()
    await page
      .getByRole('textbox', { name: new RegExp(said(language, 'keys.name').source.slice(1, -1)) })
      .fill(`Till ${language}`)
    await page.getByRole('dialog').locator('button[type=submit]').click()
    const shown = page.getByRole('dialog').filter({ hasText: said(language, 'keys.made').source.slice(1, -1) })
    await shown.waitFor()
    await expectNoFaults(page, 'the secret')
    await expectFits(page, 'the secret')
    const [id, secret] = await shown.locator('bdi.code').allInnerTexts()
    assert.ok(await house.tokenFor(id!, secret!))
    await page.keyboard.press('Escape')
    await shown.getByRole('button', { name: said(language, 'part.stored') }).click()
    await shown.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText(`Till ${language}`).waitFor()
    assert.ok(!(await page.content()).includes(secret!))
  })

  test(`a phone pairs with the code on the screen, and the screen sees it live, ${language}`, async () => {
    const page = pages[language]
    await visit(page, '/phones')
    await page.getByRole('button', { name: said(language, 'phones.new') }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(`Phone ${language}`)
    await page.getByRole('dialog').locator('button[type=submit]').click()
    const shown = page.getByRole('dialog').filter({ has: page.locator('img') })
    await shown.waitFor()
    await expectNoFaults(page, 'the pairing code')
    await expectFits(page, 'the pairing code')
    const code = await shown.locator('bdi.code').innerText()
    const about = { agent: 'story', version: '1', model: 'simulated', android: '0' }
    const paired = await pair(house.origin, code, about, patience)
    // The code was taken: the window goes on to the phone by itself.
    await page.waitForURL(`**/phones/${paired.device_id}`)
    const key = { deviceId: paired.device_id, secret: paired.secret }
    await nativeClient({ origin: house.origin, key, now: clock.now, patience }).heartbeat(wellness)
    await page.getByText(said(language, 'phones.state.healthy')).first().waitFor()
    await page.getByText(said(language, 'phones.paired')).last().waitFor()
  })
}

const railOf = async (page: (typeof pages)['en']): Promise<string[]> =>
  (await page.locator('nav a').allInnerTexts()).map((text) => text.split('\n')[0]!.trim())

test('a cashier sees payments and the queue, and neither phones nor keys', async () => {
  const page = await openAs(staff.cashier, desk)
  await visit(page, '/')
  assert.deepEqual(await railOf(page), ['Today', 'Payment requests', 'Unmatched', 'Wallets', 'Settings'])
  await visit(page, '/keys')
  await page.getByText(said('en', 'frame.notAllowed')).waitFor()
  await visit(page, '/wallets')
  await page.getByText('Main wallet').waitFor()
  assert.equal(await page.getByRole('button', { name: said('en', 'wallets.new') }).count(), 0)
  await visit(page, '/intents')
  assert.equal(await page.getByRole('button', { name: said('en', 'intents.new') }).count(), 1)
  await page.context().close()
})

test('a viewer reads and changes nothing', async () => {
  const { body } = await house.create({ amount: '1234.00' })
  const page = await openAs(staff.viewer, desk)
  await visit(page, `/intents/${body.id}`)
  await page.getByText(said('en', 'intent.why')).waitFor()
  assert.equal(await page.locator('main button').count(), 0, await page.locator('main').innerText())
  await visit(page, '/intents')
  await page.getByText('1,234.00 YER').waitFor()
  assert.equal(await page.getByRole('button', { name: said('en', 'intents.new') }).count(), 0)
  await visit(page, '/first-payment')
  await page.getByText(said('en', 'frame.notAllowed')).waitFor()
  await visit(page, `/phones/${demo.device.id}`)
  assert.equal(await page.getByRole('button', { name: said('en', 'phones.pairAgain') }).count(), 0)
  await page.context().close()
})

for (const language of ['ar', 'en'] as const) {
  test(`an owner reads on the day’s screen what was connected and made, and says that they know, ${language}`, async () => {
    await house.sql('delete from owner_notices')
    const page = pages[language]
    await visit(page, '/')
    await page.getByText(said(language, 'today.chart')).first().waitFor()
    const title = page.getByRole('heading', { name: said(language, 'notices.title') })
    assert.equal(await title.count(), 0, 'nothing to know of')
    const made = (await staff.owner.ask('POST', '/phones/', { body: { name: `Told ${language}` } })).body
    const about = { agent: 'story', version: '1', model: 'simulated', android: '0' }
    await pair(house.origin, made.pairing.code, about, patience)
    // Without anybody asking: the open screen hears of it.
    await title.waitFor()
    const lines = page.getByRole('listitem').filter({ has: page.locator('a[href^="/phones/"], a[href="/keys"]') })
    assert.match((await lines.allInnerTexts()).join(), new RegExp(`Told ${language}[^]*A owner`))
    assert.equal(await page.locator(`a[href="/phones/${made.phone.id}"]`).count(), 1)
    await staff.owner.ask('POST', '/keys/', { body: { name: `Key ${language}` } })
    await page.getByText(`Key ${language}`).waitFor()
    await expectNoFaults(page, 'the notices')
    await expectFits(page, 'the notices')
    await lines
      .filter({ hasText: `Key ${language}` })
      .getByRole('button')
      .click()
    await page.getByText(`Key ${language}`).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText(`Told ${language}`).waitFor()
    assert.equal(await page.getByText(`Key ${language}`).count(), 0, 'it stays seen')
    // Another owner has not seen either of them.
    const other = await somebody(house, staff.accountId, 'owner')
    const theirs = (await other.ask('GET', '/notices/?unseen=1')).body.results
    assert.equal(theirs.length, 2)
    await house.sql('delete from members where user_id = $1', [other.userId])
  })
}

test('a manager reads who connects phones and moves endpoints, and is offered neither', async () => {
  const made = await staff.owner.ask('POST', '/webhooks/', {
    body: { url: 'https://shop.example/hook', headers: { 'X-Shop': 'of-the-owner' } },
  })
  assert.equal(made.status, 201, made.text)
  const page = await openAs(staff.manager, desk)
  await visit(page, '/')
  await page.getByText(said('en', 'today.chart')).first().waitFor()
  assert.equal(await page.getByRole('heading', { name: said('en', 'notices.title') }).count(), 0)
  await visit(page, '/phones')
  await page.getByText(said('en', 'owner.phones')).waitFor()
  assert.equal(await page.getByRole('button', { name: said('en', 'phones.new') }).count(), 0)
  await visit(page, `/phones/${demo.device.id}`)
  await page.getByText(said('en', 'owner.phones')).waitFor()
  await page.getByRole('button', { name: said('en', 'part.rename') }).waitFor()
  for (const key of ['phones.pair', 'phones.pairAgain', 'phones.letIn'] as const)
    assert.equal(await page.getByRole('button', { name: said('en', key) }).count(), 0, key)
  await visit(page, '/webhooks')
  await page.getByText(said('en', 'owner.webhooks')).waitFor()
  await visit(page, `/webhooks/${made.body.webhook.id}`)
  await page.getByRole('button', { name: said('en', 'part.change') }).click()
  const form = page.getByRole('dialog')
  await form.getByText(said('en', 'owner.endpoint')).waitFor()
  const url = form.locator('input[type=url]')
  assert.deepEqual([await url.inputValue(), await url.isEditable()], ['https://shop.example/hook', false])
  assert.equal(await form.getByText(said('en', 'webhooks.headers')).count(), 0)
  await expectNoFaults(page, 'the form of a manager')
  await form.getByRole('switch').click()
  await form.locator('button[type=submit]').click()
  await form.waitFor({ state: 'detached' })
  const { enabled, header_names } = (await staff.owner.ask('GET', `/webhooks/${made.body.webhook.id}/`)).body
  assert.deepEqual([enabled, header_names], [false, ['X-Shop']])
  await page.context().close()
})

test('nothing complained in the console', () => {
  assert.deepEqual(complaints, [])
})
