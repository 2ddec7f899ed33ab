/** Keys, sign-ins and refusals for the tests of the master key, with the real command line on a test's database. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { generateSync } from 'otplib'
import pg from 'pg'
import type { MasterKey } from '../../src/core/seal.ts'
import { presentMain, type Run, runSanad } from '../support/servers/run-sanad.ts'
import { askAt } from '../support/story.ts'

const testFolder = mkdtempSync(join(tmpdir(), 'sanad-key-'))
after(() => rmSync(testFolder, { recursive: true, force: true }))

/** The key as settings and key files contain it. */
export const keyText = (key: MasterKey): string => Buffer.from(key).toString('base64')
export const newKey = (): MasterKey => new Uint8Array(randomBytes(32))
let folders = 0
/** The path of a new data directory, which does not exist yet. */
export const newDataDir = (): string => join(testFolder, String(++folders))

export const sanad = (args: readonly string[], env: Record<string, string>): Run => runSanad(presentMain, args, env)

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

export const otherKeySentence =
  /holds another master key than the one that the secrets in this database are sealed with: set it to the right one, from your backup\.\n$/
export const missingKeySentence =
  /master\.key is missing, but this database has secrets that are sealed with the key in it: put the file back from your backup, or set SANAD_MASTER_KEY to what it held\.\n$/
