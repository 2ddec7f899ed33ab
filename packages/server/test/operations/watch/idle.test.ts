/** What the background work costs while nothing happens, and that sleeping delays nothing that somebody waits for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { countCommitted } from '../../../src/postgres/connection/count-committed.ts'
import type { Pool } from '../../../src/postgres/connection/database.ts'
import { longestSleep_ms } from '../../../src/work/background-loop.ts'
import { movedPauses } from '../../support/pure/moved-pauses.ts'
import { openTestService } from '../../support/story.ts'

const service = await openTestService()
const { clock, create, sql, ask } = service

/** A node whose background loops run on a time that the test moves, together with the service's clock. */
const openWorker = async () => {
  const statements: string[] = []
  const counted: Pool = countCommitted(
    service.db as Pool,
    () => true,
    ({ query }) => void statements.push(query.name!),
  )
  const node = await service.startService(counted, counted)
  const pauses = movedPauses()
  const loops = node.work(pauses)
  service.atEnd(() => node.close())
  return {
    statements,
    pass: (time_ms: number) => pauses.pass(time_ms, loops.settled, clock.advance),
    times: (name: string) => statements.filter((each) => each === name).length,
  }
}
const worker = await openWorker()
const statusOf = async (id: string) => (await sql('select status from intents where id = $1', [id]))[0]![0]

test('a minute in which nothing happens costs few statements', async () => {
  await worker.pass(90_000)
  const before = worker.statements.length
  await worker.pass(60_000)
  const idle = worker.statements.slice(before)
  const most = new Map<string, number>()
  for (const name of idle) most.set(name, (most.get(name) ?? 0) + 1)
  assert.ok(idle.length <= 150, `${idle.length} statements: ${JSON.stringify([...most].sort((a, b) => b[1] - a[1]))}`)
})

test('an intent is stored as expired soon after its time, although every loop slept', async () => {
  const { body } = await create()
  await worker.pass(10_000)
  const [[window_ms]] = (await sql(
    `select (extract(epoch from expires_at - created_at) * 1000)::int from intents where id = $1`,
    [body.id],
  )) as [[string]]
  await worker.pass(Number(window_ms) - 11_000)
  const runs = worker.times('expire_due')
  assert.equal(await statusOf(body.id), 'PENDING')
  await worker.pass(3_000)
  assert.equal(await statusOf(body.id), 'EXPIRED')
  assert.ok(worker.times('expire_due') > runs)
})

test('what another node commits wakes the loops of this one', async () => {
  await worker.pass(20_000)
  const runs = worker.times('flush_search_index')
  await create()
  let passed_ms = 0
  // The message takes some milliseconds of real time; of the time of the loops much less passes than a sleep may take.
  for (; worker.times('flush_search_index') === runs && passed_ms < 4_000; passed_ms += 100) {
    await delay(50)
    await worker.pass(100)
  }
  assert.ok(worker.times('flush_search_index') > runs)
})

test('alerts of a changed wallet are reread once more as soon as every node knows it, although every loop slept', async () => {
  await worker.pass(10_000)
  const [rereads, looks] = [worker.times('mark_wallet_reread'), worker.times('next_due')]
  const at = new Date(clock.now() - 15_000).toISOString()
  await sql(`update wallets set reread = true, reread_at = $1 where id = (select min(id::text)::uuid from wallets)`, [
    at,
  ])
  await create()
  for (let passed_ms = 0; worker.times('next_due') === looks && passed_ms < 4_000; passed_ms += 100) {
    await delay(50)
    await worker.pass(100)
  }
  await worker.pass(8_000)
  assert.equal(worker.times('mark_wallet_reread'), rereads)
  await worker.pass(9_500)
  assert.equal(worker.times('mark_wallet_reread'), rereads + 1)
})

test('a change of which nobody told is found within the longest sleep', async () => {
  const { body } = await create()
  await worker.pass(10_000)
  await sql(`update intents set expires_at = created_at + interval '1 millisecond' where id = $1`, [body.id])
  await worker.pass(longestSleep_ms + 2_500)
  assert.equal(await statusOf(body.id), 'EXPIRED')
  assert.equal((await ask('GET', `/intents/${body.id}/`)).body.status, 'EXPIRED')
})
