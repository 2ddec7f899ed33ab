/**
 * Runs the commands of the README unchanged, line by line in a shell, from the demo shop to a verified payment. They leave
 * no file in the checkout.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { openTestService } from '../support/story.ts'

const root = resolve(import.meta.dirname, '../../../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const commands = /## Five minutes with curl[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)![1]!

const service = await openTestService()
// Commands read the real clock.
service.clock.advance(Date.now() - service.clock.now())

const inCheckout = (): string[] => readdirSync(root).sort()

test("the README's commands give a verified payment, and leave no file with secrets in the checkout", async () => {
  if (spawnSync('curl', ['--version']).status !== 0)
    throw new Error('The commands of the README need curl: install it (Debian: apt-get install curl).')
  const before = inCheckout()
  const env = {
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH ?? ''}`,
    HOME: process.env.HOME ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    DATABASE_URL: service.databaseUrl,
    PUBLIC_URL: service.origin,
    // The master key of the service; an operator's commands read it from the data directory.
    SANAD_MASTER_KEY: Buffer.from(service.masterKey).toString('base64'),
    npm_config_update_notifier: 'false',
  }
  // Each line is shown as it runs, so that a failure says where.
  const script = ['-euxo', 'pipefail', '-c', commands]
  const { code, out, err } = await new Promise<{ code: number; out: string; err: string }>((done) =>
    execFile('bash', script, { cwd: root, env }, (fault, out, err) =>
      done({ code: fault === null ? 0 : Number(fault.code ?? 1), out, err }),
    ),
  )
  assert.equal(code, 0, err)
  assert.match(out, /"status":"PENDING"/)
  assert.match(out, /"status":"VERIFIED"/)
  assert.deepEqual(inCheckout(), before)
})
