/** Every page of settings, of operators and past the door: in Arabic on a phone in the light, in English on a desk in the dark. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountOfWallet, createMember } from '../../server/test/support/users.ts'
import { desk, expectFits, expectNoFaults, openDashboard, phone } from './browser.ts'

const { house, openAs, visit, complaints } = await openDashboard()
const accountId = await accountOfWallet(house, house.demo.wallets.main)
const otherId = await accountOfWallet(house, house.demo.other.wallet)
const who = await createMember(house, accountId, 'owner')
await house.sql('update users set operator = true where id = $1', [who.userId])

for (const look of [phone, { ...desk, scheme: 'dark' as const }]) {
  test(`every page of settings and of operators, ${look.language} at ${look.width}, ${look.scheme}`, async () => {
    const page = await openAs(who, look)
    const [template] = (await house.sql(
      `select id from alert_templates where status = 'active' and account_id is null limit 1`,
    )) as string[][]
    for (const path of [
      '/settings',
      '/settings/you',
      '/settings/account',
      '/settings/members',
      '/settings/audit',
      '/operator',
      '/operator/health',
      '/operator/accounts',
      `/operator/accounts/${otherId}`,
      '/operator/providers',
      '/operator/templates',
      `/operator/templates/${template![0]}`,
      '/operator/audit',
      '/forgot',
      '/password',
      '/invitation',
    ]) {
      await visit(page, path)
      await page.waitForFunction(() => document.querySelector('[role=status] .mantine-Skeleton-root') === null)
      await expectNoFaults(page, path)
      await expectFits(page, path)
    }
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
}
