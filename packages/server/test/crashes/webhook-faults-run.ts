/**
 * No event is lost, whatever receivers do and whichever process dies: two sending nodes, receivers with every fault
 * beside good ones, nodes killed with -9 at each point of a delivery, PostgreSQL restarted and killed while events are
 * created. At the end every committed delivery must have arrived or be in a visible terminal state, and what is
 * recorded as delivered must have been received. A point inside the database is reached by holding the lock that the
 * nodes need there: they are killed when PostgreSQL reports that they wait for it.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { type AccountId, type EventId, timeOrderedId } from '../../src/core/ids.ts'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { startEmbedded } from '../../src/postgres/embedded/embedded.ts'
import { endpointSecrets } from '../../src/webhooks/endpoints/endpoint-secrets.ts'
import { insertEvents } from '../../src/webhooks/event-sql.ts'
import { openHostileReceivers, type ReceiverFault } from '../support/servers/hostile-receivers.ts'
import { openNameServer } from '../support/servers/name-server.ts'
import { deliveryOutcomes, type Outcomes, type Receiver } from './delivery-outcomes.ts'
import { sendingNodes } from './sending-nodes.ts'

/** Where the sending nodes are killed, or what else happens to them. */
export const faultPoints = [
  'any moment',
  'before the claim',
  'after the claim',
  'in the call',
  'after the 2xx',
  'while recording',
  'while recording a failure',
  'postgres restarted',
  'postgres killed',
] as const
export type FaultPoint = (typeof faultPoints)[number]

/** Every kind of bad receiver. What they make of an event is theirs to choose: it must end, visibly. */
const badFaults: readonly ReceiverFault[] = [
  'slow-first-byte',
  'slow-body',
  'endless-refusal',
  'redirect',
  'redirect-to-ok',
  'busy-seconds',
  'busy-date',
  'broken',
  'closes-at-once',
  'closes-half-way',
  'reset-half-way',
  'huge-headers',
  'not-http',
  'switches-protocols',
]

/** Odd, but they say 2xx: what is sent to them arrives. */
const oddFaults: readonly ReceiverFault[] = [
  'ok-and-closes',
  'no-content',
  'early-hints',
  'endless-body',
  'long-body',
  'gzip-bomb',
  'binary',
  'cookie',
  'two-answers',
]

/**
 * Short, so that three days pass in seconds; a lease stays as long as it must. A worker that is killed takes an attempt with
 * it, and after it two nodes start cold, on the machine of all receivers, with everything that waited: so there are more
 * attempts than all faults of a run together can take, and a receiver that answers at once has the time to. (With two attempts and 300 ms,
 * good answers came too late, and were counted as lost.)
 */
const settings = {
  retry_waits_s: [0, 1, 1, 1, 1, 1, 1, 1],
  retry_jitter: 0,
  retry_after_most_s: 1,
  dns_ms: 300,
  connect_ms: 1_000,
  first_byte_ms: 1_000,
  total_ms: 1_500,
  lease_ms: 11_500,
  reap_ms: 250,
  poll_ms: 100,
  breaker_first_ms: 10,
  breaker_slowest_ms: 20,
  disable_failures: 1_000_000,
}

export type FaultsReport = Outcomes & { readonly faults: Readonly<Record<FaultPoint, number>> }

export const faultsRun = async (options: {
  readonly points: readonly FaultPoint[]
  /** Events before, between and after the faults. */
  readonly eventsEach: number
  /** Left out: breakers open as usual, and bad receivers are then called one at a time, which lasts. */
  readonly breaker_failures?: number
  readonly say?: (line: string) => void
}): Promise<FaultsReport> => {
  const say = options.say ?? (() => {})
  const dataDir = mkdtempSync(join(tmpdir(), 'sanad-faults-'))
  await chmod(dataDir, 0o711)
  const masterKey = randomBytes(32)
  const secrets = endpointSecrets(new Uint8Array(masterKey))
  const receivers = await openHostileReceivers()
  // No test calls a public address: the one that the operator allowed stands for it, and the one of metadata for the inside.
  let turns = 0
  const names = await openNameServer((name, family) => {
    if (name.startsWith('hole.')) return 'silence'
    if (family === 6) return []
    return turns++ % 2 === 0 ? ['127.0.0.1'] : ['169.254.169.254']
  })
  const endings: (() => unknown)[] = [() => receivers.close(), () => names.close()]

  const startPostgres = () => startEmbedded({ dataDir, log: () => {}, onExit: () => {} })
  let postgres = await startPostgres()

  const nodes = sendingNodes({
    SANAD_DATA_DIR: join(dataDir, 'node'),
    SANAD_MASTER_KEY: masterKey.toString('base64'),
    SANAD_WEBHOOK_NAME_SERVERS: names.address,
    SANAD_WEBHOOKS: JSON.stringify({ ...settings, breaker_failures: options.breaker_failures ?? 5 }),
  })
  const startNode = (): Promise<void> => nodes.start(postgres.url)

  // The good receivers; armed with a point, the next call to one of them is met by its fault.
  const received = new Map<string, number>()
  type Met = { readonly deliveryId: string; readonly answer: (status: number) => Promise<void> }
  let armed: { readonly point: FaultPoint; readonly met: (met: Met) => void } | undefined
  const note = (name: string, eventId: unknown): void => {
    const key = `${name} ${eventId}`
    received.set(key, (received.get(key) ?? 0) + 1)
  }
  const good = createServer((request, response: ServerResponse) => {
    request.resume()
    request.on('end', () => {
      const [, name = '', how = ''] = (request.url ?? '').split('/')
      // One that fails at first and then takes it: only what it took counts.
      const fails = how === 'at-last' && request.headers['x-service-attempt'] === '1'
      const answer = (status: number): Promise<void> => {
        if (status === 200) note(name, request.headers['x-service-event-id'])
        // The caller may have given up meanwhile: then nothing is sent any more.
        return new Promise((sent) => {
          if (response.destroyed) return sent()
          response.once('close', () => sent())
          response.writeHead(status).end('ok', () => sent())
        })
      }
      const wanted = armed !== undefined && fails === (armed.point === 'while recording a failure')
      if (!wanted) return void answer(fails ? 500 : 200)
      const { met } = armed!
      armed = undefined
      met({ deliveryId: String(request.headers['x-service-delivery-id']), answer })
    })
  }).listen(0, '127.0.0.1')
  await once(good, 'listening')
  endings.unshift(() => {
    good.closeAllConnections()
    good.close()
  })
  const goodUrl = (path: string) => `http://127.0.0.1:${(good.address() as AddressInfo).port}/${path}`

  try {
    await startNode()
    await startNode()
    const db = openDatabase({ url: postgres.url, connections: 2, application: 'faults', onFault: () => {} })
    endings.unshift(() => db.close())
    const sql = (text: string, values: unknown[] = []) => db.run({ text, values })
    const [owner] = await sql('select account_id, id from wallets order by id limit 1')
    const [accountId, walletId] = owner as [AccountId, string]

    const parties: Receiver[] = []
    const party = async (name: string, kind: Receiver['kind'], url: string): Promise<void> => {
      const id = randomUUID()
      await sql(
        `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
         values ($1, $2, $3, array['payment.verified'], $4, now())`,
        [accountId, id, url, secrets.seal(id as never, 'whsec_faults')],
      )
      parties.push({ id, name, kind })
    }
    for (const name of ['a', 'b']) await party(name, 'good', goodUrl(name))
    await party('c', 'good', goodUrl('c/at-last'))
    for (const fault of oddFaults) await party(fault, 'odd', receivers.url(fault))
    for (const fault of badFaults) await party(fault, 'bad', receivers.url(fault))
    await party('silent', 'bad', receivers.silentUrl)
    await party('nobody', 'bad', receivers.emptyUrl)
    await party('turns', 'bad', `http://turns.example.com:${receivers.port}/closes-at-once?turns`)
    await party('unanswered', 'bad', `http://hole.example.com:${receivers.port}/ok`)
    await party('certificate', 'bad', `https://127.0.0.1:${receivers.secure.port}/ok`)
    await party('inside', 'bad', 'http://169.254.169.254/latest/')
    await party('gone', 'gone', receivers.url('gone'))

    const events: EventId[] = []
    const happen = async (): Promise<void> => {
      const now = systemClock.now()
      const id = timeOrderedId<EventId>(now)
      await insertEvents(db, [
        {
          accountId,
          id,
          kind: 'payment.verified',
          walletId: walletId as never,
          intentId: null,
          alertId: randomUUID() as never,
          body: `{"event":"payment.verified","payment_id":"${events.length}"}`,
          createdAt: now,
        },
      ])
      // Answered: it is committed, and so it counts.
      events.push(id)
    }
    const someHappen = async (): Promise<void> => {
      for (let n = 0; n < options.eventsEach; n++) {
        await happen()
        await delay(20)
      }
    }

    /** Goes on while PostgreSQL is away: what was not answered was not committed, as far as anybody can know. */
    const happenUntil = async (over: () => boolean): Promise<void> => {
      while (!over()) {
        await happen().catch(() => {})
        await delay(100)
      }
    }

    const blocker = openDatabase({ url: postgres.url, connections: 1, application: 'blocker', onFault: () => {} })
    endings.unshift(() => blocker.close())
    const holding = (text: string, values: unknown[], work: () => Promise<void>): Promise<void> =>
      blocker.transaction(async (tx) => {
        await tx.run({ text, values })
        await work()
      })
    const eventually = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
      for (let tries = 0; tries < 1_500; tries++) {
        const found = await look()
        if (found !== undefined) return found
        await delay(2)
      }
      throw new Error(`never: ${what}`)
    }
    const waitingIn = (statement: string) => async (): Promise<readonly string[] | undefined> => {
      const rows = await sql(
        `select pid from pg_stat_activity
          where application_name = 'sanad sender' and wait_event_type = 'Lock' and strpos(query, $1) > 0`,
        [statement],
      )
      return rows.length === 0 ? undefined : rows.map((row) => row[0]!)
    }
    const called = (point: FaultPoint): Promise<Met> =>
      new Promise((met) => {
        armed = { point, met }
      })

    /** Each ends with both nodes killed, at its point. */
    const strikes: Record<Exclude<FaultPoint, 'postgres restarted' | 'postgres killed'>, () => Promise<void>> = {
      'any moment': async () => {
        await delay(5 + Math.random() * 200)
        await nodes.kill()
      },
      'before the claim': () => strikeInClaim(false),
      'after the claim': () => strikeInClaim(true),
      'in the call': async () => {
        await called('in the call')
        await nodes.kill()
      },
      'after the 2xx': async () => {
        const { answer } = await called('after the 2xx')
        await answer(200)
        await nodes.kill()
      },
      // Its row is locked: the statement that records it has begun, and ends when its caller is dead.
      'while recording': async () => {
        const { deliveryId, answer } = await called('while recording')
        await holding('select from deliveries where id = $1 for update', [deliveryId], async () => {
          await answer(200)
          await eventually('a node waits while it records', waitingIn('array_position($1::uuid[], d.id)'))
          await nodes.kill()
        })
      },
      // Its endpoint is held: the attempt is written, and its consequence for the health is not. Neither may stay.
      'while recording a failure': async () => {
        const { deliveryId, answer } = await called('while recording a failure')
        const [row] = await sql('select endpoint_id from deliveries where id = $1', [deliveryId])
        const held = 'select from webhook_endpoints where id = $1 for update'
        let pids: readonly string[] = []
        await holding(held, [row![0]], async () => {
          await answer(500)
          pids = await eventually('a node waits for the endpoint', waitingIn('enabled, last_success_at, failing_since'))
          await nodes.kill()
        })
        await eventually('its transaction is over', async () => {
          const left = await sql('select from pg_stat_activity where pid = any($1::int[])', [pids])
          return left.length === 0 ? true : undefined
        })
        const half = await sql('select from delivery_attempts where delivery_id = $1 and attempt = 1', [deliveryId])
        if (half.length > 0) throw new Error('half of a record was kept')
      },
    }
    /** A claim waits for the table: it is ended with its node and never was, or committed while its node stands still. */
    const strikeInClaim = async (committed: boolean): Promise<void> => {
      await holding('lock table deliveries in share row exclusive mode', [], async () => {
        const pids = await eventually('a node waits while it claims', waitingIn('as share (id, most, under_way)'))
        if (committed) nodes.freeze()
        else await nodes.kill()
        if (!committed) await sql('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids])
      })
      if (!committed) return
      await eventually('the claim is committed', async () => {
        const leased = await sql('select from deliveries where lease_id is not null limit 1')
        return leased.length > 0 ? true : undefined
      })
      await nodes.kill()
    }

    const faults = Object.fromEntries(faultPoints.map((point) => [point, 0])) as Record<FaultPoint, number>
    await someHappen()
    for (const point of options.points) {
      if (point === 'postgres restarted' || point === 'postgres killed') {
        let over = false
        const happening = happenUntil(() => over)
        await delay(250)
        if (point === 'postgres killed') process.kill(postgres.pid, 'SIGKILL')
        await postgres.stop()
        // Long enough that a node with nothing left to wait for would have ended.
        await delay(500)
        postgres = await startPostgres()
        await delay(250)
        over = true
        await happening
        if (nodes.count() !== 2) throw new Error(`a node did not outlive the restart of PostgreSQL, ${nodes.diedBy()}`)
      } else {
        const struck = strikes[point]()
        // A claim that waits for the table holds up those who would put something into it: first the one, then the other.
        await someHappen()
        await struck
        await Promise.all([startNode(), startNode()])
      }
      faults[point]++
      await someHappen()
      say(`${point}: ${events.length} events, ${received.size} received by the good`)
    }

    if (nodes.leaked()) throw new Error('a node wrote the key of its database connection into the log')
    say('waiting until nothing waits any more')
    for (let tries = 0; ; tries++) {
      const [row] = await sql('select count(*) from deliveries')
      if (row![0] === '0') break
      if (tries > 3_600) break
      await delay(250)
    }
    await nodes.end()

    for (const visit of receivers.visits) note(visit.path.slice(1), visit.headers['x-service-event-id'])
    return { faults, ...(await deliveryOutcomes(sql, parties, events, received)) }
  } finally {
    await nodes.kill()
    for (const end of endings) await end()
    await postgres.stop()
    await delay(200)
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
