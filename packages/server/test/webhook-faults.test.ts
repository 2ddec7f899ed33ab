import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsRun } from './webhook-faults.ts'

test('nodes killed in the call and while recording, PostgreSQL restarted, receivers of every bad kind: no event is lost', async () => {
  const points = ['in the call', 'while recording', 'postgres restarted'] as const
  const report = await faultsRun({ points, eventsEach: 2 })
  assert.deepEqual(report.lost, [])
  assert.equal(report.events, 2 + points.length * 4)
  assert.ok(report.delivered >= report.events * 12)
  assert.ok(report.terminal.exhausted! >= report.events * 18)
  assert.ok(report.terminal.disabled! >= 1)
})
