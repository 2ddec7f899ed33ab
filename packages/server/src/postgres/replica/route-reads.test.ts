/** Routing with databases that are played. With a real replica: packages/server/test/crashes/replica.slow.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db, RawQuery, RawRow, Session, Tx } from '../connection/database.ts'
import { DatabaseUnavailable } from '../connection/unavailable.ts'
import { recentChanges } from './recent-changes.ts'
import type { ReplicaReason } from './replica-lag.ts'
import { routeReads } from './route-reads.ts'

type Answer = (query: RawQuery) => RawRow[] | Error

const played = (answer: Answer): { db: Db; ran: string[] } => {
  const ran: string[] = []
  const run = async (query: RawQuery): Promise<RawRow[]> => {
    ran.push(query.label ?? query.name ?? query.text)
    const given = answer(query)
    if (given instanceof Error) throw given
    return [...given]
  }
  const transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => work({ run } as Tx)
  return { db: { run, transaction } as Db, ran }
}

const position = '0/10'
const place = { cluster: '7', database: '16384' }
const listed: RawQuery = { name: 'figures', text: 'select', values: [] }

/** `reached`: what the replica says of the position, one answer after another; the last one stays. */
const setUp = ({ reached = ['t'], ...more }: { reached?: string[]; replica?: Answer; standby?: string } = {}) => {
  const state: { whyNot: ReplicaReason | undefined; now_ms: number } = { whyNot: undefined, now_ms: 0 }
  const primary = played(({ name }) => (name === 'primary_position' ? [[position]] : [['of the primary']]))
  const replica = played((query) =>
    query.name === 'replica_reached'
      ? [
          [
            more.standby ?? 't',
            place.cluster,
            place.database,
            query.values[0] === '0/0' ? 't' : reached.length > 1 ? reached.shift()! : reached[0]!,
          ],
        ]
      : (more.replica?.(query) ?? [['of the replica']]),
  )
  const reads: string[] = []
  const failed: ReplicaReason[] = []
  const faults: unknown[] = []
  const changes = recentChanges(3_000)
  const routed = routeReads<'charts', Session>({
    primary: primary.db,
    replica: replica.db,
    watch: {
      whyNot: () => state.whyNot,
      lag: () => undefined,
      place: () => place,
      failed: (reason) => void failed.push(reason),
      look: async () => {},
      stop: async () => {},
    },
    changes,
    statements: { charts: ['figures'] },
    primarySource: primary.db,
    sourceOn: (session) => session,
    onRead: (reader, from, why) => void reads.push(`${reader} ${from} ${why}`.trim()),
    onFault: (fault) => void faults.push(fault),
    elapsed_ms: () => state.now_ms,
    wait: async (time_ms) => {
      state.now_ms += time_ms
    },
  })
  const asker = { key: 'a', changed: false }
  const read = (query = listed, by = asker) => routed.read('charts', by, (session) => session.run(query))
  return { state, primary, replica, reads, failed, faults, changes, routed, read, asker }
}

test('a quiet account is read from the replica, and the primary is asked nothing', async () => {
  const { read, primary, replica, reads } = setUp()
  assert.deepEqual(await read(), [['of the replica']])
  assert.deepEqual([primary.ran, replica.ran, reads], [[], ['replica_reached', 'figures'], ['charts replica']])
})

for (const why of ['unknown', 'late', 'unreachable', 'not_a_replica', 'other_cluster', 'other_database'] as const)
  test(`a replica that is ${why} is not asked: the primary answers`, async () => {
    const { state, read, replica, reads } = setUp()
    state.whyNot = why
    assert.deepEqual(await read(), [['of the primary']])
    assert.deepEqual([replica.ran, reads], [[], [`charts primary ${why}`]])
  })

test('what an account changed a moment ago is read from a replica that has reached the position of the primary', async () => {
  const { read, changes, primary, replica, reads } = setUp({ reached: ['f', 'f', 't'] })
  changes.changed('a', 0)
  assert.deepEqual(await read(), [['of the replica']])
  assert.deepEqual(primary.ran, ['primary_position'])
  assert.equal(replica.ran.filter((name) => name === 'replica_reached').length, 4)
  assert.deepEqual(reads, ['charts replica'])
})

test('a replica that does not reach the position soon is not read: the primary answers', async () => {
  const { state, read, changes, replica, reads } = setUp({ reached: ['f'] })
  changes.changed('a', 0)
  assert.deepEqual(await read(), [['of the primary']])
  assert.equal(state.now_ms, 250)
  assert.ok(!replica.ran.includes('figures'))
  assert.deepEqual(reads, ['charts primary behind'])
})

test('a browser that says that it changed something is treated so on a node that has not heard of it', async () => {
  const { read, primary } = setUp()
  await read(listed, { key: 'a', changed: true })
  assert.deepEqual(primary.ran, ['primary_position'])
})

test('another account that changed does not make this one wait', async () => {
  const { read, changes, primary } = setUp()
  changes.changed('b', 0)
  await read()
  assert.deepEqual(primary.ran, [])
})

for (const [what, fault] of [
  ['died in the middle', new DatabaseUnavailable('gone')],
  ['cancelled the statement for its recovery', Object.assign(new Error('conflict with recovery'), { code: '40001' })],
  ['lacks a table', Object.assign(new Error('no such table'), { code: '42P01' })],
] as const)
  test(`a replica that ${what} costs no answer: the work begins again on the primary`, async () => {
    let ran = 0
    const { routed, asker, reads } = setUp({ replica: () => (++ran === 2 ? fault : [['of the replica']]) })
    const value = await routed.read('charts', asker, async (session) => [
      await session.run(listed),
      await session.run(listed),
    ])
    assert.deepEqual(value, [[['of the primary']], [['of the primary']]])
    assert.match(reads[0]!, /^charts primary (unreachable|fault)$/)
  })

test('a replica that was promoted since the last look is not read', async () => {
  const { read, reads, replica } = setUp({ standby: 'f' })
  assert.deepEqual(await read(), [['of the primary']])
  assert.deepEqual(reads, ['charts primary not_a_replica'])
  assert.ok(!replica.ran.includes('figures'))
})

test('what the work itself refuses is its answer, and is not tried twice', async () => {
  const { routed, asker, reads } = setUp()
  let tries = 0
  const refused = routed.read('charts', asker, async () => {
    tries++
    throw new Error('no such wallet')
  })
  await assert.rejects(refused, /no such wallet/)
  assert.deepEqual([tries, reads], [1, []])
})

test('a statement that is not listed for its reader is read from the primary, and reported', async () => {
  const { read, replica, faults } = setUp()
  const other: RawQuery = { name: 'other', text: 'select', values: [] }
  assert.deepEqual(await read(other), [['of the primary']])
  assert.ok(!replica.ran.includes('other'))
  assert.match(String(faults[0]), /other is not listed for charts/)
})

test('the limits of a member and of a day are part of the name of a listed statement', async () => {
  const { read, reads } = setUp()
  for (const name of ['figures_limited', 'figures_today', 'figures_limited_today']) await read({ ...listed, name })
  assert.deepEqual(reads, ['charts replica', 'charts replica', 'charts replica'])
})

test('a file in parts goes on from the primary when the replica dies, and never goes back', async () => {
  let alive = true
  const { routed, asker, reads } = setUp({
    replica: () => (alive ? [['of the replica']] : new DatabaseUnavailable('x')),
  })
  const session = await routed.inParts('charts', asker)
  const parts = [await session.run(listed)]
  alive = false
  parts.push(await session.run(listed))
  alive = true
  parts.push(await session.run(listed))
  assert.deepEqual(parts.flat(2), ['of the replica', 'of the primary', 'of the primary'])
  assert.deepEqual(reads, ['charts replica', 'charts primary unreachable'])
})
