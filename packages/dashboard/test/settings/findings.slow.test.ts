/** What is wrong with the installation, as an operator sees it: nothing, some things, and the longest sentences. */
import { test } from 'node:test'
import { day_ms } from '../../../server/src/core/duration.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { bothLanguages, desktop, expectGood, openDashboard, phone, textPattern } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { clock, sql } = service
const { operator } = await createMembers(service)

const mend = async () => {
  await sql('update devices set last_seen_at = $1', [new Date(clock.now() + day_ms).toISOString()])
  await sql(`delete from node_clocks where host like 'node-%'`)
}
const breakThings = async () => {
  await sql('update devices set last_seen_at = null')
  await sql(
    `insert into node_clocks (node_id, host, offset_ms, error_ms, seen_at)
     select gen_random_uuid(), 'node-' || n || '.a-long-name.example', -7200000, 1, now() from generate_series(1, 40) n`,
  )
}

for (const language of bothLanguages)
  for (const { width } of [phone, desktop])
    for (const scheme of ['light', 'dark'] as const)
      test(`an operator sees what is wrong and what to do, ${language}, ${width}, ${scheme}`, async () => {
        const page = await openAs(operator, { language, width, scheme })
        await mend()
        await visit(page, '/operator/findings')
        await page.getByText(textPattern(language, 'findings.nothing')).waitFor()
        await expectGood(page, 'nothing is wrong')

        await breakThings()
        await visit(page, '/operator/health')
        await page.getByText(textPattern(language, 'findings.look')).click()
        for (const key of [
          'finding.phones_silent',
          'finding.node_clocks_wrong',
          'finding.connections_too_few',
        ] as const)
          await page.getByText(textPattern(language, key)).first().waitFor()
        await page.getByText(textPattern(language, 'cure.phones_silent')).first().waitFor()
        await expectGood(page, 'some things are wrong')
      })
