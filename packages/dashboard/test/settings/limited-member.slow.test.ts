/**
 * 0087 in a real browser: an owner gives a member some wallets, also in an invitation; the member reads of which wallets the screens
 * are, on paper too, and sees no screen that is refused.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { queueStory } from '../../../server/test/support/queue-story.ts'
import { createMember } from '../../../server/test/support/users.ts'
import {
  desktop,
  eventually,
  expectGood,
  expectNoFaults,
  type Look,
  openDashboard,
  phone,
  textPattern,
} from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { demo, sql } = service
const story = await queueStory(service)
const { owner, accountId } = story
await sql(`update wallets set name = 'فرع التحرير' where id = $1`, [demo.wallets.main])
await sql(`update wallets set name = 'Branch two' where id = $1`, [demo.wallets.second])
await story.money('1500.00', story.newReference())

const folder = process.env.SANAD_PICTURES
if (folder !== undefined) mkdirSync(folder, { recursive: true })
const picture = async (page: Page, name: string): Promise<void> => {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` })
}
const looks: readonly Look[] = [phone, { ...phone, scheme: 'dark' }, desktop, { ...desktop, scheme: 'dark' }]
const nameOf = ({ language, width, scheme }: Look): string => `${language}-${width}-${scheme}`

test('an owner gives a cashier one wallet, and invites another with one wallet', async () => {
  for (const look of looks) {
    const cashier = await createMember(service, accountId, 'cashier')
    await sql(`update users set name = $2 where id = $1`, [cashier.userId, `Cashier ${nameOf(look)}`])
    const page = await openAs(owner, look)
    const word = (key: Parameters<typeof textPattern>[1]) => textPattern(look.language, key)
    await visit(page, '/settings/members')
    const row = page
      .locator('tr, li')
      .filter({ hasText: `Cashier ${nameOf(look)}` })
      .first()
    await row.getByRole('button', { name: word('members.change') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: word('members.walletsSome') }).check()
    await dialog.getByRole('checkbox', { name: /فرع التحرير/ }).check()
    await expectGood(page, 'the rights of a member')
    await picture(page, `rights-${nameOf(look)}`)
    await dialog.getByRole('button', { name: word('members.change') }).click()
    await dialog.waitFor({ state: 'detached' })
    await row.getByText(word('members.walletsMark_one')).first().waitFor()
    await expectGood(page, 'members, one with a wallet')
    await row.scrollIntoViewIfNeeded()
    await picture(page, `members-${nameOf(look)}`)
    const [limit] = await sql('select wallet_id from member_wallets where user_id = $1', [cashier.userId])
    assert.deepEqual(limit, [demo.wallets.main])

    await page
      .getByRole('button', { name: word('members.invite') })
      .first()
      .click()
    await dialog.locator('input[type=email], input[name=email]').fill(`guest-${nameOf(look)}@sanad.example`)
    await dialog.getByRole('radio', { name: word('members.walletsSome') }).check()
    await dialog.getByRole('checkbox', { name: /Branch two/ }).check()
    await expectGood(page, 'an invitation with a wallet')
    await picture(page, `invitation-${nameOf(look)}`)
    await dialog.getByRole('button', { name: word('members.invite') }).click()
    await eventually(async () => {
      const rows = await sql('select wallets::text from user_links where email = $1', [
        `guest-${nameOf(look)}@sanad.example`,
      ])
      assert.ok(rows.length > 0 && rows.every(([wallets]) => String(wallets).includes(demo.wallets.second)))
    })
    await page.context().close()
  }
})

test('a limited member reads of which wallets the screens are; screens of the whole account are not offered', async () => {
  const members = {} as Record<'cashier' | 'manager', Awaited<ReturnType<typeof createMember>>>
  for (const role of ['cashier', 'manager'] as const) {
    members[role] = await createMember(service, accountId, role)
    const body = { wallets: [demo.wallets.main] }
    assert.equal((await owner.ask('PATCH', `/members/${members[role].userId}/`, { body })).status, 200)
  }
  for (const look of looks)
    for (const [role, path] of [
      ['cashier', '/counter'],
      ['cashier', '/'],
      ['manager', '/'],
      ['manager', '/day-close'],
    ] as const) {
      const page = await openAs(members[role], look)
      await visit(page, path)
      const line = page.getByRole('note').filter({ hasText: 'فرع التحرير' })
      await line.waitFor()
      const text = await page.locator('body').innerText()
      assert.ok(!text.includes('Branch two'), `${role} ${path}`)
      for (const refused of ['/phones', '/webhooks', '/audit'])
        assert.equal(await page.locator(`nav a[href="${refused}"]`).count(), 0, `${role} is offered ${refused}`)
      await expectGood(page, `${path} of a ${role} with one wallet`)
      await picture(page, `${role}-${path === '/' ? 'today' : path.slice(1)}-${nameOf(look)}`)
      if (path === '/day-close') {
        await page.emulateMedia({ media: 'print' })
        assert.ok(await line.isVisible(), 'the line is on paper too')
        await picture(page, `${role}-day-close-print-${nameOf(look)}`)
      }
      await page.context().close()
    }
})

test('when the wallets of a member change, an open screen follows without a reload', async () => {
  const member = await createMember(service, accountId, 'manager')
  const give = (wallets: readonly string[]) => owner.ask('PATCH', `/members/${member.userId}/`, { body: { wallets } })
  await give([demo.wallets.main])
  const page = await openAs(member, phone)
  await visit(page, '/')
  await page.getByRole('note').filter({ hasText: 'فرع التحرير' }).waitFor()
  await give([demo.wallets.second])
  await page.getByRole('note').filter({ hasText: 'Branch two' }).waitFor()
  await give([])
  await page
    .getByRole('note')
    .filter({ hasText: textPattern('ar', 'frame.noWallets') })
    .waitFor()
  await expectNoFaults(page, 'Today of a member without wallets')
  await picture(page, 'no-wallets')
})

test('no page wrote an error to the console', () => {})
