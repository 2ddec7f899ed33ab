/** The real service as a separate process, with its own data directory and a merchant with a token. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Demo } from '../../packages/server/src/commands/shop/demo.ts'
import { type Db, openDatabase } from '../../packages/server/src/postgres/connection/database.ts'
import { urlOf } from '../../packages/server/src/postgres/embedded/embedded.ts'
import { clusterDirOf, readPostmaster } from '../../packages/server/src/postgres/embedded/embedded-cluster.ts'
import { adminRole } from '../../packages/server/src/postgres/embedded/embedded-roles.ts'
import { BenchRefused, output, start, stop } from './processes.ts'

const root = resolve(import.meta.dirname, '../..')
const main = join(root, 'packages/server/src/main.ts')

/** Rate limits that are on but refuse nothing: their cost is measured with the rest. */
const unreachable = { burst: 100_000_000, sustained: 1_000_000_000 }
export const highLimits = JSON.stringify({
  token: unreachable,
  token_failure: unreachable,
  intents: unreachable,
  intents_list: unreachable,
  checkouts: unreachable,
  checkouts_list: unreachable,
  pay: unreachable,
  pay_address: unreachable,
  pay_change: unreachable,
  pay_reference: unreachable,
  pay_unknown: unreachable,
  wallets: unreachable,
  device: unreachable,
  ingest_failure: unreachable,
  pairing: unreachable,
})

export type Merchant = { readonly accountId: string; readonly token: string; readonly demo: Demo }

export type ServiceProcess = {
  readonly origin: string
  readonly pid: number
  readonly dataDir: string
  readonly databaseUrl: string
  readonly socketDir: string
  readonly postmasterPid: number
  readonly merchant: Merchant
  /** The benchmark's own connections to the service's database. */
  readonly db: Db
  /** Runs a statement as the superuser of the embedded PostgreSQL: the role of the service may not change the server. */
  asAdmin(text: string): Promise<void>
  stop(): Promise<void>
}

/** Starts a Node program and waits until its log contains its address. */
export const startProgram = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  logFile: string,
): Promise<{ readonly child: ChildProcess; readonly origin: string }> => {
  const log = openSync(logFile, 'a')
  const logText = (): string => readFileSync(logFile, 'utf8')
  const before = logText().length
  const child = start(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', log],
    env: { ...process.env, ...env },
  })
  for (;;) {
    const ready = logText()
      .slice(before)
      .split('\n')
      .find((line) => line.includes('"msg":"ready"'))
    if (ready !== undefined) return { child, origin: JSON.parse(ready).origin }
    if (child.exitCode !== null) throw new BenchRefused(`${args.join(' ')} did not start:\n${logText().slice(-2000)}`)
    await delay(50)
  }
}

const tokenOf = async (origin: string, demo: Demo): Promise<string> => {
  const answer = await fetch(`${origin}/api/v1/merchant/token`, {
    method: 'POST',
    headers: { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret },
  })
  if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { access_token: string }).access_token
}

/** A merchant that exists, with a token of its first key. */
export const merchantAs = async (db: Db, origin: string, demo: Demo): Promise<Merchant> => {
  const [row] = await db.run({ text: 'select account_id from api_keys where client_id = $1', values: [demo.client_id] })
  return { accountId: row![0]!, token: await tokenOf(origin, demo), demo }
}

/** The merchant of this data directory, from an earlier run if there was one. */
const merchantOf = async (file: string, settings: Readonly<Record<string, string>>): Promise<Demo> => {
  if (!existsSync(file)) {
    const demo = await output(process.execPath, [main, 'demo', '--json'], {
      cwd: root,
      env: { ...process.env, ...settings },
    })
    writeFileSync(file, demo, { mode: 0o600 })
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

export const startService = async (
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> => {
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    SANAD_DATA_DIR: dataDir,
    SANAD_TOKEN_TTL_S: String(7 * 86_400),
    SANAD_LIMITS: highLimits,
    LOG_LEVEL: 'info',
    ...env,
  }
  const { child, origin } = await startProgram([main, 'start'], settings, join(dataDir, '..', 'service.log'))
  const demo = await merchantOf(join(dataDir, '..', 'merchant.json'), settings)
  const postmaster = await readPostmaster(clusterDirOf(dataDir))
  if (postmaster?.socketDir === undefined) throw new Error(`no PostgreSQL in ${dataDir}`)
  const databaseUrl = urlOf(postmaster.socketDir)
  const db = openDatabase({
    url: databaseUrl,
    connections: 2,
    application: 'sanad bench',
    statement_timeout_ms: 3_600_000,
    onFault: () => {},
  })
  return {
    origin,
    pid: child.pid!,
    dataDir,
    databaseUrl,
    socketDir: postmaster.socketDir,
    postmasterPid: postmaster.pid,
    merchant: await merchantAs(db, origin, demo),
    db,
    async asAdmin(text) {
      const client = new pg.Client({ connectionString: urlOf(postmaster.socketDir!, adminRole) })
      await client.connect()
      await client.query(text).finally(() => client.end())
    },
    async stop() {
      await db.close()
      await stop(child)
    },
  }
}
