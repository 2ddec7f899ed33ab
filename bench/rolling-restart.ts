/**
 * `npm run rolling-restart [-- seconds [haproxy|nginx|nodes]]`: three nodes on one database are restarted one after the other under
 * load, in three setups: behind haproxy, behind nginx, and for a client that keeps its connections and calls the nodes in turn.
 * Every request without the right answer is a failure; there must be none.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Demo } from '../packages/server/src/commands/shop/demo.ts'
import { openEmbedded } from '../packages/server/src/postgres/embedded/open-embedded.ts'
import { findProgram } from './harness/find-tools.ts'
import { cleanUp, output, start, stop, temporaryFolder } from './harness/processes.ts'
import { highLimits, startProgram } from './harness/service-process.ts'

const root = resolve(import.meta.dirname, '..')
const main = join(root, 'packages/server/src/main.ts')
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const nodes = 3
const workers = 24
const only = process.argv[3]
/** How long the load runs before, between and after the restarts. */
const between_ms = Number(process.argv[2] ?? 3) * 1000

type Target = { readonly port: number }
type Tally = { sent: number; readonly failed: string[]; reconnects: number }

const freePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((done) => {
          const server = createServer().listen(0, '127.0.0.1', () => done(server))
        }),
    ),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}

type Answer = { readonly status: number; readonly text: string }

const send = (port: number, agent: Agent, method: string, path: string, token: string, body?: string) =>
  new Promise<Answer>((done, fail) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => done({ status: answer.statusCode!, text }))
        answer.on('error', fail)
      },
    )
    sent.on('error', fail)
    sent.end(body)
  })

/** Half of the requests write: an intent is created and read, then a checkout is created and its page is opened. */
const worker = async (targets: readonly Target[], demo: Demo, token: string, tally: Tally, on: () => boolean) => {
  const agents = targets.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  let turn = Math.floor(Math.random() * targets.length)
  /** If a connection is refused, nothing was sent, and the next node is tried, like clients with several addresses do. */
  const call = async (method: string, path: string, body?: string): Promise<Answer> => {
    for (let tries = 0; ; tries++) {
      const at = turn++ % targets.length
      try {
        return await send(targets[at]!.port, agents[at]!, method, path, token, body)
      } catch (fault) {
        if ((fault as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || tries >= targets.length) throw fault
        tally.reconnects++
      }
    }
  }
  const step = async (
    name: string,
    status: number,
    ...request: Parameters<typeof call>
  ): Promise<string | undefined> => {
    try {
      tally.sent++
      const answer = await call(...request)
      if (answer.status === status) return answer.text
      tally.failed.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
    } catch (fault) {
      tally.failed.push(`${name}: ${(fault as NodeJS.ErrnoException).code} ${(fault as Error).message}`)
    }
    return undefined
  }
  const intent = JSON.stringify({ wallet: demo.wallets.main, amount: '1500.00' })
  const checkout = JSON.stringify({ amount: '1500.00' })
  while (on()) {
    const created = await step('create', 201, 'POST', '/api/v1/merchant/intents/', intent)
    if (created === undefined) continue
    const { id } = JSON.parse(created) as { id: string }
    const read = await step('read', 200, 'GET', `/api/v1/merchant/intents/${id}/`)
    if (read !== undefined && JSON.parse(read).id !== id) tally.failed.push(`read: another intent than ${id}`)
    const opened = await step('checkout', 201, 'POST', '/api/v1/checkout/sessions/', checkout)
    if (opened === undefined) continue
    const page = await step('page', 200, 'GET', new URL((JSON.parse(opened) as { url: string }).url).pathname)
    if (page !== undefined && !page.includes('</html>')) tally.failed.push('page: cut')
  }
  for (const agent of agents) agent.destroy()
}

const haproxyConfig = (port: number, ports: readonly number[]): string => `
global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  option redispatch
  retries 3
frontend in
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 1s fall 2 rise 1
${ports.map((one, n) => `  server node${n} 127.0.0.1:${one}`).join('\n')}
`

/** As in Debian's package: no active health checks; a node that refuses connections is skipped. */
const nginxConfig = (port: number, ports: readonly number[], folder: string): string => `
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log;
worker_processes 1;
events { worker_connections 1000; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream nodes {
${ports.map((one) => `    server 127.0.0.1:${one};`).join('\n')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 100000;
    location / {
      proxy_pass http://nodes;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
    }
  }
}
`

const run = async (): Promise<number> => {
  const programs = { haproxy: await findProgram('haproxy'), nginx: await findProgram('nginx') }
  const folder = await temporaryFolder()
  const postgres = await openEmbedded({ dataDir: join(folder, 'rows'), role: 'rolling restart' })
  const [haproxyPort, nginxPort, ...ports] = (await freePorts(2 + nodes)) as [number, number, ...number[]]
  const settings = (n: number): Record<string, string> => ({
    DATABASE_URL: postgres.url,
    SANAD_DATA_DIR: join(folder, 'keys'),
    SANAD_LIMITS: highLimits,
    SANAD_TOKEN_TTL_S: '86400',
    HOST: '127.0.0.1',
    PORT: String(ports[n] ?? 0),
    LOG_LEVEL: 'info',
  })
  const startNode = async (n: number) =>
    (await startProgram([main, 'start'], settings(n), join(folder, `node-${n}.log`))).child
  try {
    const running = [await startNode(0)]
    for (let n = 1; n < nodes; n++) running.push(await startNode(n))
    const demo: Demo = JSON.parse(
      await output(process.execPath, [main, 'demo', '--json'], { env: { ...process.env, ...settings(0) } }),
    )
    const tokenAnswer = await fetch(`http://127.0.0.1:${ports[0]}/api/v1/merchant/token`, {
      method: 'POST',
      headers: { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret },
    })
    const token = ((await tokenAnswer.json()) as { access_token: string }).access_token

    writeFileSync(join(folder, 'haproxy.cfg'), haproxyConfig(haproxyPort, ports))
    writeFileSync(join(folder, 'nginx.conf'), nginxConfig(nginxPort, ports, folder))
    const proxies = [
      start(programs.haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' }),
      start(programs.nginx, ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' }),
    ]
    await delay(3_000)

    const setups: [name: string, targets: readonly Target[]][] = [
      ['behind haproxy', [{ port: haproxyPort }]],
      ['behind nginx', [{ port: nginxPort }]],
      ['nodes in turn, connections kept', ports.map((port) => ({ port }))],
    ]
    let failures = 0
    for (const [name, targets] of setups.filter(([one]) => one.includes(only ?? ''))) {
      const tally: Tally = { sent: 0, failed: [], reconnects: 0 }
      let on = true
      const load = Array.from({ length: workers }, () => worker(targets, demo, token, tally, () => on))
      await delay(between_ms)
      for (let n = 0; n < nodes; n++) {
        await stop(running[n]!)
        running[n] = await startNode(n)
        await delay(between_ms)
      }
      on = false
      await Promise.all(load)
      failures += tally.failed.length
      print(
        `${name}: ${tally.sent} requests, ${nodes} nodes restarted, ${tally.failed.length} failed` +
          (targets.length > 1 ? `, ${tally.reconnects} sent to the next node because one was down` : ''),
      )
      for (const line of tally.failed.slice(0, 5)) print(`  ${line}`)
      if (tally.failed.length > 0 && name.includes('nginx'))
        for (const line of readFileSync(join(folder, 'nginx.log'), 'utf8')
          .split('\n')
          .filter((one) => !one.includes('111:'))
          .slice(-10))
          print(line)
    }
    await Promise.all([...proxies, ...running].map(stop))
    return failures
  } finally {
    await cleanUp()
    await postgres.stop()
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cleanUp())
process.exitCode = (await run()) === 0 ? 0 : 1
