import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt } from '../../core/ids.ts'
import { nextPosition } from './feed-position.ts'

const now = Date.parse('2026-01-02T03:04:05Z')
const row = (secondsAgo: number) => ({ id: firstIdAt(now - secondsAgo * 1000) })
const after = firstIdAt(now - 60_000)

test('after a full page of old rows the position is the last row', () => {
  assert.equal(nextPosition({ after, page_size: 2 }, [row(50), row(40)], now), row(40).id)
})

test('the position is never newer than ten seconds, after a full page too: a row may be committed late', () => {
  const behind = firstIdAt(now - 10_000)
  assert.equal(nextPosition({ after, page_size: 2 }, [row(50), row(3)], now), behind)
  assert.equal(nextPosition({ after, page_size: 3 }, [row(50), row(3)], now), behind)
  assert.equal(nextPosition({ after: undefined, page_size: 2 }, [row(50), row(3)], now), behind)
})

test('the position never goes back', () => {
  const recent = firstIdAt(now - 2_000)
  assert.equal(nextPosition({ after: recent, page_size: 2 }, [row(1), row(0)], now), recent)
  assert.equal(nextPosition({ after: recent, page_size: 2 }, [], now), recent)
})
