/** Who belongs to two accounts, with a tab for each: what is done in a tab lands in the account that it shows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { accountOfWallet, createMember } from '../../server/test/support/users.ts'
import { desk, openDashboard } from './browser.ts'

const { house, openAs, visit } = await openDashboard()
const accountId = await accountOfWallet(house, house.demo.wallets.main)
const otherId = await accountOfWallet(house, house.demo.other.wallet)

const ofTwo = async () => {
  const person = await createMember(house, accountId, 'manager')
  await house.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'manager', now())`, [
    otherId,
    person.userId,
  ])
  return person
}
const nameOf = async (id: string): Promise<string> =>
  (await house.sql('select name from accounts where id = $1', [id]))[0]![0]!
const header = (page: Page) => page.locator('header')
const switchTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'A manager' }).click()
  await page.getByRole('menuitem', { name: new RegExp(name) }).click()
  await header(page).getByText(name).waitFor()
}

test('a tab goes on in the account that it shows, though the other tab switched to another', async () => {
  const first = await openAs(await ofTwo(), desk)
  await visit(first, '/settings/account')
  await header(first).getByText('Demo shop').waitFor()
  const second = await first.context().newPage()
  await second.goto(`${house.origin}/wallets`)
  await switchTo(second, 'Another shop')
  await second.getByText('Their wallet').first().waitFor()

  await first.bringToFront()
  await first.getByLabel('Name of the account').fill('Renamed in the first tab')
  await first.getByRole('button', { name: 'Save', exact: true }).click()
  await header(first).getByText('Renamed in the first tab').waitFor()
  assert.deepEqual([await nameOf(accountId), await nameOf(otherId)], ['Renamed in the first tab', 'Another shop'])

  await first.goto(`${house.origin}/intents`)
  await header(first).getByText('Another shop').waitFor()
  const link = await first.getByRole('link', { name: 'CSV' }).getAttribute('href')
  assert.ok(link?.includes(`acting_for=${otherId}`), link ?? 'no link')
  await first.context().close()
})

test('who is removed from the account they look at is shown another of theirs', async () => {
  const person = await ofTwo()
  const page = await openAs(person, desk)
  await visit(page, '/wallets')
  await page.getByText('Main wallet').first().waitFor()
  await house.sql('delete from members where account_id = $1 and user_id = $2', [accountId, person.userId])
  await house.sql('update sessions set account_id = $1 where user_id = $2', [otherId, person.userId])
  house.clock.advance(2_000)
  await page.getByRole('link', { name: 'Payment requests' }).first().click()
  await header(page).getByText('Another shop').waitFor()
  await page.context().close()
})
