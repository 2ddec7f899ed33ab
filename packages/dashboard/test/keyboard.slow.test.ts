/**
 * The pages of settings, webhooks, templates and operators by keyboard alone: every control is reached and the focus is
 * visible, on the pages and in their dialogs.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedProviderId } from '../../server/src/alerts/shipped/ship-templates.ts'
import { createMembers } from '../../server/test/support/users.ts'
import { desktop, eventually, expectFits, expectKeyboard, openDashboard, phone, textPattern } from './browser.ts'

const { service, openAs, visit } = await openDashboard()
const staff = await createMembers(service)
await service.sql('update users set operator = true where id = $1', [staff.owner.userId])
await service.sql('update users set disabled_at = now() where id = $1', [staff.viewer.userId])
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
const [[shared]] = (await service.sql(
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
  '/settings/notices',
  '/webhooks',
  endpoint,
  '/templates',
  '/templates/new',
  template,
  '/operator/health',
  '/operator/findings',
  '/operator/accounts',
  account,
  '/operator/providers',
  '/operator/templates',
  `/operator/templates/${shared}`,
  '/operator/audit',
]

/** The page of each dialog, and the button that opens it. */
const dialogs = [
  ['/settings/you', 'you.passwordChange'],
  ['/settings/you', 'you.factorSetUp'],
  ['/settings/members', 'members.invite'],
  ['/settings/members', 'members.change'],
  ['/webhooks', 'act.addEndpoint'],
  [endpoint, 'part.change'],
  [endpoint, 'act.newSecret'],
  [template, 'templates.addSample'],
  [template, 'templates.addCounter'],
  ['/operator/accounts', 'opAccounts.new'],
  [account, 'opAccounts.setQuota'],
  ['/operator/providers', 'opProviders.new'],
  ['/operator/templates', 'act.newTemplate'],
] as const

test('Tab reaches every control on the pages of settings, webhooks, templates and operators', async () => {
  const page = await openAs(staff.owner, { ...desktop, scheme: 'dark' })
  for (const path of paths) {
    await visit(page, path)
    await page.waitForFunction(() => document.querySelector('main [role=status] .mantine-Skeleton-root') === null)
    await expectKeyboard(page, path)
  }
})

test('every dialog of these pages is opened, used and closed by the keyboard alone', async () => {
  const page = await openAs(staff.owner, desktop)
  for (const [path, key] of dialogs) {
    await visit(page, path)
    const opener = page.getByRole('button', { name: textPattern('en', key) }).first()
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    // The dialog takes the focus.
    await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]') !== null)
    // Some fields are loaded later.
    await page.waitForFunction(() => document.querySelector('[role=dialog] .mantine-Skeleton-root') === null)
    await expectKeyboard(page, `${path}: ${key}`)
    // In a field with an open list, Escape closes the list and not the dialog.
    await dialog.getByRole('button').first().focus()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // After the dialog is closed, the button that opened it has the focus again.
    await page.waitForFunction(() => document.activeElement?.tagName === 'BUTTON')
    assert.ok(await opener.evaluate((button) => button === document.activeElement), `${path}: ${key}`)
  }
})

test('the list of members marks disabled users, and only those', async () => {
  const page = await openAs(staff.owner, phone)
  await visit(page, '/settings/members')
  const disabled = page.getByText(textPattern('ar', 'members.disabled'))
  await eventually(async () => assert.equal(await disabled.count(), 1))
  const card = page.getByRole('listitem').filter({ has: disabled })
  await card.getByText(staff.viewer.email).waitFor()
  await expectFits(page, 'members')
})
