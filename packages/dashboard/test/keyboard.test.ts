/**
 * Whoever has only a keyboard in the settings, among webhooks and templates, and as an operator: everything that can be used
 * is reached, and where one stands is seen, on the page and in every window that opens over it.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedProviderId } from '../../server/src/alerts/shipped/ship-templates.ts'
import { createMembers } from '../../server/test/support/users.ts'
import { desk, expectFits, expectKeyboard, openDashboard, phone, said } from './browser.ts'

const { house, openAs, visit, complaints } = await openDashboard()
const staff = await createMembers(house)
await house.sql('update users set operator = true where id = $1', [staff.owner.userId])
await house.sql('update users set disabled_at = now() where id = $1', [staff.viewer.userId])
await staff.owner.ask('POST', '/invitations/', { body: { email: 'new@shop.example', role: 'cashier' } })

const hook = await staff.owner.ask('POST', '/webhooks/', { body: { url: 'https://shop.example/hook' } })
assert.equal(hook.status, 201, hook.text)
const drafted = await staff.owner.ask('POST', '/templates/', {
  body: {
    provider: shippedProviderId('jawali'),
    name: 'Gift',
    sender_names: ['Jawali'],
    sentence: 'Gift of {amount:money} YER, ref {reference:reference}.',
    samples: [{ text: 'Gift of 1,500 YER, ref 12345.', expect: { amount: '1500.00', reference: '12345' } }],
    counter_samples: [{ text: 'Gift sent: 1,500 YER, ref 12345.', why: 'money out' }],
  },
})
assert.equal(drafted.status, 201, drafted.text)
const [[shared]] = (await house.sql(
  `select id from alert_templates where status = 'active' and account_id is null limit 1`,
)) as [[string]]

const endpoint = `/webhooks/${hook.body.webhook.id}`
const template = `/templates/${drafted.body.id}`
const account = `/operator/accounts/${staff.accountId}`

const paths = [
  '/settings/you',
  '/settings/account',
  '/settings/members',
  '/settings/audit',
  '/webhooks',
  endpoint,
  '/templates',
  '/templates/new',
  template,
  '/operator/health',
  '/operator/accounts',
  account,
  '/operator/providers',
  '/operator/templates',
  `/operator/templates/${shared}`,
  '/operator/audit',
]

/** Where each window opens, and by which button. */
const windows = [
  ['/settings/you', 'you.passwordChange'],
  ['/settings/you', 'you.factorSetUp'],
  ['/settings/members', 'members.invite'],
  ['/settings/members', 'members.change'],
  ['/webhooks', 'webhooks.new'],
  [endpoint, 'part.change'],
  [endpoint, 'webhooks.rotate'],
  [template, 'templates.addSample'],
  [template, 'templates.addCounter'],
  ['/operator/accounts', 'opAccounts.new'],
  [account, 'opAccounts.setQuota'],
  ['/operator/providers', 'opProviders.new'],
  ['/operator/templates', 'opTemplates.new'],
] as const

test('every page of settings, webhooks, templates and operators is walked through by Tab', async () => {
  const page = await openAs(staff.owner, { ...desk, scheme: 'dark' })
  for (const path of paths) {
    await visit(page, path)
    await page.waitForFunction(() => document.querySelector('main [role=status] .mantine-Skeleton-root') === null)
    await expectKeyboard(page, path)
  }
  await page.context().close()
})

test('every form that opens over them is opened, walked through and left by the keyboard alone', async () => {
  const page = await openAs(staff.owner, desk)
  for (const [path, key] of windows) {
    await visit(page, path)
    const opener = page.getByRole('button', { name: said('en', key) }).first()
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    // What floats takes the keyboard along.
    await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]') !== null)
    await expectKeyboard(page, `${path}: ${key}`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // And gives it back to where it was opened.
    await page.waitForFunction(() => document.activeElement?.tagName === 'BUTTON')
    assert.ok(await opener.evaluate((one) => one === document.activeElement), `${path}: ${key}`)
  }
  await page.context().close()
})

test('the list of members says who is shut out of the service, and nobody else is said to be', async () => {
  const page = await openAs(staff.owner, phone)
  await visit(page, '/settings/members')
  const shut = page.getByText(said('ar', 'members.disabled'))
  await shut.waitFor()
  assert.equal(await shut.count(), 1)
  const card = page.getByRole('listitem').filter({ has: shut })
  await card.getByText(staff.viewer.email).waitFor()
  await expectFits(page, 'members')
  await page.context().close()
})

test('nothing complained in the console', () => {
  assert.deepEqual(complaints, [])
})
