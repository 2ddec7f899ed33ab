/**
 * Nothing is lost, whatever receivers do and whoever dies: two sending nodes, a zoo of receivers of every bad kind beside
 * good ones, the nodes killed with -9 at each point of a delivery, PostgreSQL restarted under them. At the end every
 * delivery that was committed must have arrived or stand in a terminal state that can be seen, and what must arrive must
 * have been heard by its receiver.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../src/ground/clock.ts'
import { type AccountId, type EventId, growingId } from '../src/ground/ids.ts'
import { openDatabase } from '../src/postgres/database.ts'
import { startEmbedded } from '../src/postgres/embedded.ts'
import { endpointSecrets } from '../src/webhooks/endpoint-secrets.ts'
import { insertEvents } from '../src/webhooks/event-sql.ts'
import { bareEnvironment } from './bare-environment.ts'
import { type Animal, openZoo } from './receiver-zoo.ts'

const main = join(import.meta.dirname, '../src/main.ts')

/** Where the sending nodes are killed, or what else is done to them. */
export const faultPoints = [
  'any moment',
  'in the call',
  'after the 2xx',
  'while recording',
  'postgres restarted',
] as const
export type FaultPoint = (typeof faultPoints)[number]

/** Every kind of bad receiver. What they make of an event is theirs to choose: it must end, visibly. */
const badAnimals: readonly Animal[] = [
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
const oddAnimals: readonly Animal[] = [
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
 * attempts than one fault can take, and a receiver that answers at once has the time to. (With two attempts and 300 ms,
 * good answers came too late, and were counted as lost.)
 */
const settings = {
  retry_waits_s: [0, 1, 1, 1],
  retry_jitter: 0,
  retry_after_most_s: 1,
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

export type FaultsReport = {
  readonly faults: Readonly<Record<FaultPoint, number>>
  readonly receivers: number
  readonly events: number
  readonly committed: number
  readonly delivered: number
  readonly deliveredTwice: number
  readonly terminal: Readonly<Record<string, number>>
  /** Committed, and neither arrived nor ended where it can be seen. Must be empty. */
  readonly lost: readonly string[]
}

type Party = { readonly id: string; readonly name: string; readonly kind: 'good' | 'odd' | 'bad' | 'gone' }

export const faultsRun = async (options: {
  readonly points: readonly FaultPoint[]
  /** Events before, between and after the faults. */
  readonly eventsEach: number
  readonly say?: (line: string) => void
}): Promise<FaultsReport> => {
  const say = options.say ?? (() => {})
  const dataDir = mkdtempSync(join(tmpdir(), 'sanad-faults-'))
  await chmod(dataDir, 0o711)
  const masterKey = randomBytes(32)
  const secrets = endpointSecrets(new Uint8Array(masterKey))
  const nodes = new Set<ChildProcess>()
  const zoo = await openZoo()
  const endings: (() => unknown)[] = [() => zoo.close()]

  const startPostgres = () => startEmbedded({ dataDir, log: () => {}, onExit: () => {} })
  let postgres = await startPostgres()

  /** How the last node ended that nobody killed. */
  let diedBy = ''
  let leaked = false
  const startNode = async (): Promise<void> => {
    const child = spawn(process.execPath, [main, 'start'], {
      env: {
        ...bareEnvironment,
        DATABASE_URL: postgres.url,
        SANAD_DATA_DIR: join(dataDir, 'node'),
        SANAD_ROLE: 'work',
        SANAD_MASTER_KEY: masterKey.toString('base64'),
        SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        SANAD_WEBHOOKS: JSON.stringify(settings),
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    nodes.add(child)
    let out = ''
    child.once('exit', (code, signal) => {
      nodes.delete(child)
      if (signal !== 'SIGKILL') diedBy = `${code ?? signal}: ${out}`
    })
    await new Promise<void>((ready, fail) => {
      child.stderr!.on('data', (chunk) => {
        out = `${out}${chunk}`.slice(-20_000)
        if (out.includes('secretKey')) leaked = true
        if (out.includes('"msg":"ready"')) ready()
      })
      child.once('exit', (code, signal) => fail(new Error(`a node ended (${code ?? signal}) at its start: ${out}`)))
    })
  }
  const killNodes = async (): Promise<void> => {
    const dying = [...nodes]
    const gone = dying.map((child) => once(child, 'exit'))
    for (const child of dying) child.kill('SIGKILL')
    await Promise.all(gone)
  }

  // The good receivers; armed with a point, the next call to one of them is met by its fault.
  const heard = new Map<string, number>()
  let armed: FaultPoint | undefined
  let struck = (): void => {}
  const strike = (): void => {
    armed = undefined
    struck()
  }
  const note = (name: string, eventId: unknown): void => {
    const key = `${name} ${eventId}`
    heard.set(key, (heard.get(key) ?? 0) + 1)
  }
  const good = createServer((request, response: ServerResponse) => {
    request.resume()
    request.on('end', () => {
      const [, name = '', how = ''] = (request.url ?? '').split('/')
      if (armed === 'in the call') return strike()
      // One that fails at first and then takes it: only what it took counts.
      if (how === 'at-last' && request.headers['x-service-attempt'] === '1') return void response.writeHead(500).end()
      note(name, request.headers['x-service-event-id'])
      const point = armed
      response.end('ok', () => {
        if (point === 'after the 2xx') strike()
        else if (point === 'while recording') setTimeout(strike, 2)
      })
      if (point !== undefined) armed = undefined
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

    const parties: Party[] = []
    const party = async (name: string, kind: Party['kind'], url: string): Promise<void> => {
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
    for (const animal of oddAnimals) await party(animal, 'odd', zoo.url(animal))
    for (const animal of badAnimals) await party(animal, 'bad', zoo.url(animal))
    await party('silent', 'bad', zoo.silentUrl)
    await party('nobody', 'bad', zoo.emptyUrl)
    await party('certificate', 'bad', `https://127.0.0.1:${zoo.secure.port}/ok`)
    await party('inside', 'bad', 'http://169.254.169.254/latest/')
    await party('gone', 'gone', zoo.url('gone'))

    const events: EventId[] = []
    const happen = async (): Promise<void> => {
      const now = systemClock.now()
      const id = growingId<EventId>(now)
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

    const faults: Record<FaultPoint, number> = {
      'any moment': 0,
      'in the call': 0,
      'after the 2xx': 0,
      'while recording': 0,
      'postgres restarted': 0,
    }
    await someHappen()
    for (const point of options.points) {
      const happening = someHappen()
      if (point === 'any moment') await delay(5 + Math.random() * 200)
      else if (point !== 'postgres restarted')
        await new Promise<void>((done) => {
          struck = done
          armed = point
        })
      if (point === 'postgres restarted') {
        await happening
        await postgres.stop()
        // Long enough that a node with nothing left to wait for would have ended.
        await delay(500)
        postgres = await startPostgres()
        if (nodes.size !== 2) throw new Error(`a node did not outlive the restart of PostgreSQL, ${diedBy}`)
      } else {
        await killNodes()
        await happening
        await startNode()
        await startNode()
      }
      faults[point]++
      await someHappen()
      say(`${point}: ${events.length} events, ${heard.size} heard by the good`)
    }

    if (leaked) throw new Error('a node wrote the key of its database connection into the log')
    say('waiting until nothing waits any more')
    for (let tries = 0; ; tries++) {
      const [row] = await sql('select count(*) from deliveries')
      if (row![0] === '0') break
      if (tries > 1_200) break
      await delay(250)
    }
    await Promise.all(
      [...nodes].map((child) => {
        const gone = once(child, 'exit')
        child.kill('SIGTERM')
        return gone
      }),
    )

    for (const visit of zoo.visits) note(visit.path.slice(1), visit.headers['x-service-event-id'])
    const ended = new Map(
      (await sql('select endpoint_id, event_id, ending from delivery_ends')).map(([endpoint, event, ending]) => [
        `${endpoint} ${event}`,
        ending!,
      ]),
    )
    /** What each attempt met, for whoever asks why something was lost. */
    const met = new Map<string, string[]>()
    for (const [endpoint, event, ...said] of await sql(
      `select endpoint_id, event_id, attempt, outcome, coalesce(status, 0), error, took::text
         from delivery_attempts where outcome <> 'ok' order by at`,
    )) {
      const key = `${endpoint} ${event}`
      met.set(key, [...(met.get(key) ?? []), said.join(' ')])
    }
    const left = new Set((await sql('select endpoint_id, event_id from deliveries')).map((row) => row.join(' ')))
    const lost: string[] = []
    const terminal: Record<string, number> = { delivered: 0, exhausted: 0, disabled: 0 }
    let [committed, delivered, deliveredTwice] = [0, 0, 0]
    for (const { id, name, kind } of parties) {
      for (const event of events) {
        const key = `${id} ${event}`
        const ending = ended.get(key)
        // An endpoint that said 410 hears of nothing that happens after it.
        if (kind === 'gone' && ending === undefined && !left.has(key)) continue
        committed++
        const times = heard.get(`${name} ${event}`) ?? 0
        if (ending !== undefined) terminal[ending] = (terminal[ending] ?? 0) + 1
        if (ending === 'delivered') delivered++
        if (ending === 'delivered' && times > 1) deliveredTwice++
        const wanted = kind === 'good' || kind === 'odd' ? 'delivered' : kind === 'gone' ? 'disabled' : 'exhausted'
        if (ending !== wanted)
          lost.push(
            [`event ${event} for ${name}: ${ending ?? (left.has(key) ? 'still waits' : 'nowhere')}`]
              .concat(met.get(key) ?? [])
              .join('\n  '),
          )
        else if (ending === 'delivered' && times === 0)
          lost.push(`event ${event} for ${name}: told as delivered, never heard`)
      }
    }
    return {
      faults,
      receivers: parties.length,
      events: events.length,
      committed,
      delivered,
      deliveredTwice,
      terminal,
      lost,
    }
  } finally {
    for (const child of nodes) child.kill('SIGKILL')
    for (const end of endings) await end()
    await postgres.stop()
    await delay(200)
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
