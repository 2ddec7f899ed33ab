/** 0131: the page for users whose account is used at another address, in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { insertMember } from '../../../server/src/accounts/tenants/account-sql.ts'
import { wholeAccount } from '../../../server/src/core/scope.ts'
import { createMember, createMembers, storyPassword } from '../../../server/test/support/users.ts'
import {
  bothLanguages,
  desktop,
  eventually,
  expectFits,
  expectNoFaults,
  openDashboard,
  phone,
  textPattern,
} from '../browser.ts'

const newOrigin = 'https://b.example.com'
const { service, open, openAs, visit, complaints } = await openDashboard()
const { accountId, otherId, owner } = await createMembers(service)
const both = await createMember(service, accountId, 'manager')
await insertMember(service.db, wholeAccount(otherId), both.userId, 'viewer', service.clock.now() + 1)
const opened = await openAs(both)
await visit(opened, '/intents')
await service.sql(
  `insert into account_moves (account_id, move_id, cell, origin, state, began_at, switched_at)
   values ($1, gen_random_uuid(), 'b', $2, 'switched', now(), now())`,
  [accountId, newOrigin],
)
const isSeen = async (): Promise<void> => assert.equal((await owner.ask('GET', '/session/')).status, 403)
await eventually(isSeen)

const leadsTo = async (page: Page, language: 'ar' | 'en', path: string): Promise<void> => {
  await page.getByRole('heading', { name: textPattern(language, 'moved.title') }).waitFor()
  const link = page.getByRole('link', { name: textPattern(language, 'moved.go') })
  assert.equal(await link.getAttribute('href'), `${newOrigin}${path}`)
}

for (const language of bothLanguages)
  test(`who signs in sees the new address and a link to it, ${language}`, async () => {
    const page = await open({ ...(language === 'ar' ? phone : desktop), language })
    await page.goto(service.origin)
    await page.fill('input[name=email]', owner.email)
    await page.fill('input[name=password]', storyPassword)
    await page.keyboard.press('Enter')
    await leadsTo(page, language, '/')
    await page.getByText(newOrigin).waitFor()
    await expectNoFaults(page, `moved, ${language}`)
    await expectFits(page, `moved, ${language}`)
    await page.getByRole('button', { name: textPattern(language, 'moved.stay') }).click()
    await page.waitForSelector('input[name=email]')
  })

test('a page that was open shows it at the next call, and leads to the same place; another account is used here', async () => {
  await opened.reload()
  // Asked without an account, the service answers for the one that is used here.
  await eventually(async () => assert.equal(new URL(opened.url()).pathname, '/intents'))
  await opened.getByRole('navigation').first().waitFor()
  assert.equal(await opened.getByRole('heading', { name: textPattern('en', 'moved.title') }).count(), 0)
  const only = await openAs(owner)
  await only.goto(`${service.origin}/intents?q=1#part`)
  await leadsTo(only, 'en', '/intents?q=1#part')
})

test('no page complained', () => {
  assert.deepEqual(complaints, [])
})
