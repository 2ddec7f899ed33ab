/** Runs the real command line as a process on a test's database, waits for it, and reads its output. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { generateSync } from 'otplib'
import pg from 'pg'
import type { MasterKey } from '../../src/core/seal.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { askAt } from '../support/story.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const testFolder = mkdtempSync(join(tmpdir(), 'sanad-key-'))
const running = new Set<ChildProcess>()
after(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(testFolder, { recursive: true, force: true })
})

/** The key as settings and key files contain it. */
export const keyText = (key: MasterKey): string => Buffer.from(key).toString('base64')
export const newKey = (): MasterKey => new Uint8Array(randomBytes(32))
let folders = 0
/** The path of a new data directory, which does not exist yet. */
export const newDataDir = (): string => join(testFolder, String(++folders))

export type Run = { readonly child: ChildProcess; output(): string; readonly ended: Promise<number | null> }

export const sanad = (args: readonly string[], env: Record<string, string>): Run => {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...bareEnvironment, SANAD_LIMITS: 'off', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ended = new Promise<number | null>((done) =>
    child.on('close', (code) => {
      running.delete(child)
      done(code)
    }),
  )
  return { child, output: () => output, ended }
}

/** Runs a command and checks that it fails with one sentence. */
export const assertRefused = async (
  args: readonly string[],
  env: Record<string, string>,
  sentence: RegExp,
): Promise<void> => {
  const run = sanad(args, { LOG_LEVEL: 'fatal', ...env })
  assert.equal(await run.ended, 1, run.output())
  assert.match(run.output(), sentence)
  assert.equal(run.output().trim().split('\n').length, 1, `one sentence, no stack: ${run.output()}`)
}

/** Waits until the service is ready; returns its origin. */
export const untilReady = async (run: Run): Promise<string> => {
  for (;;) {
    const line = run
      .output()
      .split('\n')
      .find((logLine) => logLine.includes('"msg":"ready"'))
    if (line !== undefined) return JSON.parse(line).origin
    if (run.child.exitCode !== null) throw new Error(run.output())
    await delay(50)
  }
}

export type Owner = { readonly email: string; readonly password: string }

export const signIn = (origin: string, { email, password }: Owner, code?: string) =>
  askAt(`${origin}/api/v1/dashboard/session/`, 'POST', { body: { email, password, code }, headers: { origin } })

/** Switches the owner's second factor on and returns its recovery codes. */
export const enableSecondFactor = async (origin: string, owner: Owner): Promise<string[]> => {
  const session = /sanad_session=[^;]+/.exec(String((await signIn(origin, owner)).headers['set-cookie']))![0]
  const ask = (path: string, body: object) =>
    askAt(`${origin}/api/v1/dashboard/me/second_factor/${path}`, 'POST', { body, headers: { origin, cookie: session } })
  const { secret } = (await ask('', { password: owner.password })).body
  const confirmed = await ask('confirm/', { code: generateSync({ secret }) })
  assert.equal(confirmed.status, 200, confirmed.text)
  return confirmed.body.recovery_codes
}

export const onDatabase = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** Waits until a command has succeeded; returns what it printed. */
export const outputOf = async (run: Run): Promise<string> => {
  assert.equal(await run.ended, 0, run.output())
  return run.output()
}

export const otherKeySentence =
  /holds another master key than the one that the secrets in this database are sealed with: set it to the right one, from your backup\.\n$/
export const missingKeySentence =
  /master\.key is missing, but this database has secrets that are sealed with the key in it: put the file back from your backup, or set SANAD_MASTER_KEY to what it held\.\n$/
