/**
 * Every page of settings, of operators, and for users without a session: in Arabic on a light phone screen, in English on a
 * dark desktop screen.
 */
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { storeNodeClock } from '../../../server/src/postgres/clock/node-clocks-sql.ts'
import { accountOfWallet, createMember } from '../../../server/test/support/users.ts'
import { desktop, expectGood, openDashboard, phone } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const accountId = await accountOfWallet(service, service.demo.wallets.main)
const otherId = await accountOfWallet(service, service.demo.other.wallet)
const owner = await createMember(service, accountId, 'owner')
await service.sql('update users set operator = true where id = $1', [owner.userId])
// Nodes with a right clock, with a warning and with a refusal; one host name is long.
const hosts = ['pay-1', 'pay-2', 'a-machine-with-a-very-long-name.in-a-data-centre.sanad.example']
for (const [n, offset_ms] of [12, -4_000, 7_200_000].entries())
  await storeNodeClock(service.db, { nodeId: randomUUID(), host: hosts[n]!, offset_ms, error_ms: 1 })

for (const look of [phone, { ...desktop, scheme: 'dark' as const }]) {
  test(`every page of settings and operators fits and has no fault, ${look.language} at ${look.width}, ${look.scheme}`, async () => {
    const page = await openAs(owner, look)
    const [template] = (await service.sql(
      `select id from alert_templates where status = 'active' and account_id is null limit 1`,
    )) as string[][]
    for (const path of [
      '/settings',
      '/settings/you',
      '/settings/account',
      '/settings/members',
      '/settings/audit',
      '/settings/notices',
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
      '/address',
    ]) {
      await visit(page, path)
      await page.waitForFunction(() => document.querySelector('[role=status] .mantine-Skeleton-root') === null)
      await expectGood(page, path)
    }
  })
}
