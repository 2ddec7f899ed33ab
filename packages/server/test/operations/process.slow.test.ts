/** The service as a process: it is started, started twice, drained and killed; and the operator's commands beside it. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { bareEnvironment } from '../support/bare-environment.ts'
import { askAt } from '../support/story.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const dataDir = mkdtempSync(join(tmpdir(), 'sanad-process-'))
const running = new Set<ChildProcess>()
/** Everything that any of the processes wrote to its log. */
let logged = ''

after(async () => {
  for (const child of running) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  rmSync(dataDir, { recursive: true, force: true })
})

type Run = { readonly child: ChildProcess; out(): string; err(): string; readonly ended: Promise<number | null> }

const run = (args: readonly string[], env: Record<string, string> = {}): Run => {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...bareEnvironment, SANAD_DATA_DIR: dataDir, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let [out, err] = ['', '']
  child.stdout!.on('data', (chunk) => {
    out += chunk
  })
  child.stderr!.on('data', (chunk) => {
    err += chunk
    logged += chunk
  })
  const ended = new Promise<number | null>((done) =>
    child.on('close', (code) => {
      running.delete(child)
      done(code)
    }),
  )
  return { child, out: () => out, err: () => err, ended }
}

const start = async (env: Record<string, string> = {}): Promise<Run & { origin: string }> => {
  const service = run(['start'], env)
  const origin = await new Promise<string>((done, fail) => {
    service.child.stdout!.on('data', () => {
      const found = /Sanad is ready at (\S+)[\s\S]*Stop it with Ctrl-C/.exec(service.out())?.[1]
      if (found !== undefined) done(found)
    })
    service.ended.then((code) => fail(new Error(`the service ended with ${code}: ${service.out()}${service.err()}`)))
  })
  return { ...service, origin }
}

const command = async (...args: string[]): Promise<{ code: number | null; out: string; err: string }> => {
  const { ended, out, err } = run(args)
  const code = await ended
  return { code, out: out(), err: err() }
}

const postmasterPid = (): number =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

const tokenAt = async (origin: string, id: string, secret: string) =>
  askAt(`${origin}/api/v1/merchant/token`, 'POST', {
    headers: { 'SERVICE-CLIENT-ID': id, 'SERVICE-CLIENT-SECRET': secret },
  })

let service: Awaited<ReturnType<typeof start>>
let credentials: { id: string; secret: string; wallet: string }
let token: string

before(async () => {
  service = await start({ SANAD_METRICS_PORT: '0' })
})

test('the first start creates a demo shop, and the API key and the wallet that it prints work', async () => {
  const line = (name: string) => new RegExp(`${name}\\s+(\\S+)`).exec(service.out())![1]!
  credentials = {
    id: line('Client id'),
    secret: line('Client secret'),
    wallet: /"wallet": "([^"]+)"/.exec(service.out())![1]!,
  }
  const answer = await tokenAt(service.origin, credentials.id, credentials.secret)
  assert.equal(answer.status, 200)
  token = answer.body.access_token
  const created = await askAt(`${service.origin}/api/v1/merchant/intents/`, 'POST', {
    token,
    body: { wallet: credentials.wallet, amount: '1500.00' },
  })
  assert.equal(created.status, 201)
  assert.equal((await askAt(`${service.origin}/readyz`, 'GET', {})).status, 200)
  const readyLine = /^.*"msg":"ready".*$/m
  // The log is written every 100 ms.
  while (!readyLine.test(service.err())) await once(service.child.stderr!, 'data')
  const { figures } = JSON.parse(readyLine.exec(service.err())![0])
  assert.match(
    (await askAt(`http://127.0.0.1:${figures}/metrics`, 'GET', {})).text,
    /sanad_http_duration_seconds_count\{[^}]*route="\/api\/v1\/merchant\/intents\/"/,
  )
  assert.equal((await askAt(`${service.origin}/metrics`, 'GET', {})).status, 404)
  assert.equal((await askAt(`${service.origin}/docs`, 'GET', {})).status, 200)
})

test('a second start on the same data directory is refused with one sentence', async () => {
  const second = await command('start')
  assert.equal(second.code, 1)
  assert.match(
    second.err,
    /^Sanad already runs on \S+ \(service, process \d+ at http:\/\/127\.0\.0\.1:\d+\): stop it, or set SANAD_DATA_DIR\.\n$/,
  )
})

test('operator commands work beside the service', async () => {
  assert.match((await command('migrate')).out, /Nothing to do: all \d+ migrations have run\./)
  const account = JSON.parse((await command('account', 'create', '--name', 'Bakery', '--json')).out).account
  const user = JSON.parse(
    (await command('user', 'create', '--account', account, '--email', 'Owner@Bakery.example', '--json')).out,
  )
  assert.ok(user.password.length >= 16)
  const again = await command('user', 'create', '--account', account, '--email', 'owner@bakery.example')
  assert.equal(again.code, 1)
  assert.equal(again.err, 'Somebody already signs in with owner@bakery.example.\n')
  const key = JSON.parse((await command('key', 'create', '--account', account, '--json')).out)
  assert.equal((await tokenAt(service.origin, key.client_id, key.client_secret)).status, 200)
  assert.equal((await command('key', 'revoke', '--account', account, '--client-id', key.client_id)).out, 'Revoked.\n')
  assert.equal((await tokenAt(service.origin, key.client_id, key.client_secret)).status, 401)
  const nobody = await command('key', 'create', '--account', '00000000-0000-4000-8000-000000000000')
  assert.equal(nobody.err, 'There is no account 00000000-0000-4000-8000-000000000000.\n')
})

test('SIGTERM drains: a request in flight is answered, and PostgreSQL is stopped cleanly', async () => {
  const postmaster = postmasterPid()
  const body = JSON.stringify({ wallet: credentials.wallet, amount: '77.00', external_order_id: 'last one' })
  const slow = request(`${service.origin}/api/v1/merchant/intents/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': body.length },
  })
  const answered = once(slow, 'response')
  slow.write(body.slice(0, 10))
  await once(slow, 'socket')
  // The service has read everything that was written before this request: the slow request is in progress.
  await askAt(`${service.origin}/healthz`, 'GET', {})
  service.child.kill('SIGTERM')
  await new Promise((done) => setTimeout(done, 50))
  slow.end(body.slice(10))
  const [response] = await answered
  assert.equal(response.statusCode, 201)
  response.resume()
  assert.equal(await service.ended, 0)
  assert.throws(() => process.kill(postmaster, 0), /ESRCH/)
  assert.throws(() => postmasterPid(), /ENOENT/)
})

test('operator commands work without the service, and leave nothing running', async () => {
  const demo = JSON.parse((await command('demo', '--json')).out)
  assert.deepEqual(Object.keys(demo), [
    'base_url',
    'dashboard',
    'client_id',
    'client_secret',
    'wallets',
    'device',
    'second_key',
    'other',
  ])
  assert.deepEqual(Object.keys(demo.wallets), ['main', 'second', 'off', 'unmonitored', 'inactive', 'test'])
  assert.deepEqual(Object.keys(demo.device), ['id', 'secret', 'ingest_token'])
  assert.throws(() => postmasterPid(), /ENOENT/)
})

test('after kill -9 of the service the next start recovers, with every answered intent', async () => {
  service = await start()
  assert.doesNotMatch(service.out(), /first start/)
  const created = await askAt(`${service.origin}/api/v1/merchant/intents/`, 'POST', {
    token,
    body: { wallet: credentials.wallet, amount: '88.00' },
  })
  service.child.kill('SIGKILL')
  await service.ended
  service = await start({ PORT: new URL(service.origin).port })
  const found = await askAt(`${service.origin}/api/v1/merchant/intents/${created.body.id}/`, 'GET', { token })
  assert.equal(found.text, created.text)
})

test('after kill -9 of PostgreSQL the service ends, and the next start recovers', async () => {
  const created = await askAt(`${service.origin}/api/v1/merchant/intents/`, 'POST', {
    token,
    body: { wallet: credentials.wallet, amount: '99.00' },
  })
  process.kill(postmasterPid(), 'SIGKILL')
  assert.equal(await service.ended, 1)
  service = await start()
  const found = await askAt(`${service.origin}/api/v1/merchant/intents/${created.body.id}/`, 'GET', { token })
  assert.equal(found.text, created.text)
})

test('no secret is in any log', () => {
  assert.match(logged, /"msg":"answered"/)
  for (const secret of [credentials.secret, token]) assert.ok(!logged.includes(secret))
})

test('a port in use, and invalid settings, are refused with one sentence each', async () => {
  const taken = run(['start'], { PORT: new URL(service.origin).port, SANAD_DATA_DIR: `${dataDir}/other` })
  assert.equal(await taken.ended, 1)
  assert.match(taken.err(), /Port \d+ of 127\.0\.0\.1 is taken by another program: set PORT to a free one\./)
  const refused = run(['start'], { PORT: 'eighty', SANAD_TIME_ZONE: 'Mars/Olympus', HOST: '0.0.0.0' })
  assert.equal(await refused.ended, 1)
  assert.match(refused.err(), /^PORT is "eighty", but must be a whole number/m)
  assert.match(refused.err(), /^SANAD_TIME_ZONE is "Mars\/Olympus"/m)
  assert.match(refused.err(), /^SANAD_MASTER_KEY is not set/m)
  assert.match(refused.err(), /^PUBLIC_URL is not set/m)
})
