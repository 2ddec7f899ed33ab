/**
 * A large account among thousands of small ones is served as one that is nearly alone. PostgreSQL plans a named statement for the account
 * of average size: a plan that reads all rows of an account is good for nearly all of them, and takes seconds for a large one.
 */
// The end of the file stops what the harness has started, for good.
import '../../../packages/server/test/runner/own-process.ts'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { systemClock } from '../../../packages/server/src/core/clock.ts'
import { openCaller } from '../../harness/call.ts'
import { cleanUp, temporaryFolder } from '../../harness/processes.ts'
import { type ServiceProcess, startService } from '../../harness/service-process.ts'
import { seedGrown } from '../../rows/grown/seed-grown.ts'
import type { Shape } from '../../rows/grown/shape.ts'
import { makeOpen } from '../../rows/seed.ts'
import { alternate, type Compared } from './alternate.ts'
import { jobPool, jobsOf } from './jobs.ts'
import { readCalls } from './read-calls.ts'
import { takeSamples } from './samples.ts'
import { writeCalls } from './write-calls.ts'

const main = 20_000
/** What reads all accounts takes longer with more of them. */
const ofAllAccounts = /^(listAccounts|showOverallHealth|sample the service|count the service)/
/** A plan for another account makes a call ten times as long and more; a busy machine makes two or three of it. */
const mostRatio = 6
const slack_ms = 5
/** PostgreSQL decides between plans at the sixth use of a statement on a connection. */
const warmUp = 8
const limits = { seconds: 0.05, most: 30, least: 5 }

after(cleanUp)

const open = async (shape: Shape): Promise<ServiceProcess> => {
  const dataDir = join(await temporaryFolder(), 'data')
  const role = { SANAD_ROLE: 'serve', SANAD_LIMITS: 'off' }
  const first = await startService(dataDir, role)
  await first.stop()
  await seedGrown(dataDir, first.merchant, shape)
  const service = await startService(dataDir, role)
  await makeOpen(service.db, service.merchant, 20, systemClock.now())
  return service
}

const few = await open({ total: main + 600, main, middle: 2, small: 4 })
const many = await open({ total: main + 4_000, main, middle: 20, small: 2_000 })
const callers = { few: openCaller(1), many: openCaller(1) }
after(() => Promise.all([callers.few.close(), callers.many.close()]))

const slower: string[] = []
const compare = (name: string, { few: alone, many: among }: Compared): void => {
  if (among.p50_ms > mostRatio * alone.p50_ms && among.p50_ms - alone.p50_ms > slack_ms && !ofAllAccounts.test(name))
    slower.push(`${name}: ${among.p50_ms.toFixed(1)} ms, alone ${alone.p50_ms.toFixed(1)} ms`)
}
const noneSlower = (): void => assert.deepEqual(slower.splice(0), [])

test('every call that reads', async () => {
  const ask = async (side: 'few' | 'many', path: string, token: string): Promise<void> => {
    const { status, text } = await callers[side].call(`${{ few, many }[side].origin}${path}`, { token })
    assert.equal(status, 200, `${path}: ${text.slice(0, 300)}`)
  }
  const calls = { few: readCalls(few, await takeSamples(few)), many: readCalls(many, await takeSamples(many)) }
  assert.ok(calls.many.length > 100)
  for (const [i, { name }] of calls.many.entries()) {
    const send = (side: 'few' | 'many') => (n: number) => {
      const { paths, token } = calls[side][i]!
      return ask(side, paths[n % paths.length]!, token)
    }
    compare(name, await alternate({ few: send('few'), many: send('many') }, limits, warmUp))
  }
  noneSlower()
})

test('every call that writes', async () => {
  for (const { name, prepare } of writeCalls) {
    const makers = { few: await prepare(few, limits.most), many: await prepare(many, limits.most) }
    const send = (side: 'few' | 'many') => async (n: number) => {
      const { path, status, ...asked } = makers[side](n)
      const answer = await callers[side].call(`${{ few, many }[side].origin}${path}`, asked)
      assert.equal(answer.status, status, `${name}: ${answer.text.slice(0, 300)}`)
    }
    compare(name, await alternate({ few: send('few'), many: send('many') }, limits, warmUp))
  }
  noneSlower()
})

test('every background job', async () => {
  const pools = { few: jobPool(few), many: jobPool(many) }
  const jobs = { few: jobsOf(few), many: jobsOf(many) }
  for (const [i, { name, run, prepare }] of jobs.many.entries()) {
    const before = { few: async () => jobs.few[i]!.prepare?.(few), many: async () => prepare?.(many) }
    const sides = { few: () => jobs.few[i]!.run(pools.few), many: () => run(pools.many) }
    compare(name, await alternate(sides, limits, warmUp, before))
  }
  await Promise.all([pools.few.close(), pools.many.close()])
  noneSlower()
})
