/**
 * The service for a test: a real PostgreSQL database, the service on a loopback port, a demo merchant, a clock that
 * the test moves, and an HTTP client.
 */
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { openDatabase, type Pool } from '../../src/postgres/connection/database.ts'
import { openService, type Service } from '../../src/service.ts'
import { checkDescribed } from './check-described.ts'
import { movableClock } from './pure/movable-clock.ts'
import { demoDatabase, masterKey, morning } from './test-databases.ts'

export { morning } from './test-databases.ts'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the story expects them
  readonly body: any
}

export type Ask = {
  readonly token?: string | null
  /** Sent as JSON; a string or bytes as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The answer is not in the OpenAPI document: the test caused a fault, or the port does not serve that API. */
  readonly undescribed?: boolean
}

export type Node = { readonly origin: string; readonly service: Service; close(): Promise<void> }

export const openTestService = async (
  env: Record<string, string> = {},
  overrides: Partial<Parameters<typeof openService>[0]> = {},
) => {
  const { database, demo: templateDemo } = await demoDatabase()
  const clock = movableClock(morning)
  const config: Config = readConfig({ SANAD_DATA_DIR: '/nonexistent', SANAD_TOKEN_TTL_S: String(30 * 86_400), ...env })
  const open = (lock_timeout_ms: number): Pool =>
    openDatabase({ url: database.url, connections: 8, application: 'test', lock_timeout_ms, onFault: () => {} })
  const db = open(10_000)
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const nodes = new Set<Node>()
  const endings: (() => Promise<void>)[] = []

  /** A service that does not listen yet. Its connections are closed when the tests end. */
  const startService = (own = db, shared = db): Promise<Service> =>
    openService({
      config,
      log,
      clock,
      masterKey,
      db: own,
      shared,
      sending: own,
      databaseUrl: database.url,
      notReady: async () => undefined,
      ...overrides,
    })

  const startNode = async (): Promise<Node> => {
    const [own, shared] = [open(Number(env.TEST_LOCK_TIMEOUT_MS ?? 10_000)), open(300)]
    const service = await startService(own, shared)
    await service.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = service.app.server.address() as AddressInfo
    const node: Node = {
      origin: `http://127.0.0.1:${port}`,
      service,
      /** Called by the test, or at the end of the tests. */
      async close() {
        if (!nodes.has(node)) return
        nodes.delete(node)
        await service.close()
        await Promise.all([own.close(), shared.close()])
      },
    }
    nodes.add(node)
    return node
  }

  const first = await startNode()
  const demo: Demo = {
    ...templateDemo,
    base_url: `${first.origin}/api/v1/merchant`,
    dashboard: { ...templateDemo.dashboard, url: `${first.origin}/` },
  }
  const token = await tokenOf(first.origin, demo.client_id, demo.client_secret)
  const ask = (method: string, path: string, options: Ask = {}) =>
    askAt(`${first.origin}/api/v1/merchant${path}`, method, { token, ...options })

  const close = async () => {
    await Promise.all(endings.map((end) => end()))
    await Promise.all([...nodes].map((node) => node.close()))
    await db.close()
    await database.drop()
  }
  after(close)

  return {
    origin: first.origin,
    base: `${first.origin}/api/v1/merchant`,
    database,
    databaseUrl: database.url,
    masterKey,
    db,
    clock,
    config,
    demo,
    token,
    lines,
    startNode,
    startService,
    /** `end` runs at the end of the tests, before the database is dropped. */
    atEnd: (end: () => Promise<void>) => void endings.push(end),
    ask,
    /** Creates a PENDING intent on the main wallet; `body` overrides its fields. */
    async create(body: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Answer> {
      return ask('POST', '/intents/', { body: { wallet: demo.wallets.main, amount: '1500.00', ...body }, headers })
    },
    /** The metrics that Prometheus reads at the operators' port. */
    figures: async (): Promise<string> => (await first.service.operatorsApp.inject('/metrics')).body,
    tokenFor: (clientId: string, secret: string) => tokenOf(first.origin, clientId, secret),
    sql: async (text: string, values: unknown[] = []) => db.run({ text, values }),
    /** Runs SQL that writes very many rows, without the service's time limit for a statement. */
    async plant(text: string, values: unknown[] = []): Promise<void> {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      await client.query(text, values).finally(() => client.end())
    },
  }
}

export type TestService = Awaited<ReturnType<typeof openTestService>>

export const tokenOf = async (origin: string, clientId: string, secret: string): Promise<string> => {
  const answer = await askAt(`${origin}/api/v1/merchant/token`, 'POST', {
    headers: { 'SERVICE-CLIENT-ID': clientId, 'SERVICE-CLIENT-SECRET': secret },
  })
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`)
  return answer.body.access_token
}

const dashboardBase = '/api/v1/dashboard'

/** Sends a request. An answer of the dashboard API must match the OpenAPI document. */
export const askAt = async (url: string, method: string, options: Ask): Promise<Answer> => {
  const answer = await sendAt(url, method, options)
  const at = url.indexOf(dashboardBase)
  return at < 0 || options.undescribed ? answer : checkDescribed(method, url.slice(at + dashboardBase.length), answer)
}

/** Uses node:http, because fetch refuses to send some of the malformed requests of the tests. */
const sendAt = (url: string, method: string, { token, body, headers = {} }: Ask): Promise<Answer> =>
  new Promise((done, fail) => {
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const bytes = body === undefined ? undefined : raw ? Buffer.from(body as string) : Buffer.from(JSON.stringify(body))
    const sent: Record<string, string> = {}
    if (token) sent.authorization = `Bearer ${token}`
    if (bytes !== undefined) sent['content-length'] = String(bytes.length)
    if (bytes !== undefined) sent['content-type'] = 'application/json'
    for (const [name, value] of Object.entries(headers)) {
      if (value === '(none)') delete sent[name.toLowerCase()]
      else sent[name.toLowerCase()] = value
    }
    const request = httpRequest(url, { method, headers: sent, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const isJson = /^application\/json(;|$)/.test(response.headers['content-type'] ?? '') && text !== ''
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: isJson ? JSON.parse(text) : undefined,
        })
      })
    })
    request.on('error', fail)
    request.end(bytes)
  })

/** An answer that must not be a refusal. */
export const ok = (answer: Answer): Answer => {
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`)
  return answer
}
export const okBody = (answer: Answer): Answer['body'] => ok(answer).body

/** Each error as `code@attr`, in order. */
export const errorsOf = (answer: Answer): string[] =>
  answer.body.errors.map((error: { code: string; attr: string | null }) => `${error.code}@${error.attr}`)
