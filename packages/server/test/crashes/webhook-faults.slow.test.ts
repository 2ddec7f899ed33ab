import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsRun } from './webhook-faults-run.ts'

test('no event is lost if nodes or PostgreSQL are killed during deliveries and receivers fail in every way', async () => {
  const points = [
    'after the claim',
    'in the call',
    'while recording',
    'while recording a failure',
    'postgres killed',
  ] as const
  const report = await faultsRun({ points, eventsEach: 1, breaker_failures: 1_000 })
  assert.deepEqual(report.lost, [])
  assert.deepEqual(
    Object.entries(report.faults).flatMap(([point, times]) => (times > 0 ? [point] : [])),
    points,
  )
  assert.ok(report.events >= 1 + points.length * 2)
  assert.ok(report.delivered >= report.events * 12)
  assert.ok(report.terminal.exhausted! >= report.events * 20)
  assert.ok(report.terminal.disabled! >= 1)
  assert.ok(report.turnedAway >= 1)
})
