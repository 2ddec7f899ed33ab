import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { endEventsRun } from './end-events-run.ts'

test('kill -9 while intents and checkouts end: each end has its event once, and every event arrives', async () => {
  const seed = Number(process.env.SANAD_CRASH_SEED ?? randomInt(2 ** 31))
  const { ends, events, deliveredTwice, faults, kills } = await endEventsRun({ kills: 4, seed })
  process.stdout.write(
    `end events: SANAD_CRASH_SEED=${seed}, ${kills} kills, ${events} events, ${deliveredTwice} of them twice, ${JSON.stringify(ends)}\n`,
  )
  assert.deepEqual(faults, [])
  // Every kind of end occurred: otherwise the run tested too little.
  for (const end of [
    'intent WRONG_AMOUNT',
    'intent EXPIRED',
    'intent CANCELLED',
    'checkout COMPLETE',
    'checkout EXPIRED',
  ])
    assert.ok((ends[end] ?? 0) > 0, end)
})
