/** Starts the service as a process with its own embedded PostgreSQL, for tests that kill it; and reads its database. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { deriveKey, seal } from '../../src/core/seal.ts'
import { openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

/** Random numbers from 0 to 1; the same seed gives the same numbers. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed | 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296
  }
}

/** Starts the service and waits until it is ready. */
export const startProcess = async (env: Record<string, string>): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [main, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((ready, fail) => {
    let out = ''
    child.stdout!.on('data', (chunk) => {
      out += chunk
      if (out.includes('Stop it with Ctrl-C')) ready()
    })
    child.once('exit', (code) => fail(new Error(`the service ended with ${code} at its start: ${out}`)))
  })
  return child
}

/** Creates the demo account with the operator's command. */
export const makeDemo = async (env: Record<string, string>): Promise<Demo> => {
  const child = spawn(process.execPath, [main, 'demo', '--json'], { env })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  await once(child, 'close')
  return JSON.parse(out)
}

/** The process id of PostgreSQL: the first line of postmaster.pid. */
export const postgresPid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

export const withRows = async <T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const embedded = await openEmbedded({ dataDir, role: 'looking in' })
  const client = new pg.Client({ connectionString: embedded.url })
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
    await embedded.stop()
  }
}

/** Creates a webhook endpoint that subscribes to these events. */
export const subscribe = (dataDir: string, shop: Demo, url: string, kinds: readonly string[]): Promise<unknown> =>
  withRows(dataDir, async (client) => {
    const id = randomUUID()
    const master = new Uint8Array(Buffer.from(readFileSync(join(dataDir, 'master.key'), 'utf8').trim(), 'base64'))
    const sealed = seal(deriveKey(master, 'webhook secrets'), 'whsec_crash', id)
    await client.query(
      `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
       select account_id, $1, $2, $3, $4, now() from devices where id = $5`,
      [id, url, kinds, sealed, shop.device.id],
    )
  })

/** Waits until every delivery has ended, which takes as long as a lease; at most a minute. */
export const untilDrained = (dataDir: string): Promise<void> =>
  withRows(dataDir, async (client) => {
    for (let tries = 0; tries < 120; tries++) {
      const { rows } = await client.query('select count(*)::int as left from deliveries')
      if (rows[0].left === 0) return
      await delay(500)
    }
  })
