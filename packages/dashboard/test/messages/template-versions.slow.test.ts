/** An account's own template in a real browser: a next version replaces it, and is retired. Also renaming keys and phones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedProviderId } from '../../../server/src/alerts/shipped/ship-templates.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { desktop, expectFits, expectNoFaults, openDashboard, phone } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { owner } = await createMembers(service)

const created = await owner.ask('POST', '/templates/', {
  body: {
    provider: shippedProviderId('jawali'),
    name: 'Gift',
    sender_names: ['Jawali'],
    sentence: 'Gift of {amount:money} YER, ref {reference:reference}.',
    samples: [{ text: 'Gift of 1,500 YER, ref 12345.', expect: { amount: '1500.00', reference: '12345' } }],
    counter_samples: [{ text: 'Gift sent: 1,500 YER, ref 12345.', why: 'money out' }],
  },
})
assert.equal(created.status, 201, JSON.stringify(created.body))
const first: string = created.body.id
assert.equal((await owner.ask('POST', `/templates/${first}/publish/`)).status, 200)

const statusOf = async (id: string): Promise<string> => (await owner.ask('GET', `/templates/${id}/`)).body.status

test('the next version is drafted from the active one, published in its place, and retired', async () => {
  const page = await openAs(owner, desktop)
  await visit(page, `/templates/${first}`)
  await page.getByRole('button', { name: 'Next version' }).click()
  await page.waitForURL((url) => url.pathname.startsWith('/templates/') && !url.pathname.endsWith(first))
  const second = new URL(page.url()).pathname.split('/')[2]!

  await page.waitForSelector('main >> text=Version 2')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Gift, second wording')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForSelector('h1:text-is("Gift, second wording")')
  // Enabled once the saved version reads its samples.
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.waitForSelector('[role=dialog] >> text=The version before it is retired.')
  await page.locator('[role=dialog]').getByRole('button', { name: 'Publish' }).click()
  await page.waitForSelector('[role=dialog]', { state: 'detached' })
  await page.waitForSelector('main >> text="Active"')
  assert.deepEqual([await statusOf(first), await statusOf(second)], ['retired', 'active'])

  await page.getByRole('button', { name: 'Retire' }).click()
  await page.waitForSelector('[role=dialog] >> text=will no longer be understood')
  await expectNoFaults(page, 'the confirmation before retiring')
  await page.locator('[role=dialog]').getByRole('button', { name: 'Retire' }).click()
  await page.waitForSelector('[role=dialog]', { state: 'detached' })
  await page.waitForSelector('main >> text=Retired')
  assert.equal(await statusOf(second), 'retired')
})

test('an API key and a phone are renamed, in Arabic on a narrow screen', async () => {
  const page = await openAs(owner, phone)
  await visit(page, '/keys')
  await page.getByRole('button', { name: 'تعديل' }).first().click()
  const name = page.locator('[role=dialog] input').first()
  await name.fill('خادم المتجر 2')
  await expectNoFaults(page, 'renaming a key')
  await page.keyboard.press('Enter')
  await page.waitForSelector('li:has-text("خادم المتجر 2")')
  await visit(page, `/phones/${service.demo.device.id}`)
  await page.getByRole('button', { name: 'تغيير الاسم' }).click()
  await name.fill(' ')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[role=dialog] >> text=لا يمكن تركه فارغًا.')
  await name.fill('هاتف الصندوق')
  await page.keyboard.press('Enter')
  await page.waitForSelector('h1:text-is("هاتف الصندوق")')
  await expectFits(page, 'a phone')
})
