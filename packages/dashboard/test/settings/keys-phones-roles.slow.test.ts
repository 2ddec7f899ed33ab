/** Keys, phones and roles in a real browser: secrets are shown once, and no user sees more than their role allows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nativeClient, pair } from '@sanad/agent/native-client'
import { simulatedHealth } from '@sanad/agent/phone'
import { patient } from '@sanad/agent/post'
import { createMember, createMembers } from '../../../server/test/support/users.ts'
import {
  bothLanguages,
  desktop,
  eventually,
  expectGood,
  expectNoFaults,
  phone as narrow,
  openDashboard,
  textPattern,
} from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { demo, clock } = service
const staff = await createMembers(service)
const pages = { ar: await openAs(staff.owner, narrow), en: await openAs(staff.owner, desktop) }
const patience = { ...patient, tries: 1 }

for (const language of bothLanguages) {
  test(`a key’s secret is shown once and works, ${language}`, async () => {
    const page = pages[language]
    await visit(page, '/keys')
    await page.getByRole('button', { name: textPattern(language, 'keys.new') }).click()
    await page
      .getByRole('textbox', { name: new RegExp(textPattern(language, 'field.name').source.slice(1, -1)) })
      .fill(`Till ${language}`)
    await page.getByRole('dialog').locator('button[type=submit]').click()
    const dialog = page.getByRole('dialog').filter({ hasText: textPattern(language, 'keys.made').source.slice(1, -1) })
    await dialog.waitFor()
    await expectGood(page, 'the secret')
    await dialog.locator('bdi.code').nth(1).waitFor()
    const [id, secret] = await dialog.locator('bdi.code').allInnerTexts()
    assert.ok(await service.tokenFor(id!, secret!))
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: textPattern(language, 'part.stored') }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText(`Till ${language}`).waitFor()
    assert.ok(!(await page.content()).includes(secret!))
  })

  test(`a phone connects with the code on the screen, and the screen shows it live, ${language}`, async () => {
    const page = pages[language]
    await visit(page, '/phones')
    await page.getByRole('button', { name: textPattern(language, 'act.addPhone') }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(`Phone ${language}`)
    await page.getByRole('dialog').locator('button[type=submit]').click()
    const dialog = page.getByRole('dialog').filter({ has: page.locator('img') })
    await dialog.waitFor()
    await expectGood(page, 'the pairing code')
    await dialog.locator('summary').click()
    const code = await dialog.locator('bdi.code').last().innerText()
    const agentInfo = { agent: 'story', version: '1', model: 'simulated', android: '0' }
    const paired = await pair(service.origin, code, agentInfo, patience)
    // The code was used: the dialog closes and the phone is shown.
    await page.waitForURL(`**/phones/${paired.device_id}`)
    const key = { deviceId: paired.device_id, secret: paired.secret }
    await nativeClient({ origin: service.origin, key, now: clock.now, patience }).heartbeat(simulatedHealth)
    await page.getByText(textPattern(language, 'phones.state.healthy')).first().waitFor()
    await page.getByText(textPattern(language, 'phones.by.app')).last().waitFor()
  })
}

const menuOf = async (page: (typeof pages)['en']): Promise<string[]> =>
  (await page.locator('nav a').allInnerTexts()).map((text) => text.split('\n')[0]!.trim())

test('a cashier sees payments and the queue, and neither phones nor keys', async () => {
  const page = await openAs(staff.cashier, desktop)
  await visit(page, '/')
  const menu = [
    'Counter',
    'Today',
    'Payment requests',
    'Unmatched',
    'Checkouts',
    'Payment links',
    'Wallets',
    'Shifts',
    'Settings',
  ]
  await eventually(async () => assert.deepEqual(await menuOf(page), menu))
  await visit(page, '/keys')
  await page.getByText(textPattern('en', 'frame.notAllowed')).waitFor()
  await visit(page, '/wallets')
  await page.getByText('Main wallet').waitFor()
  assert.equal(await page.getByRole('button', { name: textPattern('en', 'act.addWallet') }).count(), 0)
  await visit(page, '/intents')
  await page
    .getByRole('button', { name: textPattern('en', 'intents.new') })
    .first()
    .waitFor()
})

for (const language of bothLanguages)
  test(`the bottom bar of a narrow screen has one line of labels, also at 320, ${language}`, async () => {
    // A cashier has the most entries.
    const page = await openAs(staff.cashier, { ...narrow, language })
    await visit(page, '/intents')
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      const tabs = page.locator('nav > *')
      await tabs.nth(4).waitFor()
      assert.equal(await tabs.count(), 5)
      const places = await tabs.evaluateAll((all) =>
        all.map((tab) => {
          const label = document.createRange()
          label.selectNodeContents(tab.lastChild!)
          const { left, right } = tab.getBoundingClientRect()
          const text = label.getBoundingClientRect()
          return {
            icon: Math.round(tab.querySelector('svg')!.getBoundingClientRect().top),
            lines: label.getClientRects().length,
            fits: text.left >= Math.max(left, 0) && text.right <= Math.min(right, innerWidth),
          }
        }),
      )
      assert.deepEqual(
        places,
        places.map(() => ({ icon: places[0]!.icon, lines: 1, fits: true })),
        `at ${width}`,
      )
    }
  })

test('a viewer reads and changes nothing', async () => {
  const { body } = await service.create({ amount: '1234.00' })
  const page = await openAs(staff.viewer, desktop)
  await visit(page, `/intents/${body.id}`)
  await page.getByText(textPattern('en', 'intent.why')).waitFor()
  // Buttons that only show or print what the viewer may read.
  const harmless = ['voucher.image', 'act.print'] as const
  const names = await page.locator('main button').allInnerTexts()
  assert.deepEqual(
    names.filter((name) => !harmless.some((key) => textPattern('en', key).test(name.trim()))),
    [],
  )
  await visit(page, '/intents')
  await page.getByText('1,234.00 YER').waitFor()
  assert.equal(await page.getByRole('button', { name: textPattern('en', 'intents.new') }).count(), 0)
  await visit(page, '/first-payment')
  await page.getByText(textPattern('en', 'frame.notAllowed')).waitFor()
  await visit(page, `/phones/${demo.device.id}`)
  assert.equal(await page.getByRole('button', { name: textPattern('en', 'phones.pairAgain') }).count(), 0)
})

for (const language of bothLanguages) {
  test(`the start page shows an owner each new phone and key until the owner confirms it, ${language}`, async () => {
    await service.sql('delete from owner_notices')
    const page = pages[language]
    await visit(page, '/')
    await page.getByText(textPattern(language, 'today.roll')).first().waitFor()
    const title = page.getByRole('heading', { name: textPattern(language, 'notices.title') })
    assert.equal(await title.count(), 0, 'there are no notices yet')
    const created = (await staff.owner.ask('POST', '/phones/', { body: { name: `Told ${language}` } })).body
    const agentInfo = { agent: 'story', version: '1', model: 'simulated', android: '0' }
    await pair(service.origin, created.pairing.code, agentInfo, patience)
    // The open screen is updated by the live stream.
    await title.waitFor()
    const lines = page.getByRole('listitem').filter({ has: page.locator('a[href^="/phones/"], a[href="/keys"]') })
    await lines.filter({ hasText: new RegExp(`Told ${language}[^]*A owner`) }).waitFor()
    await page.locator(`a[href="/phones/${created.phone.id}"]`).waitFor()
    await staff.owner.ask('POST', '/keys/', { body: { name: `Key ${language}` } })
    await page.getByText(`Key ${language}`).waitFor()
    await expectGood(page, 'the notices')
    await lines
      .filter({ hasText: `Key ${language}` })
      .getByRole('button')
      .click()
    await page.getByText(`Key ${language}`).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText(`Told ${language}`).waitFor()
    assert.equal(await page.getByText(`Key ${language}`).count(), 0, 'a confirmed notice stays hidden')
    // Another owner has not confirmed either of them.
    const other = await createMember(service, staff.accountId, 'owner')
    const unseen = (await other.ask('GET', '/notices/?unseen=1')).body.results
    assert.equal(unseen.length, 2)
    await service.sql('delete from members where user_id = $1', [other.userId])
  })
}

test('a manager sees that only owners connect phones and change endpoints, and has no buttons for it', async () => {
  const created = await staff.owner.ask('POST', '/webhooks/', {
    body: { url: 'https://shop.example/hook', headers: { 'X-Shop': 'of-the-owner' } },
  })
  assert.equal(created.status, 201, created.text)
  const page = await openAs(staff.manager, desktop)
  await visit(page, '/')
  await page.getByText(textPattern('en', 'today.roll')).first().waitFor()
  assert.equal(await page.getByRole('heading', { name: textPattern('en', 'notices.title') }).count(), 0)
  await visit(page, '/phones')
  await page.getByText(textPattern('en', 'owner.phones')).waitFor()
  assert.equal(await page.getByRole('button', { name: textPattern('en', 'act.addPhone') }).count(), 0)
  await visit(page, `/phones/${demo.device.id}`)
  await page.getByText(textPattern('en', 'owner.phones')).waitFor()
  await page.getByRole('button', { name: textPattern('en', 'part.rename') }).waitFor()
  for (const key of ['phones.pair', 'phones.pairAgain'] as const)
    assert.equal(await page.getByRole('button', { name: textPattern('en', key) }).count(), 0, key)
  await visit(page, '/webhooks')
  await page.getByText(textPattern('en', 'owner.webhooks')).waitFor()
  await visit(page, `/webhooks/${created.body.webhook.id}`)
  await page.getByRole('button', { name: textPattern('en', 'part.change') }).click()
  const form = page.getByRole('dialog')
  await form.getByText(textPattern('en', 'owner.endpoint')).waitFor()
  const url = form.locator('input[type=url]')
  await eventually(async () =>
    assert.deepEqual([await url.inputValue(), await url.isEditable()], ['https://shop.example/hook', false]),
  )
  assert.equal(await form.getByText(textPattern('en', 'webhooks.headers')).count(), 0)
  await expectNoFaults(page, 'the form of a manager')
  await form.getByRole('switch').click()
  await form.locator('button[type=submit]').click()
  await form.waitFor({ state: 'detached' })
  const { enabled, header_names } = (await staff.owner.ask('GET', `/webhooks/${created.body.webhook.id}/`)).body
  assert.deepEqual([enabled, header_names], [false, ['X-Shop']])
})
