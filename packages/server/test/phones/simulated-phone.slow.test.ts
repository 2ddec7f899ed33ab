/** The command `sanad phone` as a process, beside a running service. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { bareEnvironment } from '../support/bare-environment.ts'
import { freePort } from '../support/servers/free-port.ts'
import { askAt } from '../support/story.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-phone-'))
const main = join(import.meta.dirname, '../../src/main.ts')
const running = new Set<ChildProcess>()
after(async () => {
  for (const child of running) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

type Run = {
  readonly child: ChildProcess
  out(): string
  readonly ended: Promise<{ code: number | null; out: string; err: string }>
}

const run = (env: Record<string, string>, ...args: string[]): Run => {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...bareEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let [out, err] = ['', '']
  child.stdout!.on('data', (chunk) => {
    out += chunk
  })
  child.stderr!.on('data', (chunk) => {
    err += chunk
  })
  const ended = new Promise<{ code: number | null; out: string; err: string }>((done) =>
    child.on('close', (code) => {
      running.delete(child)
      done({ code, out, err })
    }),
  )
  return { child, out: () => out, ended }
}

test('sanad phone --wallet finds the running service, and shows the verified intent', async () => {
  const env = { SANAD_DATA_DIR: join(folder, 'data'), PORT: String(await freePort()) }
  const running = run(env, 'start')
  await new Promise<void>((done, fail) => {
    running.child.stdout!.on('data', () => /Stop it with Ctrl-C/.test(running.out()) && done())
    running.ended.then(({ code, err }) => fail(new Error(`the service ended with ${code}: ${err}`)))
  })
  const base = `http://127.0.0.1:${env.PORT}/api/v1/merchant`
  const found = (pattern: RegExp) => pattern.exec(running.out())![1]!
  const { body } = await askAt(`${base}/token`, 'POST', {
    headers: {
      'SERVICE-CLIENT-ID': found(/Client id\s+(\S+)/),
      'SERVICE-CLIENT-SECRET': found(/Client secret\s+(\S+)/),
    },
  })
  const token = body.access_token
  const wallet = found(/"wallet": "([^"]+)"/)
  const intent = await askAt(`${base}/intents/`, 'POST', { token, body: { wallet, amount: '1500.00' } })
  const reference = '123456789012'
  await askAt(`${base}/intents/${intent.body.id}/`, 'PATCH', { token, body: { reference } })

  const output = await run(env, 'phone', '--wallet', wallet, '--amount', '1,500', '--reference', reference).ended
  assert.equal(output.err, '')
  assert.deepEqual(output.out.split('\n').slice(1), [
    `1/1  1,500.00 YER  ${reference}  accepted`,
    'What became of them:',
    `  1500.00 YER  ${reference}  matched: intent ${intent.body.id} is VERIFIED`,
    '',
  ])
  assert.equal((await askAt(`${base}/intents/${intent.body.id}/`, 'GET', { token })).body.status, 'VERIFIED')
})
