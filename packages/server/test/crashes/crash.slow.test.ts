import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { crashRun, eventsBeforeKill } from './crash-run.ts'

test('kill -9 of the service and of PostgreSQL under load: no answered call is lost, nothing is paid twice', async () => {
  const seed = Number(process.env.SANAD_CRASH_SEED ?? randomInt(2 ** 31))
  process.stdout.write(`crash: SANAD_CRASH_SEED=${seed} (npm run faults kills twenty times)\n`)
  const report = await crashRun({ kills: 3, seed })
  assert.deepEqual(report.lost, [])
  assert.equal(
    Object.values(report.kills).reduce((sum, kills) => sum + kills, 0),
    3,
  )
  assert.ok(report.verified >= 3 * eventsBeforeKill, `${report.verified} were verified`)
})

test('kill -9 under load with unique amounts: no answered call is lost, no amount is given or paid twice', async () => {
  const seed = Number(process.env.SANAD_CRASH_SEED ?? randomInt(2 ** 31))
  process.stdout.write(`unique amounts: SANAD_CRASH_SEED=${seed}\n`)
  const report = await crashRun({ kills: 4, seed, uniqueAmounts: true })
  assert.deepEqual(report.lost, [])
  assert.ok(report.verified >= 4 * eventsBeforeKill, `${report.verified} were verified`)
  assert.equal(report.events.committed, report.verified)
})
