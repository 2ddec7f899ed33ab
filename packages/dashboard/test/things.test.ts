/** Keys, phones and roles through the real browser: secrets are shown once, and nobody sees more than their role. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nativeClient, pair } from '@sanad/agent/native-client'
import { wellness } from '@sanad/agent/phone'
import { patient } from '@sanad/agent/post'
import { people } from '../../server/test/people.ts'
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
    await page.getByText(said(language, 'phones.state.healthy')).waitFor()
    await page.getByText(said(language, 'phones.paired')).waitFor()
  })
}

const railOf = async (page: (typeof pages)['en']): Promise<string[]> =>
  (await page.locator('nav a').allInnerTexts()).map((text) => text.split('\n')[0]!.trim())

test('a cashier sees payments and the queue, and neither phones nor keys', async () => {
  const page = await openAs(staff.cashier, desk)
  await visit(page, '/')
  assert.deepEqual(await railOf(page), ['Today', 'Intents', 'Unmatched', 'Wallets', 'Settings'])
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

test('nothing complained in the console', () => {
  assert.deepEqual(complaints, [])
})
