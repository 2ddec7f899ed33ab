/**
 * The agent in rare troubles, as a process against the service: a disk that is full while messages are queued, ten
 * thousand messages after a long time off, a restart of the phone.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hour_ms, minute_ms } from '../../src/core/duration.ts'
import { bodies, eventually, openAgentStory } from './agent-story.ts'

const story = await openAgentStory()
const { network, newPhone, rowsOf, textsOf, sql } = story
type AgentPhone = Awaited<ReturnType<typeof newPhone>>

const countOf = async ({ id }: AgentPhone): Promise<number> =>
  Number((await sql('select count(*) from alerts where device_id = $1', [id]))[0]![0])

/** Runs a line in the phone's shell. `most_kb`: no file can grow beyond this size, as on a full disk. */
const inShell = async (phone: AgentPhone, line: string, most_kb?: number): Promise<{ code: number; out: string }> => {
  const limit = most_kb === undefined ? '' : `ulimit -f ${most_kb * 2}; `
  const child = spawn('sh', ['-c', `${limit}${line}`], { env: phone.env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk
    })
  const [code] = await once(child, 'close')
  return { code, out }
}
const agentLine = (phone: AgentPhone, command: string): string =>
  `'${process.execPath}' --disable-warning=ExperimentalWarning '${phone.agent}' ${command}`

test('a disk that is full while messages are queued: nothing is half stored, nothing is lost, none comes twice', async () => {
  const phone = await newPhone()
  await phone.setup()
  const sent = phone.pay(3)
  await phone.run('once')
  network.state = 'down'
  sent.push(...phone.pay(40))
  await phone.run('once')
  // More than fits: the round fails and says so, and what was queued before is still there.
  sent.push(...phone.pay(900))
  for (const command of ['once', 'once']) {
    const full = await inShell(phone, agentLine(phone, command), 200)
    assert.equal(full.code, 1, full.out)
    assert.match(full.out, /It failed: .*(full|disk)/)
  }
  assert.match((await phone.run('status')).out, /Unsent messages: 40\./)
  network.state = 'up'
  // With the disk still full, a running agent keeps trying and does not end.
  const running = spawn('sh', ['-c', `ulimit -f 400; exec ${agentLine(phone, 'run --every 1')}`], { env: phone.env })
  let log = ''
  running.stdout.on('data', (chunk) => {
    log += chunk
  })
  await eventually('two rounds failed', () => (log.match(/This round failed/g) ?? []).length >= 2)
  running.kill('SIGTERM')
  await once(running, 'close')
  // There is space again.
  assert.match((await phone.run('once')).out, /Unsent messages: 0/)
  assert.deepEqual(await textsOf(phone), bodies(sent))
})

test('ten thousand messages after a long time off arrive once and in order, and memory stays small', async () => {
  const peak_mb = (pid: number): number =>
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
  const phone = await newPhone()
  await phone.setup()
  const sent = phone.pay(1)
  const first = phone.start('run', '--every', '600')
  await eventually('one message is stored', async () => (await countOf(phone)) === 1)
  await eventually('it is sent', () => /Sending: sent/.test(first.out()))
  const idle_mb = peak_mb(first.child.pid!)
  first.child.kill('SIGKILL')
  await first.ended

  sent.push(...phone.pay(10_000, Date.now() - hour_ms))
  const began = performance.now()
  const second = phone.start('run', '--every', '600')
  await eventually('a part is stored', async () => (await countOf(phone)) > 2_000, 120_000)
  // The connection breaks before all are sent, and answers are lost.
  network.state = 'loses answers'
  network.cut()
  await eventually('a call has failed', () => /Sending: failed/.test(second.out()), 120_000)
  network.state = 'up'
  await eventually('all are stored', async () => (await countOf(phone)) === sent.length, 300_000)
  await eventually('all are sent', async () => /All messages are sent/.test((await phone.run('status')).out))
  const busy_mb = peak_mb(second.child.pid!)
  second.child.kill('SIGTERM')
  await second.ended
  console.log(
    `10,000 messages in ${Math.round((performance.now() - began) / 1000)} s; peak memory of the agent ${Math.round(busy_mb)} MB, ` +
      `with one message ${Math.round(idle_mb)} MB`,
  )
  const texts = await textsOf(phone)
  assert.equal(texts.length, sent.length)
  assert.deepEqual(texts, bodies(sent))
  // On a busy machine the collector comes later: 83 MB more were seen.
  assert.ok(busy_mb < idle_mb + 100, `${busy_mb} MB, with one message ${idle_mb} MB`)
})

test('after a restart of the phone the boot script starts the agent, and what came meanwhile is reported', async () => {
  const phone = await newPhone()
  await phone.setup()
  const before = phone.start('run', '--every', '1')
  const sent = phone.pay(2)
  await eventually('stored', async () => (await countOf(phone)) === 2)
  // The battery is empty.
  before.child.kill('SIGKILL')
  await before.ended
  sent.push(...phone.pay(3, Date.now() - 5 * minute_ms))
  // After the restart the clock of the phone stands at its factory date until the network has set it.
  sent.push(...phone.pay(2, Date.parse('2015-01-01T00:00:00Z')))
  const boot = join(phone.home, '.termux/boot/sanad-agent')
  assert.ok(existsSync(boot))
  const started = spawn('sh', [boot], { env: phone.env, stdio: 'ignore' })
  try {
    await eventually('all are stored', async () => (await countOf(phone)) === sent.length)
  } finally {
    started.kill('SIGTERM')
    await once(started, 'close')
  }
  assert.match(readFileSync(phone.calls, 'utf8'), /termux-wake-lock/)
  assert.deepEqual((await textsOf(phone)).toSorted(), bodies(sent).toSorted())
  // The job of Android's scheduler, while nothing runs: one round and then the agent.
  sent.push(...phone.pay(1))
  const job = spawn('sh', [join(phone.files, 'job')], { env: phone.env, stdio: 'ignore', detached: true })
  try {
    await eventually('the job has reported it', async () => (await countOf(phone)) === sent.length)
  } finally {
    process.kill(-job.pid!, 'SIGKILL')
    await once(job, 'close')
  }
  assert.equal((await rowsOf(phone)).length, sent.length)
})
