/**
 * Who is routed to a replica, and who never is. The replica is played by the same database and says that it is one; with a real one:
 * replica.slow.test.ts.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { merchantOperations } from '@sanad/contract/merchant/operations'
import type { Pool, RawQuery, RawRow, Session, Tx } from '../../src/postgres/connection/database.ts'
import { DatabaseUnavailable } from '../../src/postgres/connection/unavailable.ts'
import { allStatements } from '../../src/postgres/query/statement.ts'
import type { ReplicaReason } from '../../src/postgres/replica/replica-lag.ts'
import type { Replica } from '../../src/service/open-replica.ts'
import { replicaStatements } from '../../src/views/reads/replica-statements.ts'
import { queueStory } from '../support/queue-story.ts'
import { openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const place = { cluster: '7', database: '16384' }
const playing: {
  db?: Pool
  ran: string[]
  whyNot: ReplicaReason | undefined
  reached: boolean
  fault?: Error | undefined
} = { ran: [], whyNot: undefined, reached: true }

const nameOf = ({ label, name, text }: RawQuery): string => label ?? name ?? text
const playedRun = async (query: RawQuery): Promise<RawRow[]> => {
  if (query.name === 'replica_reached') {
    const reached = playing.reached || query.values[0] === '0/0'
    return [['t', place.cluster, place.database, reached ? 't' : 'f']]
  }
  playing.ran.push(nameOf(query))
  if (playing.fault !== undefined) throw playing.fault
  return playing.db!.run(query)
}
const replica: Replica = {
  reading: {
    run: playedRun,
    transaction: (work) => work({ run: playedRun } as Tx),
    pipelined: () => ({ run: playedRun }),
    connections: () => ({ most: 1, open: 1, idle: 1, waiting: 0 }),
    close: async () => {},
  },
  watch: {
    whyNot: () => playing.whyNot,
    lag: () => ({ lag_ms: 120, most_ms: 300 }),
    place: () => place,
    failed: () => {},
    look: async () => {},
    stop: async () => {},
  },
  maxLag_ms: 2_000,
  elapsed_ms: () => performance.now(),
  close: async () => {},
}

const service = await openTestService({ SANAD_LIMITS: 'off' }, { replica })
playing.db = service.db
const story = await queueStory(service)
const members = await createMembers(service)
const wallet = service.demo.wallets.main

/** The statements that the replica was asked while `work` ran. */
const ranWhile = async (work: () => Promise<unknown>): Promise<string[]> => {
  playing.ran = []
  await work()
  return playing.ran
}
const figure = async (line: string): Promise<string | undefined> =>
  (await service.figures()).split('\n').find((one) => one.startsWith(line))

const routed: readonly (readonly [reader: string, path: string, as?: 'operator'])[] = [
  ['charts', '/overview/charts/'],
  ['charts', '/overview/days/'],
  ['charts', '/overview/hours/'],
  ['charts', '/overview/links/'],
  ['day_close', `/day-close/?wallet=${wallet}`],
  ['day_close', `/day-close/lines/?wallet=${wallet}`],
  ['day_close', `/day-close/days/?wallet=${wallet}`],
  ['day_close', '/day-close/sums/'],
  ['exports', `/day-close/csv/?wallet=${wallet}`],
  ['exports', '/day-close/sums/csv/'],
  ['exports', '/intents/csv/'],
  ['exports', '/audit/csv/'],
  ['exports', '/audit/jsonl/'],
  ['search_counts', '/intents/?search=1500'],
  ['operator', '/operator/accounts/', 'operator'],
  ['operator', '/operator/health/', 'operator'],
]

for (const [reader, path, as] of routed)
  test(`${path} is read from the replica as ${reader}, and answers the same as the primary`, async () => {
    const { ask } = as === 'operator' ? members.operator : members.owner
    playing.whyNot = undefined
    const before = playing.ran.length
    const answer = await ask('GET', path)
    assert.equal(answer.status, 200, answer.text)
    assert.ok(playing.ran.length > before, 'the replica was not asked')
    playing.whyNot = 'late'
    const ran = await ranWhile(async () => {
      const again = await ask('GET', path)
      assert.equal(again.text, answer.text)
    })
    playing.whyNot = undefined
    assert.deepEqual(ran, [])
    assert.ok(await figure(`sanad_replica_reads_total{reader="${reader}",server="replica",why=""}`))
    assert.ok(await figure(`sanad_replica_reads_total{reader="${reader}",server="primary",why="late"}`))
    assert.ok(!service.lines.join().includes('was not routed'), service.lines.join('\n'))
  })

test('a replica that fails in any of these costs no answer', async () => {
  for (const [, path, as] of routed) {
    const { ask } = as === 'operator' ? members.operator : members.owner
    const right = await ask('GET', path)
    playing.fault = new DatabaseUnavailable('the replica is gone')
    const ran = await ranWhile(async () => {
      const answer = await ask('GET', path)
      assert.deepEqual([answer.status, answer.text], [200, right.text], path)
    })
    playing.fault = undefined
    assert.ok(ran.length > 0, path)
  }
})

test('what a person changed is asked of a replica that has it, or of the primary', async () => {
  const { ask } = members.owner
  playing.reached = false
  const alert = await story.reportTransfer('70', '1070')
  const dismissed = await ask('POST', `/unmatched/${alert}/dismiss/`, { body: { reason: 'not ours' } })
  assert.equal(dismissed.status, 200, dismissed.text)
  const ran = await ranWhile(async () => {
    const answer = await ask('GET', `/day-close/?wallet=${wallet}`)
    assert.equal(answer.body.dismissed.amount, '70.00')
  })
  assert.deepEqual(ran, [])
  playing.reached = true
  const after = await ranWhile(() => ask('GET', `/day-close/?wallet=${wallet}`))
  assert.ok(after.includes('day_rows'))
})

test('a browser that changed something gets a cookie that says so to every node, and reads what has the change', async () => {
  const { ask } = members.owner
  const changed = await ask('POST', '/intents/', { body: { wallet, amount: '12.00' } })
  assert.equal(changed.status, 201, changed.text)
  assert.match(
    String(changed.headers['set-cookie']),
    /sanad_changed=1; Max-Age=10; Path=\/api\/v1\/dashboard; HttpOnly/,
  )
  const read = await ask('GET', '/overview/charts/')
  assert.equal(read.headers['set-cookie'], undefined)
})

test('no call of a merchant’s server reads from the replica, and none of its statements is listed for it', async () => {
  const ran = new Set<string>()
  const recorded = <S extends Session>(session: S): S => ({
    ...session,
    run(query: RawQuery) {
      ran.add(nameOf(query))
      return session.run(query)
    },
  })
  const pool = {
    ...recorded(service.db),
    pipelined: () => recorded(service.db.pipelined()),
    transaction: ((work, locks) => service.db.transaction((tx) => work(recorded(tx)), locks)) as Pool['transaction'],
  }
  const node = await service.startService(pool, pool)
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' }
  const { id } = (await service.create()).body
  const payloads: Record<string, object> = {
    POST: { wallet, amount: '15.00' },
    PATCH: { reference: story.newReference() },
  }
  const called: string[] = []
  const atReplica = await ranWhile(async () => {
    for (const { method, path } of merchantOperations) {
      const url = `/api/v1/merchant${path.replace(/\{\w+\}/, id)}`
      for (const query of method === 'GET' ? ['', '?search=1500', '?status=VERIFIED&page_size=5'] : ['']) {
        const payload = payloads[method]
        const answer = await node.app.inject({ method, url: url + query, headers, ...(payload && { payload }) })
        if (answer.statusCode < 300) called.push(`${method} ${path}`)
      }
    }
  })
  await node.close()
  assert.deepEqual(atReplica, [])
  assert.ok(new Set(called).size >= 5, called.join())
  assert.ok(ran.has('list_intents') && ran.has('find_intents') === [...ran].includes('find_intents'), [...ran].join())
  const shared = Object.values(replicaStatements)
    .flat()
    .filter((name) => ran.has(name))
  // The progress of the tallies and the counts are figures that a merchant's list reads on the primary; who else reads them is routed.
  assert.deepEqual(
    [...new Set(shared)].sort(),
    ['read_tallied_total', 'read_tally_progress'].filter((name) => ran.has(name)),
  )
})

test('only the dashboard is given what is routed', () => {
  const src = join(import.meta.dirname, '../../src')
  const users = globSync('**/*.ts', { cwd: src })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) =>
      /views\/reads\/|postgres\/replica\/|\/reads\/routed-source/.test(readFileSync(join(src, file), 'utf8')),
    )
  assert.deepEqual(
    users.filter((file) => !/^(http\/dashboard|service|postgres\/replica|views\/reads)\//.test(file)),
    [],
  )
})

test('every listed statement exists, reads only and locks nothing', () => {
  const byName = new Map(allStatements.map(({ statementName, sql }) => [statementName, sql]))
  for (const name of new Set(Object.values(replicaStatements).flat())) {
    if (name === 'routed_list') continue
    const sql = byName.get(name)
    assert.ok(sql !== undefined, `${name} is no statement`)
    assert.doesNotMatch(sql, /\b(insert|update|delete|nextval|advisory|for (no key )?(update|share))\b/i, name)
  }
})
