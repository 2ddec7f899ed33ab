/** A user with two accounts and a tab for each: a change in a tab applies to the account that the tab shows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { accountOfWallet, createMember } from '../../../server/test/support/users.ts'
import { desktop, eventually, openDashboard } from '../browser.ts'

const { service, openAs, visit } = await openDashboard({}, undefined, { consoleErrors: 'allowed' })
const accountId = await accountOfWallet(service, service.demo.wallets.main)
const otherId = await accountOfWallet(service, service.demo.other.wallet)

const createMemberOfTwo = async () => {
  const member = await createMember(service, accountId, 'manager')
  await service.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'manager', now())`, [
    otherId,
    member.userId,
  ])
  return member
}
const nameOf = async (id: string): Promise<string> =>
  (await service.sql('select name from accounts where id = $1', [id]))[0]![0]!
const header = (page: Page) => page.locator('header')
const switchTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'A manager' }).click()
  await page.getByRole('menuitem', { name: new RegExp(name) }).click()
  await header(page).getByText(name).waitFor()
}

test('a tab stays in its account when another tab switches to another account', async () => {
  const first = await openAs(await createMemberOfTwo(), desktop)
  await visit(first, '/settings/account')
  await header(first).getByText('Demo shop').waitFor()
  const second = await first.context().newPage()
  await second.goto(`${service.origin}/wallets`)
  await switchTo(second, 'Another shop')
  await second.getByText('Their wallet').first().waitFor()

  await first.bringToFront()
  await first.getByLabel('Name of the account').fill('Renamed in the first tab')
  await first.getByRole('button', { name: 'Save', exact: true }).click()
  await header(first).getByText('Renamed in the first tab').waitFor()
  assert.deepEqual([await nameOf(accountId), await nameOf(otherId)], ['Renamed in the first tab', 'Another shop'])

  // A new load shows the account that the session was switched to last, and the links of the page name that account.
  await first.goto(`${service.origin}/intents`)
  await header(first).getByText('Another shop').waitFor()
  await eventually(async () => {
    const link = await first.getByRole('link', { name: 'CSV' }).getAttribute('href')
    assert.ok(link?.includes(`acting_for=${otherId}`), link ?? 'no link')
  })
})

test('a user who is removed from the shown account sees another of their accounts', async () => {
  const member = await createMemberOfTwo()
  const page = await openAs(member, desktop)
  await visit(page, '/wallets')
  await page.getByText('Main wallet').first().waitFor()
  await service.sql('delete from members where account_id = $1 and user_id = $2', [accountId, member.userId])
  await service.sql('update sessions set account_id = $1 where user_id = $2', [otherId, member.userId])
  service.clock.advance(2_000)
  await page.getByRole('link', { name: 'Payment requests' }).first().click()
  await header(page).getByText('Another shop').waitFor()
})
