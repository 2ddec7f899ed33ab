/**
 * No event is lost, whatever receivers do and whichever process dies. Two nodes send to good receivers and to receivers with
 * every fault. The nodes are killed with -9 at each point of a delivery, and PostgreSQL is restarted and killed while events
 * are created. At the end every committed delivery must have arrived or be recorded as failed, and every delivery that is
 * recorded as delivered must have been received. To kill a node inside a statement, the run holds the lock that the
 * statement needs, and kills the node when PostgreSQL reports that it waits.
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

/** The points at which the sending nodes are killed, and the other faults. */
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

/** Every kind of bad receiver. A delivery to one must end with a recorded failure. */
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

/** Receivers that behave strangely but answer with 2xx: deliveries to them succeed. */
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
 * Short waits, so that the retries of three days take seconds; the lease is as short as the service allows. Each kill costs a
 * delivery one attempt, and afterwards two nodes start cold with a full queue, on the machine that also runs the receivers.
 * So there are more attempts than all faults of a run can cost, and enough time for a good receiver to answer. (With two
 * attempts and 300 ms, good answers came too late and were counted as lost.)
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
  /** The number of events before, between and after the faults. */
  readonly eventsEach: number
  /** Without it, circuit breakers open as usual: bad receivers are then called one at a time, which takes long. */
  readonly breaker_failures?: number
  readonly say?: (line: string) => void
}): Promise<FaultsReport> => {
  const say = options.say ?? (() => {})
  const dataDir = mkdtempSync(join(tmpdir(), 'sanad-faults-'))
  await chmod(dataDir, 0o711)
  const masterKey = randomBytes(32)
  const secrets = endpointSecrets(new Uint8Array(masterKey))
  const receivers = await openHostileReceivers()
  // No test calls a public address. The loopback address, which is allowed here, stands for a public address, and the
  // metadata address for a private one.
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

  // The good receivers. If `armed` is set, the next call to one of them is passed to the fault.
  const received = new Map<string, number>()
  type ArmedCall = { readonly deliveryId: string; readonly answer: (status: number) => Promise<void> }
  let armed: { readonly point: FaultPoint; readonly onCall: (call: ArmedCall) => void } | undefined
  const countReceived = (name: string, eventId: unknown): void => {
    const key = `${name} ${eventId}`
    received.set(key, (received.get(key) ?? 0) + 1)
  }
  const good = createServer((request, response: ServerResponse) => {
    request.resume()
    request.on('end', () => {
      const [, name = '', behaviour = ''] = (request.url ?? '').split('/')
      // This receiver fails at the first attempt; only accepted calls are counted.
      const fails = behaviour === 'at-last' && request.headers['x-service-attempt'] === '1'
      const answer = (status: number): Promise<void> => {
        if (status === 200) countReceived(name, request.headers['x-service-event-id'])
        // The caller may have closed the connection meanwhile: then no answer is sent.
        return new Promise((sent) => {
          if (response.destroyed) return sent()
          response.once('close', () => sent())
          response.writeHead(status).end('ok', () => sent())
        })
      }
      const isArmedCall = armed !== undefined && fails === (armed.point === 'while recording a failure')
      if (!isArmedCall) return void answer(fails ? 500 : 200)
      const { onCall } = armed!
      armed = undefined
      onCall({ deliveryId: String(request.headers['x-service-delivery-id']), answer })
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

    const endpoints: Receiver[] = []
    const addReceiver = async (name: string, kind: Receiver['kind'], url: string): Promise<void> => {
      const id = randomUUID()
      await sql(
        `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
         values ($1, $2, $3, array['payment.verified'], $4, now())`,
        [accountId, id, url, secrets.seal(id as never, 'whsec_faults')],
      )
      endpoints.push({ id, name, kind })
    }
    for (const name of ['a', 'b']) await addReceiver(name, 'good', goodUrl(name))
    await addReceiver('c', 'good', goodUrl('c/at-last'))
    for (const fault of oddFaults) await addReceiver(fault, 'odd', receivers.url(fault))
    for (const fault of badFaults) await addReceiver(fault, 'bad', receivers.url(fault))
    await addReceiver('silent', 'bad', receivers.silentUrl)
    await addReceiver('nobody', 'bad', receivers.emptyUrl)
    await addReceiver('turns', 'bad', `http://turns.example.com:${receivers.port}/closes-at-once?turns`)
    await addReceiver('unanswered', 'bad', `http://hole.example.com:${receivers.port}/ok`)
    await addReceiver('certificate', 'bad', `https://127.0.0.1:${receivers.secure.port}/ok`)
    await addReceiver('inside', 'bad', 'http://169.254.169.254/latest/')
    await addReceiver('gone', 'gone', receivers.url('gone'))

    const events: EventId[] = []
    const createEvent = async (): Promise<void> => {
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
      // The insert was answered, so the event is committed and must arrive.
      events.push(id)
      // As a node tells the others. One that nobody tells, and that had nothing to do, looks after 15 seconds.
      await sql(`select pg_notify('sanad_deliveries', 'look')`)
    }
    const createEvents = async (): Promise<void> => {
      for (let n = 0; n < options.eventsEach; n++) {
        await createEvent()
        await delay(20)
      }
    }

    /** Continues while PostgreSQL is away: an insert that was not answered promises nothing. */
    const createEventsUntil = async (over: () => boolean): Promise<void> => {
      while (!over()) {
        await createEvent().catch(() => {})
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
    const eventually = async <T>(description: string, look: () => Promise<T | undefined>): Promise<T> => {
      for (let tries = 0; tries < 1_500; tries++) {
        const found = await look()
        if (found !== undefined) return found
        await delay(2)
      }
      throw new Error(`this never happened: ${description}`)
    }
    const waitingIn = (statement: string) => async (): Promise<readonly string[] | undefined> => {
      const rows = await sql(
        `select pid from pg_stat_activity
          where application_name = 'sanad sender' and wait_event_type = 'Lock' and strpos(query, $1) > 0`,
        [statement],
      )
      return rows.length === 0 ? undefined : rows.map((row) => row[0]!)
    }
    const called = (point: FaultPoint): Promise<ArmedCall> =>
      new Promise((onCall) => {
        armed = { point, onCall }
      })

    /** Each function kills both nodes at its point. */
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
      // The delivery's row is locked: the statement that records the result has begun, and ends after its node is dead.
      'while recording': async () => {
        const { deliveryId, answer } = await called('while recording')
        await holding('select from deliveries where id = $1 for update', [deliveryId], async () => {
          await answer(200)
          await eventually('a node waits while it records', waitingIn('array_position($1::uuid[], d.id)'))
          await nodes.kill()
        })
      },
      // The endpoint's row is locked: the attempt is written, the endpoint's health is not yet. The attempt must be rolled back.
      'while recording a failure': async () => {
        const { deliveryId, answer } = await called('while recording a failure')
        const [row] = await sql('select endpoint_id from deliveries where id = $1', [deliveryId])
        const lockEndpoint = 'select from webhook_endpoints where id = $1 for update'
        let pids: readonly string[] = []
        await holding(lockEndpoint, [row![0]], async () => {
          await answer(500)
          pids = await eventually('a node waits for the endpoint', waitingIn('enabled, last_success_at, failing_since'))
          await nodes.kill()
        })
        await eventually('its transaction is over', async () => {
          const left = await sql('select from pg_stat_activity where pid = any($1::int[])', [pids])
          return left.length === 0 ? true : undefined
        })
        const half = await sql('select from delivery_attempts where delivery_id = $1 and attempt = 1', [deliveryId])
        if (half.length > 0) throw new Error('the attempt was stored without its effect on the endpoint')
      },
    }
    /** A claim waits for the table. Either it is ended together with its node, or it is committed while its node is frozen. */
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
    await createEvents()
    for (const point of options.points) {
      if (point === 'postgres restarted' || point === 'postgres killed') {
        let over = false
        const creating = createEventsUntil(() => over)
        await delay(250)
        if (point === 'postgres killed') process.kill(postgres.pid, 'SIGKILL')
        await postgres.stop()
        // Long enough that a node whose event loop became empty would have exited.
        await delay(500)
        postgres = await startPostgres()
        await delay(250)
        over = true
        await creating
        if (nodes.count() !== 2) throw new Error(`a node did not outlive the restart of PostgreSQL, ${nodes.diedBy()}`)
      } else {
        const struck = strikes[point]()
        // A claim that waits for the table blocks the inserts of new events until the fault is over.
        await createEvents()
        await struck
        await Promise.all([startNode(), startNode()])
      }
      faults[point]++
      await createEvents()
      say(`${point}: ${events.length} events, ${received.size} received by the good receivers`)
    }

    if (nodes.leaked()) throw new Error('a node wrote the key of its database connection into the log')
    say('waiting until no delivery waits')
    for (let tries = 0; ; tries++) {
      const [row] = await sql('select count(*) from deliveries')
      if (row![0] === '0') break
      if (tries > 3_600) break
      await delay(250)
    }
    await nodes.end()

    for (const visit of receivers.visits) countReceived(visit.path.slice(1), visit.headers['x-service-event-id'])
    return { faults, ...(await deliveryOutcomes(sql, endpoints, events, received)) }
  } finally {
    await nodes.kill()
    for (const end of endings) await end()
    await postgres.stop()
    await delay(200)
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
