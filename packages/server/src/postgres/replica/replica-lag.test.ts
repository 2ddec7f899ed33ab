import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lagOf, noMarks, placeFault, withMark, withShown } from './replica-lag.ts'

const marked = (...sent: number[]) =>
  sent.reduce((state, sent_ms) => withMark(state, { text: `m${sent_ms}`, sent_ms }), noMarks)

test('the lag is not known before the replica has shown a mark of this node', () => {
  assert.equal(lagOf(marked(0, 250), 300), undefined)
  assert.equal(lagOf(withShown(marked(0, 250), ''), 300), undefined)
  assert.equal(lagOf(withShown(marked(0, 250), 'a row that this node did not write'), 300), undefined)
})

test('a replica that shows the last mark lags by nothing, and lacks nothing older than that mark', () => {
  assert.deepEqual(lagOf(withShown(marked(0, 250), 'm250'), 300), { lag_ms: 0, most_ms: 50 })
})

test('the lag is the age of the first mark that the replica lacks', () => {
  const state = withMark(withShown(marked(0, 250, 500), 'm0'), { text: 'm750', sent_ms: 750 })
  assert.deepEqual(lagOf(state, 1_000), { lag_ms: 750, most_ms: 1_000 })
})

test('a replica that shows nothing new, or does not answer, becomes later with time alone', () => {
  const state = withShown(marked(0, 250), 'm250')
  assert.equal(lagOf(state, 10_250)!.most_ms, 10_000)
  assert.equal(lagOf(withShown(state, 'm0'), 10_250)!.most_ms, 10_000)
})

test('a primary without a new mark does not make its replica look current', () => {
  // No mark is written while the primary is away: what the replica shows is as old as it is.
  assert.equal(lagOf(withShown(marked(0), 'm0'), 5_000)!.most_ms, 5_000)
})

test('a replica of the same cluster and database is right; any other server has its reason', () => {
  const place = { cluster: '7', database: '16384' }
  assert.equal(placeFault({ standby: true, ...place }, place), undefined)
  assert.equal(placeFault({ standby: false, ...place }, place), 'not_a_replica')
  assert.equal(placeFault({ standby: true, ...place, cluster: '8' }, place), 'other_cluster')
  assert.equal(placeFault({ standby: true, ...place, database: '5' }, place), 'other_database')
})
