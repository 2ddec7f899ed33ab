/**
 * 107: several processes of one machine, as real processes with the embedded PostgreSQL: limits, metrics and hints are those of one; a
 * process that is killed costs no answered request; a rolling restart fails none; the end of the parent ends everything.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { makeDemo, postgresPid } from '../crashes/crash-service.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { freePort } from '../support/servers/free-port.ts'
import { askAt, tokenOf } from '../support/story.ts'
import { openStream } from '../support/stream-client.ts'

const main = resolve(import.meta.dirname, '../../src/main.ts')
const dataDir = mkdtempSync(join(tmpdir(), 'sanad-processes-'))
const running = new Set<ChildProcess>()
after(async () => {
  for (const child of running) child.kill('SIGKILL')
  await Promise.all([...running].map((child) => once(child, 'exit')))
  // The processes and PostgreSQL end by themselves when the parent is gone.
  await until(() => children().length === 0)
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const [port, figuresPort] = [await freePort(), await freePort()]
const origin = `http://127.0.0.1:${port}`
/** Reached by one test, and by no other. */
const walletsBurst = 40
const high = { burst: 1_000_000, sustained: 1_000_000 }
const env: Record<string, string> = {
  ...bareEnvironment,
  PORT: String(port),
  SANAD_METRICS_PORT: String(figuresPort),
  SANAD_PROCESSES: '2',
  SANAD_DATA_DIR: dataDir,
  SANAD_LIMITS: JSON.stringify({ wallets: { burst: walletsBurst }, intents: high, token: high }),
  SANAD_LOG: 'json',
}

type Line = Readonly<Record<string, unknown>> & { readonly msg: string }

const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await holds())) await delay(50)
}

/** The processes of the machine, by the folder that they have in their environment. */
const children = (): { readonly pid: number; readonly parent: number }[] =>
  globSync('/proc/[0-9]*/environ').flatMap((file) => {
    try {
      const pid = Number(file.split('/')[2])
      if (!readFileSync(file, 'utf8').includes(`SANAD_DATA_DIR=${dataDir}\0`)) return []
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' ? [] : [{ pid, parent: Number(parent) }]
    } catch {
      return []
    }
  })

const start = async (more: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [main, 'start'], {
    env: { ...env, ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  const lines: Line[] = []
  const other: string[] = []
  let rest = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop()!
    for (const part of parts) {
      if (part.startsWith('{')) lines.push(JSON.parse(part))
      else other.push(part)
    }
  })
  const exited = once(child, 'exit').then(([code, signal]) => {
    running.delete(child)
    return code ?? signal
  })
  return { child, lines, other, exited, pid: child.pid! }
}

type Started = Awaited<ReturnType<typeof start>>

const untilReady = async ({ lines, exited, other }: Started): Promise<void> => {
  const ended = exited.then((code) => assert.fail(`it ended with ${code}: ${other.join('\n')}`))
  ended.catch(() => {})
  await Promise.race([until(() => lines.some(({ msg }) => msg === 'ready')), ended])
}

/** The processes that are ready, by what they do, from the log of the parent. */
const readyProcesses = ({ lines }: Started): Map<number, string> => {
  const ready = new Map<number, string>()
  for (const { msg, process: pid, duty } of lines) {
    if (msg === 'a process is ready') ready.set(pid as number, duty as string)
    if (msg === 'a process ended: another one starts') ready.delete(pid as number)
  }
  return ready
}

const isAlive = (pid: number): boolean => children().some((one) => one.pid === pid)

const pidOf = (machine: Started, duty: string): number =>
  [...readyProcesses(machine)].findLast(([pid, does]) => does === duty && isAlive(pid))![0]

const untilWhole = (machine: Started): Promise<void> =>
  until(() => {
    const alive = [...readyProcesses(machine)].filter(([pid]) => isAlive(pid)).map(([, duty]) => duty)
    return alive.sort().join() === 'serve,serve,work'
  })

let machine = await start()
await untilReady(machine)
const demo: Demo = await makeDemo(env)
const token = await tokenOf(origin, demo.client_id, demo.client_secret)

const figures = async (): Promise<string> => {
  const answer = await askAt(`http://127.0.0.1:${figuresPort}/metrics`, 'GET', {})
  assert.equal(answer.status, 200)
  return answer.text
}

const figure = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1) ?? Number.NaN,
  )

const walletsFigure = (text: string, status: number): number =>
  figure(text, `sanad_http_duration_seconds_count{method="GET",route="/api/v1/merchant/wallets/",status="${status}"}`)

/** How long a request may take before it counts as not answered. */
const answerWithin_ms = 10_000

const send = (agent: Agent, method: string, path: string, body?: string): Promise<{ status: number; text: string }> =>
  new Promise((done, fail) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        timeout: answerWithin_ms,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => done({ status: answer.statusCode!, text }))
        answer.on('error', fail)
      },
    )
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', fail)
    sent.end(body)
  })

/** Creates intents over kept and over new connections, until it is stopped. */
const openLoad = (workers = 6) => {
  const created: string[] = []
  const failed: string[] = []
  let on = true
  const body = JSON.stringify({ wallet: demo.wallets.main, amount: '1500.00' })
  const work = async (kept: boolean): Promise<void> => {
    const agent = new Agent({ keepAlive: kept, maxSockets: 1 })
    while (on) {
      try {
        const { status, text } = await send(agent, 'POST', '/api/v1/merchant/intents/', body)
        if (status === 201) created.push(JSON.parse(text).id)
        else failed.push(`${status} ${text}`)
      } catch (fault) {
        failed.push((fault as Error).message)
        await delay(5)
      }
    }
    agent.destroy()
  }
  const all = Array.from({ length: workers }, (_, n) => work(n % 2 === 0))
  return {
    created,
    failed,
    /** Waits until so many more were created. */
    more: (count: number): Promise<void> => {
      const most = created.length + count
      return until(() => created.length >= most)
    },
    stop: async (): Promise<void> => {
      on = false
      await Promise.all(all)
    },
  }
}

const assertStored = async (ids: readonly string[]): Promise<void> => {
  assert.ok(ids.length > 0)
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  for (let at = 0; at < ids.length; at += 50)
    await Promise.all(
      ids.slice(at, at + 50).map(async (id) => {
        const { status } = await send(agent, 'GET', `/api/v1/merchant/intents/${id}/`)
        assert.equal(status, 200, id)
      }),
    )
  agent.destroy()
}

test('the limit of a minute is exact over both processes, and the metrics are summed whichever answers', async () => {
  const began = performance.now()
  const agent = new Agent({ keepAlive: false, maxSockets: 20 })
  const statuses = await Promise.all(
    Array.from({ length: 240 }, async () => (await send(agent, 'GET', '/api/v1/merchant/wallets/')).status),
  )
  assert.ok(performance.now() - began < 60_000, 'all calls are in one window')
  const count = (status: number) => statuses.filter((one) => one === status).length
  assert.deepEqual([count(200), count(429)], [walletsBurst, 240 - walletsBurst])
  const isOfWallets = ({ msg, route, path }: Line) => msg === 'answered' && String(route ?? path).includes('/wallets/')
  await until(() => machine.lines.filter(isOfWallets).length === 240)
  const answering = new Set(machine.lines.filter(isOfWallets).map(({ pid }) => pid))
  assert.equal(answering.size, 2, 'both processes answered')
  for (let tries = 0; tries < 6; tries++) {
    const text = await figures()
    assert.deepEqual([walletsFigure(text, 200), walletsFigure(text, 429)], [walletsBurst, 240 - walletsBurst])
    assert.equal(figure(text, 'sanad_processes{duty="serve"}'), 2)
    assert.equal(figure(text, 'sanad_processes{duty="work"}'), 1)
    assert.equal(figure(text, 'sanad_database_up'), 1)
  }
})

test('a hint of a call on one process is seen by the streams of both', async () => {
  const headers = { authorization: `Bearer ${demo.dashboard.user_token}` }
  // Connections go to the processes in turn.
  const streams = await Promise.all(Array.from({ length: 4 }, () => openStream(origin, headers)))
  const agent = new Agent({ keepAlive: false })
  const body = JSON.stringify({ wallet: demo.wallets.main, amount: '2500.00' })
  for (let n = 0; n < 2; n++) {
    const { status, text } = await send(agent, 'POST', '/api/v1/merchant/intents/', body)
    assert.equal(status, 201, text)
    await Promise.all(streams.map((stream) => stream.untilHint('intent', JSON.parse(text).id)))
  }
  for (const stream of streams) stream.hangUp()
})

test('kill -9 of a serving process: what was answered is stored, the other goes on, and a new one starts', async () => {
  const load = openLoad()
  await load.more(50)
  const before = await figures()
  process.kill(pidOf(machine, 'serve'), 'SIGKILL')
  const failedAt = load.created.length
  await load.more(50)
  assert.ok(load.created.length >= failedAt + 50)
  await untilWhole(machine)
  await load.more(50)
  await load.stop()
  // Each worker had at most one request on the killed process; none waits for an answer that cannot come.
  assert.ok(load.failed.length <= 6, load.failed.join('\n'))
  assert.ok(!load.failed.includes('no answer'), load.failed.join('\n'))
  await assertStored(load.created)
  const text = await figures()
  assert.ok(walletsFigure(text, 200) === walletsFigure(before, 200), 'what the killed process had counted still counts')
  assert.equal(figure(text, 'sanad_process_restarts_total'), 1)
})

test('a connection that a process was handed and did not take before it was killed is answered by another', async () => {
  const stopped = pidOf(machine, 'serve')
  process.kill(stopped, 'SIGSTOP')
  const agent = new Agent({ keepAlive: false })
  let waiting = 0
  const asked = Array.from({ length: 4 }, async () => {
    waiting++
    const { status } = await send(agent, 'GET', '/healthz')
    waiting--
    return status
  })
  // The other process answers what it gets; what the stopped one was handed waits.
  await until(() => waiting === 1)
  process.kill(stopped, 'SIGKILL')
  assert.deepEqual(await Promise.all(asked), [200, 200, 200, 200])
  await untilWhole(machine)
})

test('kill -9 of the process that works: no request fails, and a new one starts', async () => {
  const load = openLoad()
  await load.more(20)
  process.kill(pidOf(machine, 'work'), 'SIGKILL')
  await untilWhole(machine)
  await load.more(20)
  await load.stop()
  assert.deepEqual(load.failed, [])
  await assertStored(load.created)
})

test('SIGUSR2 under load replaces every process, and no request fails', async () => {
  const before = new Set(children().map(({ pid }) => pid))
  const served = (await figures())
    .split('\n')
    .filter((line) => line.startsWith('sanad_http_duration_seconds_count'))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
  const load = openLoad()
  await load.more(20)
  machine.child.kill('SIGUSR2')
  await until(() => machine.lines.some(({ msg }) => msg === 'the processes are replaced'))
  await load.more(20)
  await load.stop()
  assert.deepEqual(load.failed, [])
  await untilWhole(machine)
  const now = [...readyProcesses(machine)].filter(([pid]) => isAlive(pid))
  assert.ok(now.every(([pid]) => !before.has(pid)))
  await assertStored(load.created)
  const later = (await figures())
    .split('\n')
    .filter((line) => line.startsWith('sanad_http_duration_seconds_count'))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
  assert.ok(later >= served + 2 * load.created.length, 'processes that ended told what they had counted')
})

test('kill -9 of the parent ends the processes and PostgreSQL, and what was answered is there after the next start', async () => {
  const load = openLoad()
  await load.more(50)
  const postgres = postgresPid(dataDir)
  machine.child.kill('SIGKILL')
  assert.equal(await machine.exited, 'SIGKILL')
  await load.stop()
  await until(() => children().length === 0)
  await until(() => {
    try {
      process.kill(postgres, 0)
      return false
    } catch {
      return true
    }
  })
  machine = await start()
  await untilReady(machine)
  await assertStored(load.created)
})

test('a second start on the same folder, and a port that is taken, are said once and end with 1', async () => {
  const second = await start()
  assert.equal(await second.exited, 1)
  assert.equal(second.other.length, 1, second.other.join('\n'))
  assert.match(second.other[0]!, /^Sanad already runs on /)

  const wrong = await start({ SANAD_PROCESSES: 'many' })
  assert.equal(await wrong.exited, 1)
  assert.match(
    wrong.other.join('\n'),
    /^SANAD_PROCESSES is "many", but must be auto, or a whole number from 1 to 64\. Example: SANAD_PROCESSES=auto$/,
  )
})

test('SIGTERM drains: every request that was accepted is answered, and every process ends', async () => {
  const load = openLoad()
  await load.more(20)
  const refused = /ECONNREFUSED|socket hang up|ECONNRESET/
  machine.child.kill('SIGTERM')
  assert.equal(await machine.exited, 0)
  await load.stop()
  assert.deepEqual(
    load.failed.filter((one) => !refused.test(one)),
    [],
  )
  assert.deepEqual(children(), [])
  const ended = machine.lines.filter(({ msg }) => msg === 'stopped').map(({ pid }) => pid)
  assert.equal(new Set(ended).size, 4)
})

test('a port that another program has taken is said once, and the start ends with 1', async () => {
  const taken = createServer().listen(port, '127.0.0.1')
  await once(taken, 'listening')
  const refused = await start()
  assert.equal(await refused.exited, 1)
  taken.close()
  assert.deepEqual(refused.other, [
    `Port ${port} of 127.0.0.1 is taken by another program: set PORT to a free one. Example: PORT=${port + 1}`,
  ])
  assert.deepEqual(children(), [])
})
