/**
 * Two cells on one machine: two whole services as processes, each with its own PostgreSQL, data directory and port. They have one master
 * key, and each names the other in SANAD_CELLS. Everything ends with the test file.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import type { Demo } from '../../../src/commands/shop/demo.ts'
import { masterKey } from '../test-databases.ts'
import { freePort } from './free-port.ts'
import { type RealPostgres, startRealPostgres } from './real-postgres.ts'
import { outputOf, presentMain, type Run, runSanad, untilReady } from './run-sanad.ts'

export type Cell = {
  readonly name: string
  readonly origin: string
  readonly databaseUrl: string
  readonly postgres: RealPostgres
  /** The settings of its processes and commands. */
  readonly env: Record<string, string>
  /** Starts its service, with further settings, and waits until it is ready. Without an account it makes a demo shop. */
  start(further?: Record<string, string>): Promise<void>
  /** Ends its service as an operator does. */
  stop(): Promise<void>
  /** Runs a command of this cell as a process. */
  run(...args: string[]): Run
  /** Rows as arrays; numbers of eight bytes are texts. */
  sql(text: string, values?: readonly unknown[]): Promise<unknown[][]>
  /** The demo account. */
  makeDemo(): Promise<Demo>
}

const openCell = async (name: string, more: Record<string, string>): Promise<Cell> => {
  const postgres = await startRealPostgres()
  const databaseUrl = await postgres.create('sanad')
  const dataDir = mkdtempSync(join(tmpdir(), `sanad-cell-${name}-`))
  const origin = `http://127.0.0.1:${await freePort()}`
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: new URL(origin).port,
    SANAD_DATA_DIR: dataDir,
    SANAD_LOG: 'json',
    SANAD_MASTER_KEY: Buffer.from(masterKey).toString('base64'),
    SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    ...more,
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let service: Run | undefined
  const run = (...args: string[]): Run => runSanad(presentMain, args, env)
  const stop = async (): Promise<void> => {
    service?.child.kill('SIGTERM')
    await service?.ended
    service = undefined
  }
  after(async () => {
    await stop()
    await client.end()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    name,
    origin,
    databaseUrl,
    postgres,
    env,
    run,
    stop,
    async start(further = {}) {
      service = runSanad(presentMain, ['start'], { ...env, ...further })
      await untilReady(service)
    },
    async sql(text, values = []) {
      const { rows } = await client.query({ text, values: [...values], rowMode: 'array' })
      return rows
    },
    makeDemo: async () => JSON.parse(await outputOf(run('demo', '--json'))),
  }
}

/** Settings of a first start that makes no demo shop: a cell takes the key of addresses over only while it has no account. A service that
 *  has them sends no webhook to plain http, so it is started again without them before it may send to a receiver on this machine. */
export const withoutDemo = { NODE_ENV: 'production', PUBLIC_URL: 'https://cell.example' }

/** Cells `a` and `b`. Their services are not started yet. */
export const openTwoCells = async (
  more: Record<string, string> = {},
): Promise<{ readonly a: Cell; readonly b: Cell }> => {
  const [a, b] = await Promise.all([openCell('a', more), openCell('b', more)])
  for (const [cell, other] of [
    [a, b],
    [b, a],
  ] as const)
    cell.env.SANAD_CELLS = JSON.stringify({ [other.name]: { url: other.origin, database_url: other.databaseUrl } })
  return { a, b }
}
