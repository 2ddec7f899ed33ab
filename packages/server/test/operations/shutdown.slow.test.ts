/** The service stops when it gets a signal, however it was started and whatever reads its output. Also: when a node is ready. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { bareEnvironment } from '../support/bare-environment.ts'
import { runs } from '../support/runs.ts'
import { freePort } from '../support/servers/free-port.ts'
import { askAt, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const root = resolve(import.meta.dirname, '../../../..')
const main = join(root, 'packages/server/src/main.ts')
const dataDir = mkdtempSync(join(tmpdir(), 'sanad-ending-'))
const started = new Set<ChildProcess>()
after(() => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const environment = (port: number): Record<string, string> => ({
  ...bareEnvironment,
  DATABASE_URL: service.databaseUrl,
  SANAD_DATA_DIR: dataDir,
  SANAD_MASTER_KEY: Buffer.from(service.masterKey).toString('base64'),
  SANAD_ROLE: 'serve',
  PORT: String(port),
})

const answers = (port: number): Promise<boolean> =>
  askAt(`http://127.0.0.1:${port}/healthz`, 'GET', {}).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Waits for the condition. The test runner ends a test that waits in vain. */
const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await holds())) await delay(50)
}

const startProcess = (command: string, args: readonly string[], port: number, more: Record<string, string> = {}) => {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...environment(port), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  started.add(child)
  child.stdout!.resume()
  child.stderr!.resume()
  return child
}

test('npm start that gets a signal itself leaves no service behind', async () => {
  await Promise.all(
    (['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const).map(async (signal) => {
      const port = await freePort()
      const npm = startProcess('npm', ['start'], port, { HOME: dataDir, npm_config_update_notifier: 'false' })
      await until(() => answers(port))
      npm.kill(signal)
      if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'exit')
      await until(async () => !(await answers(port)))
    }),
  )
})

test('after SIGTERM /readyz is 503 first, while new connections are still accepted and answered', async () => {
  const port = await freePort()
  const child = startProcess(process.execPath, [main, 'start'], port, { SANAD_DRAIN_DELAY_S: '2' })
  await until(() => answers(port))
  const origin = `http://127.0.0.1:${port}`
  assert.equal((await askAt(`${origin}/readyz`, 'GET', {})).status, 200)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await until(async () => (await askAt(`${origin}/readyz`, 'GET', {})).status === 503)
  const stopping = await askAt(`${origin}/readyz`, 'GET', {})
  assert.deepEqual(stopping.body, { status: 'not ready', detail: 'This node is stopping.' })
  assert.equal((await askAt(`${origin}/healthz`, 'GET', {})).status, 200)
  const refused = await askAt(`${origin}/api/v1/merchant/wallets/`, 'GET', {})
  assert.deepEqual([refused.status, refused.body.type], [401, 'client_error'])
  assert.deepEqual(await ended, [0, null])
})

test('a node stays ready when a newer one has migrated the database, but not when a migration is missing', async () => {
  const port = await freePort()
  const child = startProcess(process.execPath, [main, 'start'], port)
  await until(() => answers(port))
  const ready = async () => (await askAt(`http://127.0.0.1:${port}/readyz`, 'GET', {})).status
  const newer = `'9999_of_a_newer_version.sql'`
  await service.sql(`insert into migrations (name, hash) values (${newer}, '')`)
  assert.equal(await ready(), 200)
  await service.sql(`delete from migrations where name = ${newer}`)
  const [last] = await service.sql(
    'delete from migrations where name = (select max(name) from migrations) returning name, hash',
  )
  assert.equal(await ready(), 503)
  await service.sql('insert into migrations (name, hash) values ($1, $2)', [last![0], last![1]])
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('SIGHUP, as from a closed terminal, drains like Ctrl-C', async () => {
  const port = await freePort()
  const child = startProcess(process.execPath, [main, 'start'], port)
  await until(() => answers(port))
  child.kill('SIGHUP')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('a closed pipe (start | head -5) stops neither the service nor its shutdown, several times in a row', async () => {
  for (let i = 0; i < runs(8, 2); i++) {
    const port = await freePort()
    const pipe = spawn('bash', ['-c', '{ node "$1" start 2>&1 & echo "$!" >&3; wait; } 3>&2 | head -5', 'bash', main], {
      cwd: root,
      env: { ...environment(port), PATH: `${join(process.execPath, '..')}:${process.env.PATH}`, LOG_LEVEL: 'trace' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    started.add(pipe)
    let lines = ''
    pipe.stdout!.on('data', (chunk) => {
      lines += chunk
    })
    const [printed] = await once(pipe.stderr!, 'data')
    const pid = Number(String(printed).trim())
    assert.ok(pid > 0)
    // The service keeps answering after the pipe broke, although every request is logged.
    await until(() => answers(port))
    await until(() => lines.split('\n').length > 5)
    for (let n = 0; n < 50; n++) assert.ok(await answers(port))
    process.kill(pid, 'SIGTERM')
    await once(pipe, 'exit')
    assert.throws(() => process.kill(pid, 0), /ESRCH/)
    assert.equal(await answers(port), false)
  }
})

test('a pipe that is not read (start | less) does not prevent the shutdown', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [main, 'start'], {
    cwd: root,
    env: { ...environment(port), LOG_LEVEL: 'trace' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  started.add(child)
  child.stderr!.pause()
  await until(() => answers(port))
  // Enough log lines to fill the pipe's buffer.
  for (let n = 0; n < 500; n++) await answers(port)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})
