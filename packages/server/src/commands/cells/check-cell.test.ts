import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '../../postgres/connection/database.ts'
import { refuseOtherTime } from './check-cell.ts'

const now_us = 1_767_323_045_000_000
const databaseAt = (time_us: number): Session => ({ run: async () => [[String(time_us)]] })
const moveTo = (ahead_s: number): Promise<void> =>
  refuseOtherTime(databaseAt(now_us), databaseAt(now_us + ahead_s * 1_000_000), { name: 'b' })

test('databases whose clocks differ by more than two seconds are told, and which one is ahead', async () => {
  await assert.rejects(moveTo(5), /database of cell b is 5 s ahead of the one here/)
  await assert.rejects(moveTo(-60), /database of cell b is 60 s behind the one here.*Nothing was changed/)
  await moveTo(1)
  await moveTo(-1)
})
