/** A seeded year is as the service would have left it: money, counts, search. */
// The end of the file stops what the harness has started, for good.
import '../../../packages/server/test/runner/own-process.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { day_ms } from '../../../packages/server/src/core/duration.ts'
import { assertMoneyInvariants } from '../../../packages/server/test/support/money-invariants.ts'
import { cleanUp } from '../../harness/processes.ts'
import { startService } from '../../harness/service-process.ts'
import { seedGrown } from './seed-grown.ts'
import { shapeOf } from './shape.ts'

const total = 3_000
const folder = mkdtempSync(join(tmpdir(), 'sanad-grown-'))
await chmod(folder, 0o711)
const dataDir = join(folder, 'data')
const role = { SANAD_ROLE: 'serve' }
const first = await startService(dataDir, role)
await first.stop()
// Less than a month: bodies of events are kept, which the invariants read.
await seedGrown(dataDir, first.merchant, shapeOf(total), 20 * day_ms)
const service = await startService(dataDir, role)
after(async () => {
  await service.stop()
  await cleanUp()
  rmSync(folder, { recursive: true, force: true })
})
const rows = (text: string, values: readonly unknown[] = []) => service.db.run({ text, values: [...values] })
const count = async (text: string, ...values: unknown[]): Promise<number> => Number((await rows(text, values))[0]![0])
const list = async (query: string): Promise<{ count: number; results: { id: string }[] }> => {
  const answer = await fetch(`${service.origin}/api/v1/merchant/intents/${query}`, {
    headers: { authorization: `Bearer ${service.merchant.token}` },
  })
  assert.equal(answer.status, 200)
  return (await answer.json()) as { count: number; results: { id: string }[] }
}

test('the rows keep every invariant of money, and every account has some', async () => {
  await assertMoneyInvariants((text) => rows(text))
  assert.equal(await count('select count(*) from intents'), total)
  const { middle, small } = shapeOf(total)
  assert.equal(await count('select count(distinct account_id) from intents'), 1 + middle + small)
})

test('indexes, keys and triggers are those of the schema, and nothing of the seed is left', async () => {
  assert.equal(await count(`select count(*) from pg_namespace where nspname = 'bench'`), 0)
  assert.equal(await count(`select count(*) from pg_trigger where tgenabled = 'D'`), 0)
  assert.equal(await count('select count(*) from pg_constraint where not convalidated'), 0)
  for (const name of ['intents_search', 'intents_code_key', 'alerts_reference', 'intents_account_id_alert_id_fkey'])
    assert.equal(
      await count(
        'select count(*) from (select relname::text as name from pg_class union select conname::text from pg_constraint) as n where name = $1',
        name,
      ),
      1,
      name,
    )
})

test('lists count what is there, and a search finds an order of the past', async () => {
  const { accountId } = service.merchant
  for (const status of ['VERIFIED', 'EXPIRED', 'CANCELLED', 'WRONG_AMOUNT'])
    assert.equal(
      (await list(`?status=${status}&page_size=1`)).count,
      await count(
        `select count(*) from intents where account_id = $1
            and case when status = 'PENDING' and expires_at <= now() then 'EXPIRED' else status end = $2`,
        accountId,
        status,
      ),
      status,
    )
  const [row] = await rows('select id, external_order_id from intents where account_id = $1 order by id limit 1', [
    accountId,
  ])
  const found = await list(`?search=${row![1]}`)
  assert.deepEqual(
    found.results.map(({ id }) => id),
    [row![0]],
  )
})
