/** The samples of deploy/proxy, each run by its program in front of the service; only ports, name and certificate are replaced. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findProgram } from '../support/programs/find-program.ts'
import { freePort } from '../support/servers/free-port.ts'
import { askAt, openTestService } from '../support/story.ts'
import { openStream } from '../support/stream-client.ts'

const samples = resolve(import.meta.dirname, '../../../../deploy/proxy')
const folder = mkdtempSync(join(tmpdir(), 'sanad-proxy-'))
const running = new Set<ChildProcess>()
after(async () => {
  for (const child of running) {
    const ended = new Promise((done) => child.once('close', done))
    child.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Fails if a sample no longer has what the test replaces. */
const replaced = (text: string, changes: readonly (readonly [RegExp, string])[]): string =>
  changes.reduce((current, [from, to]) => {
    assert.match(current, from)
    return current.replace(from, to)
  }, text)
const sample = (name: string): string => readFileSync(join(samples, name), 'utf8')
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

type Ports = { readonly port: number; readonly node: number }

const nginx = ({ port, node }: Ports): string[] => {
  const site = replaced(sample('nginx.conf'), [
    [/127\.0\.0\.1:8080/, `127.0.0.1:${node}`],
    [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
    [/ ssl_certificate .*\n/, '\n'],
    [/ ssl_certificate_key .*\n/, '\n'],
  ])
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const whole = `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${site}\n}\n`
  return [findProgram('nginx', 'nginx-light'), '-e', `${folder}/nginx.log`, '-c', write('nginx.conf', whole)]
}

const haproxy = ({ port, node }: Ports): string[] => {
  const text = replaced(sample('haproxy.cfg'), [
    [/127\.0\.0\.1:8080/, `127.0.0.1:${node}`],
    [/bind :443 ssl crt .*/, `bind 127.0.0.1:${port}`],
  ])
  return [findProgram('haproxy'), '-db', '-f', write('haproxy.cfg', text)]
}

const caddy = ({ port, node }: Ports): string[] => {
  const text = replaced(sample('Caddyfile'), [
    [/127\.0\.0\.1:8080/, `127.0.0.1:${node}`],
    [/^pay\.example\.com \{/m, `http://127.0.0.1:${port} {\n\tbind 127.0.0.1`],
  ])
  const whole = `{\n\tadmin off\n}\n${text}`
  return [findProgram('caddy'), 'run', '--adapter', 'caddyfile', '--config', write('Caddyfile', whole)]
}

for (const [name, commandFor] of [
  ['nginx', nginx],
  ['haproxy', haproxy],
  ['Caddy', caddy],
] as const)
  test(`${name}: calls and streams pass, and a caller cannot choose the address that counts`, async () => {
    const most = 6
    const service = await openTestService({
      SANAD_TRUST_PROXY: '1',
      SANAD_LIMITS: JSON.stringify({ pay_unknown: { burst: most } }),
    })
    const port = await freePort()
    const [program, ...args] = commandFor({ port, node: Number(new URL(service.origin).port) })
    const child = spawn(program!, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const origin = `http://127.0.0.1:${port}`
    for (let tries = 0; ; tries++) {
      const status = await askAt(`${origin}/readyz`, 'GET', {}).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status === 200) break
      assert.ok(tries < 300 && child.exitCode === null, `${name} does not answer (${status}):\n${output}`)
      await delay(100)
    }

    const { demo } = service
    const { access_token: token } = (
      await askAt(`${origin}/api/v1/merchant/token`, 'POST', {
        headers: { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret },
      })
    ).body
    const live = await openStream(origin, { authorization: `Bearer ${demo.dashboard.user_token}` })
    assert.equal(live.status, 200)
    const created = await askAt(`${origin}/api/v1/merchant/intents/`, 'POST', {
      token,
      body: { wallet: demo.wallets.main, amount: '1500.00' },
    })
    assert.equal(created.status, 201, created.text)
    await live.untilHint('intent', created.body.id)
    live.hangUp()

    const statuses: number[] = []
    for (let n = 1; n <= most + 2; n++) {
      const forged = { 'x-forwarded-for': `203.0.113.${n}` }
      statuses.push((await askAt(`${origin}/pay/${'x'.repeat(27)}`, 'GET', { headers: forged })).status)
    }
    assert.deepEqual(statuses, [...Array(most).fill(404), 429, 429])
  })
