/**
 * What the stories of a move between two running cells share: the cells, a receiver of webhooks, traffic, the command, and how it is killed
 * where another session holds it up by a lock.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Demo } from '../../../src/commands/shop/demo.ts'
import { deriveKey, seal } from '../../../src/core/seal.ts'
import { openMerchantServer } from '../../support/merchant-server.ts'
import { until } from '../../support/pure/until.ts'
import { type Cell, openTwoCells, withoutDemo } from '../../support/servers/two-cells.ts'
import { masterKey } from '../../support/test-databases.ts'
import type { Traffic } from '../../support/traffic.ts'

/** Where the command is held up: which rows or tables of which cell another session has locked. */
export type Hold = { readonly at: string; readonly cell: Cell; readonly lock: string }

export const toldKinds = ['payment.verified', 'payment.unmatched'] as const

/** Both services run; the new one has no account yet, and its settings of a first start. Webhooks are sent with these settings. */
export const openMoveStory = async (webhooks: Readonly<Record<string, unknown>>) => {
  const { a, b } = await openTwoCells({ SANAD_WEBHOOKS: JSON.stringify(webhooks) })
  await Promise.all([a.start(), b.start(withoutDemo)])
  return { a, b, holds: holdsOf(a, b) }
}

/** Every step of a move, in order. */
const holdsOf = (a: Cell, b: Cell) => {
  const copy: Hold = { at: 'the copy', cell: b, lock: 'lock table alerts in share mode' }
  const rest: Hold = { at: 'what is copied after the freeze', cell: b, lock: 'lock table phone_rhythms in share mode' }
  const switching: Hold = {
    at: 'the switch, with a whole copy there',
    cell: a,
    lock: 'select from account_moves for update',
  }
  const beforeSwitch: readonly Hold[] = [
    { at: 'the begin', cell: a, lock: 'lock table account_moves in share mode' },
    { at: 'the other cell expects it', cell: b, lock: 'lock table account_moves in share mode' },
    copy,
    { at: 'the wait for webhooks', cell: a, lock: 'lock table deliveries in share update exclusive mode' },
    { at: 'the triggers of the freeze', cell: a, lock: 'lock table intents in share update exclusive mode' },
    rest,
    { at: 'the comparison', cell: b, lock: 'select from tally_progress for update' },
    switching,
  ]
  const thaw: Hold = { at: 'the thaw', cell: b, lock: 'select from account_moves for update' }
  return { copy, rest, switching, beforeSwitch, thaw }
}

export const accountOf = async (cell: Cell, shop: Demo): Promise<string> =>
  String((await cell.sql('select account_id::text from devices where id = $1', [shop.device.id]))[0]![0])

/** Creates an endpoint that subscribes to `toldKinds`. Returns its id. */
export const addEndpoint = async (cell: Cell, accountId: string, url: string): Promise<string> => {
  const id = randomUUID()
  await cell.sql(
    `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at) values ($1, $2, $3, $4, $5, now())`,
    [accountId, id, url, toldKinds, seal(deriveKey(masterKey, 'webhook secrets'), 'whsec_move', id)],
  )
  return id
}

/** Takes every event, half of them at the second try, so that some wait while the account is moved. */
export const openReceiver = async () => {
  const tries = new Map<string, number>()
  const taken = new Map<string, string[]>()
  const server = await openMerchantServer(({ headers, path }, response) => {
    const id = String(headers['x-service-event-id'])
    const count = (tries.get(path + id) ?? 0) + 1
    tries.set(path + id, count)
    const isTaken = count > 1 || tries.size % 2 === 0
    if (isTaken) taken.set(path, [...(taken.get(path) ?? []), id])
    response.writeHead(isTaken ? 200 : 503).end()
  })
  return { at: server.at, takenAt: (path: string): readonly string[] => taken.get(path) ?? [] }
}

/** What a cell still has to send of an account, and what became of the attempts there. */
export const queueOf = async (cell: Cell, accountId: string): Promise<string> => {
  const waiting = await cell.sql(
    `select count(*)::int, count(lease_id)::int, min(due_at)::text, max(due_at)::text, max(attempt)
       from deliveries where account_id = $1`,
    [accountId],
  )
  const endpoints = await cell.sql(
    `select url, enabled, open_until::text, slow_start from webhook_endpoints where account_id = $1`,
    [accountId],
  )
  const attempts = await cell.sql(
    `select outcome, error, count(*)::int from delivery_attempts where account_id = $1 group by 1, 2`,
    [accountId],
  )
  return JSON.stringify({ cell: cell.name, waiting, endpoints, attempts })
}

/** Waits until every event of the account was sent, and compares them with what arrived: each once. */
export const allArrivedOnce = async (cell: Cell, accountId: string, taken: () => readonly string[]) => {
  const left = async () =>
    Number((await cell.sql('select count(*)::int from deliveries where account_id = $1', [accountId]))[0]![0])
  await until(
    `cell ${cell.name} has sent everything`,
    async () => (await left()) === 0,
    () => queueOf(cell, accountId),
  )
  const events = await cell.sql(`select id::text from events where account_id = $1 and kind = any($2)`, [
    accountId,
    toldKinds,
  ])
  assert.ok(events.length > 0)
  assert.equal(new Set(taken()).size, taken().length, 'an event arrived twice')
  assert.deepEqual(taken().toSorted(), events.map(([id]) => String(id)).toSorted())
  // Nothing was given up, and no attempt is without its result.
  const outcomes = await cell.sql('select distinct outcome from delivery_attempts where account_id = $1 order by 1', [
    accountId,
  ])
  assert.deepEqual(outcomes.flat(), ['busy', 'ok'], await queueOf(cell, accountId))
  return events.length
}

/** The command `sanad account move` of an account, in the cell in which it is. */
export const mover = (cell: Cell, accountId: string) => {
  const move = (...more: string[]) => cell.run('account', 'move', '--account', accountId, ...more)

  /** Runs the command until it waits for the lock, and kills it. */
  const killAt = async ({ at, cell: held, lock }: Hold, ...args: string[]): Promise<void> => {
    const holder = new pg.Client({ connectionString: held.databaseUrl })
    await holder.connect()
    try {
      await holder.query('begin')
      await holder.query(lock)
      const run = move(...args)
      // Its connections to its own cell have the name that those of the service have, which waits for none of these locks.
      const waits =
        'select from pg_stat_activity p where application_name = $2 and $1 = any(pg_blocking_pids(p.pid)) limit 1'
      const application = held === cell ? 'sanad' : 'sanad account move'
      const [[pid]] = (await holder.query({ text: 'select pg_backend_pid()', rowMode: 'array' })).rows as [[number]]
      const isHeld = async (): Promise<boolean> => {
        if (run.child.exitCode !== null) assert.fail(`${at}: it ended: ${run.output()}`)
        return (await held.sql(waits, [pid, application])).length > 0
      }
      await until(`the command waits at ${at}`, isHeld, run.output)
      run.child.kill('SIGKILL')
      await run.ended
    } finally {
      await holder.query('rollback')
      await holder.end()
    }
  }

  /** PostgreSQL notices a killed client a moment later; until then its lock refuses another command. */
  const untilDone = async (...args: string[]): Promise<string> => {
    let last = ''
    return until(
      `the command ends well: ${args.join(' ')}`,
      async () => {
        const run = move(...args)
        const code = await run.ended
        last = run.output()
        if (code === 0) return last
        assert.match(last, /Another command is moving/)
        return undefined
      },
      () => last,
    )
  }
  return { move, killAt, untilDone }
}

const doneOf = ({ orders }: Traffic): number => orders.filter(({ attached, reported }) => attached && reported).length

/** Until so many more orders have their reference and their money. */
export const untilOrders = async (traffic: Traffic, more: number): Promise<void> => {
  const before = doneOf(traffic)
  await until(
    `${more} more orders`,
    () => doneOf(traffic) >= before + more,
    () => `${doneOf(traffic) - before}; the last answers: ${traffic.samples.slice(-20).map(({ status }) => status)}`,
  )
}

/** Throws what the traffic was refused. */
export const stopTraffic = async (traffic: Traffic): Promise<void> => {
  let ended = false
  const stopping = traffic.stop().finally(() => {
    ended = true
  })
  await Promise.race([stopping, until('the traffic ends', () => ended)])
  await stopping
}

export const rowsIn = (cell: Cell) => async (text: string) => {
  const client = new pg.Client({ connectionString: cell.databaseUrl })
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}

/** The time within which this share of the calls was answered, in milliseconds. */
export const within_ms = (samples: Traffic['samples'], share: number): number => {
  const times = samples.map(({ sentAt, endedAt }) => endedAt - sentAt).sort((one, other) => one - other)
  return Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)
}
