/**
 * Runs the service as a process, under load, while its connections to PostgreSQL are silent, PostgreSQL is paused, or the
 * primary is killed and its replica promoted. Measures how long calls failed. At the end compares the calls that were
 * answered with 2xx with the rows: nothing may be missing, nothing resolved twice.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { freePort } from '../support/servers/free-port.ts'
import { startReplicated } from '../support/servers/replicated-postgres.ts'
import { startSilentProxy } from '../support/servers/silent-proxy.ts'
import { askAt } from '../support/story.ts'
import { missingOf, type Sample, startTraffic } from '../support/traffic.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

export type RecoveryReport = {
  readonly fault: string
  /** The numbers of calls that were answered with 2xx, and of those that were not, since the fault began. */
  readonly answered: number
  readonly failed: number
  /** The time from the end of the fault to the last call that failed or took longer than two seconds. */
  readonly workingAgain_ms: number
  /** The time from the beginning of the fault to that call. */
  readonly outage_ms: number
  /** The duration of the longest call since the fault began. */
  readonly longestCall_ms: number
  /** The longest time that `/readyz` took, and how often it answered that it is not ready. */
  readonly longestReadyz_ms: number
  readonly notReady: number
  readonly verified: number
  /** What was answered with 2xx and is missing or wrong in the database. Must be empty. */
  readonly lost: readonly string[]
}

/** What happens to the database. `strike` resolves when the fault is over: from then on the service must work again. */
export type Fault = { readonly name: string; strike(): Promise<void> }

const slow_ms = 2_000
const calm_ms = 5_000

const startService = async (databaseUrl: string, dataDir: string): Promise<{ child: ChildProcess; origin: string }> => {
  const port = await freePort()
  const env = {
    ...bareEnvironment,
    DATABASE_URL: databaseUrl,
    SANAD_DATA_DIR: dataDir,
    SANAD_LIMITS: 'off',
    SANAD_TOKEN_TTL_S: '86400',
    LOG_LEVEL: 'warn',
    PORT: String(port),
  }
  const child = spawn(process.execPath, [main, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  await new Promise<void>((ready, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        if (output.length < 100_000) output += chunk
        if (output.includes('Stop it with Ctrl-C')) ready()
      })
    child.once('exit', (code) => fail(new Error(`the service ended with ${code} at its start: ${output}`)))
  })
  return { child, origin: `http://127.0.0.1:${port}` }
}

const demoOf = async (databaseUrl: string, dataDir: string): Promise<Demo> => {
  const env = { ...bareEnvironment, DATABASE_URL: databaseUrl, SANAD_DATA_DIR: dataDir }
  const child = spawn(process.execPath, [main, 'demo', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  await once(child, 'close')
  return JSON.parse(out)
}

/** Requests `/readyz` ten times a second, without waiting for the previous answer. */
const watchReadiness = (origin: string) => {
  const checks: Promise<{ took_ms: number; status: number }>[] = []
  const timer = setInterval(() => {
    const began = performance.now()
    checks.push(
      askAt(`${origin}/readyz`, 'GET', {}).then(
        ({ status }) => ({ took_ms: performance.now() - began, status }),
        () => ({ took_ms: performance.now() - began, status: 0 }),
      ),
    )
  }, 100)
  return {
    async stop() {
      clearInterval(timer)
      const all = await Promise.all(checks)
      return {
        longestReadyz_ms: Math.round(Math.max(0, ...all.map(({ took_ms }) => took_ms))),
        notReady: all.filter(({ status }) => status !== 200).length,
      }
    },
  }
}

const measured = (samples: readonly Sample[], struckAt: number, overAt: number) => {
  const since = samples.filter(({ endedAt }) => endedAt >= struckAt)
  const bad = since.filter(({ ok, sentAt, endedAt }) => !ok || endedAt - sentAt > slow_ms)
  return {
    answered: since.filter(({ ok }) => ok).length,
    failed: since.filter(({ ok }) => !ok).length,
    workingAgain_ms: Math.round(Math.max(0, ...bad.map(({ endedAt }) => endedAt - overAt))),
    outage_ms: Math.round(Math.max(0, ...bad.map(({ endedAt }) => endedAt - struckAt))),
    longestCall_ms: Math.round(Math.max(0, ...since.map(({ sentAt, endedAt }) => endedAt - sentAt))),
  }
}

/** Lets the traffic run until no call has failed for `calm_ms`, or for two minutes. */
const untilCalm = async (samples: readonly Sample[], since: number): Promise<void> => {
  const deadline = performance.now() + 120_000
  for (;;) {
    await delay(200)
    const now = performance.now()
    const lastBad = Math.max(since, ...samples.filter(({ ok }) => !ok).map(({ endedAt }) => endedAt))
    const works = samples.some(({ ok, sentAt }) => ok && sentAt > lastBad)
    if ((works && now - lastBad > calm_ms) || now > deadline) return
  }
}

export const recoveryRun = async (options: {
  readonly serviceUrl: string
  /** The URL from which the rows are read at the end, without a proxy. */
  readonly rowsUrl: () => string
  readonly faults: readonly Fault[]
  readonly say: (line: string) => void
}): Promise<RecoveryReport[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sanad-recovery-'))
  let service: ChildProcess | undefined
  let seed = 1
  const random = (): number => {
    seed = (Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0
    return ((seed ^ (seed >>> 13)) >>> 0) / 4294967296
  }
  try {
    const started = await startService(options.serviceUrl, dataDir)
    service = started.child
    const { origin } = started
    const shop = await demoOf(options.serviceUrl, dataDir)
    const reports: RecoveryReport[] = []
    for (const { name, strike } of options.faults) {
      const traffic = await startTraffic({ origin, shop, random })
      await delay(2_000)
      const readiness = watchReadiness(origin)
      const struckAt = performance.now()
      await strike()
      const overAt = performance.now()
      await untilCalm(traffic.samples, overAt)
      await traffic.stop()
      const ready = await readiness.stop()
      const client = new pg.Client({ connectionString: options.rowsUrl() })
      await client.connect()
      await assertMoneyInvariants(async (text, values = []) => {
        const { rows } = await client.query({ text, values, rowMode: 'array' })
        return rows as string[][]
      })
      const { lost, verified } = await missingOf(traffic.orders, async (text) => (await client.query(text)).rows)
      await client.end()
      const report = { fault: name, ...measured(traffic.samples, struckAt, overAt), ...ready, verified, lost }
      options.say(recoveryLine(report))
      reports.push(report)
    }
    service.kill('SIGTERM')
    await once(service, 'exit')
    service = undefined
    return reports
  } finally {
    if (service !== undefined && service.exitCode === null && service.signalCode === null) {
      service.kill('SIGKILL')
      await once(service, 'exit')
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export const recoveryLine = (report: RecoveryReport): string =>
  `${report.fault}: working again ${(report.workingAgain_ms / 1000).toFixed(1)} s after its end, ` +
  `${(report.outage_ms / 1000).toFixed(1)} s after its beginning; ` +
  `${report.answered} calls answered, ${report.failed} failed, the longest took ${(report.longestCall_ms / 1000).toFixed(1)} s; ` +
  `/readyz at most ${(report.longestReadyz_ms / 1000).toFixed(1)} s, not ready ${report.notReady} times; ` +
  `verified ${report.verified}; lost ${report.lost.length}`

export type RecoveryOptions = {
  /** How long PostgreSQL is frozen. */
  readonly frozen_ms?: number
  /** The folder of another PostgreSQL's programs, such as /usr/lib/postgresql/15/bin. */
  readonly bin?: string | undefined
  readonly say?: (line: string) => void
}

/** The faults: all connections silent, nine connections silent, and a paused PostgreSQL. */
export const silentRun = async (options: RecoveryOptions = {}): Promise<RecoveryReport[]> => {
  const servers = await startReplicated(options.bin)
  const proxy = await startSilentProxy({ host: '127.0.0.1', port: servers.primary.port })
  const url = (port: number): string => `postgresql://sanad@127.0.0.1:${port}/sanad`
  const frozen_ms = options.frozen_ms ?? 60_000
  const silence = (most?: number) => async () => void proxy.silence(most)
  try {
    return await recoveryRun({
      serviceUrl: url(proxy.port),
      rowsUrl: () => url(servers.primary.port),
      faults: [
        { name: 'all connections silent', strike: silence() },
        { name: 'nine connections silent', strike: silence(9) },
        {
          name: `PostgreSQL frozen for ${frozen_ms / 1000} s`,
          async strike() {
            servers.primary.freeze()
            await delay(frozen_ms)
            servers.primary.thaw()
          },
        },
      ],
      say: options.say ?? (() => {}),
    })
  } finally {
    await proxy.close()
    await servers.stop()
  }
}

/** The primary is killed with -9 under load; its replica is promoted two seconds later, as a supervisor would do. */
export const failoverRun = async (options: RecoveryOptions = {}): Promise<RecoveryReport[]> => {
  const servers = await startReplicated(options.bin)
  try {
    return await recoveryRun({
      serviceUrl: servers.url,
      rowsUrl: () => servers.replica.url.replace(/postgres$/, 'sanad'),
      faults: [
        {
          name: 'the primary killed, the replica promoted after 2 s',
          async strike() {
            await servers.primary.kill()
            await delay(2_000)
            await servers.replica.promote()
          },
        },
      ],
      say: options.say ?? (() => {}),
    })
  } finally {
    await servers.stop()
  }
}
