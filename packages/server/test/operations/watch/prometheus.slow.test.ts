/**
 * The rules with the real programs: promtool reads and tests them, and a Prometheus reads a running service until rules fire in real
 * faults: a wrong clock, a node that is gone. Before that none fires.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type ClockGuard, trustedClock } from '../../../src/postgres/clock/clock-guard.ts'
import { findProgram } from '../../support/programs/find-program.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { openTestService } from '../../support/story.ts'

const folder = resolve(import.meta.dirname, '../../../../../deploy')
const [promtool, prometheus] = [findProgram('promtool', 'prometheus'), findProgram('prometheus')]
const scratch = mkdtempSync(join(tmpdir(), 'sanad-prometheus-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const run = (...args: string[]): void => {
  const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: 'utf8', cwd: join(folder, 'prometheus') })
  assert.equal(status, 0, `${stdout}${stderr}`)
}

test('promtool finds no fault in the rules', () => run('check', 'rules', 'rules.yml'))

test('each rule fires in its made-up fault and none on a quiet day', () => {
  run('test', 'rules', 'rules.test.yml')
  run('test', 'rules', 'rules-days.test.yml')
})

test('every panel of the board asks what Prometheus can read', () => {
  const board = JSON.parse(readFileSync(join(folder, 'grafana/sanad.json'), 'utf8'))
  const asked: string[] = board.panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => expr.replaceAll('$job', 'sanad')),
  )
  assert.ok(asked.length >= 25)
  const file = join(scratch, 'panels.json')
  const rules = asked.map((expr, i) => ({ record: `panel:${i}`, expr }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
  run('check', 'rules', file)
})

test('a Prometheus that reads a running service: no rule fires, then the wrong clock and the lost node do', async () => {
  let offset_ms = 0
  const clockGuard: ClockGuard = { ...trustedClock, state: () => ({ ...trustedClock.state(), offset_ms }) }
  const service = await openTestService({}, { clockGuard })
  await service.sql('update devices set switched_on = false')
  const node = await service.startNode()
  await node.service.operatorsApp.listen({ host: '127.0.0.1', port: 0 })
  const { port } = node.service.operatorsApp.server.address() as AddressInfo
  // The same rules, with seconds instead of the minutes for which a fault must last.
  const rules = readFileSync(join(folder, 'prometheus/rules.yml'), 'utf8').replaceAll(/^( +for: )\d+m$/gm, '$12s')
  writeFileSync(join(scratch, 'rules.yml'), rules)
  writeFileSync(
    join(scratch, 'prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: [join(scratch, 'rules.yml')],
      scrape_configs: [{ job_name: 'sanad', static_configs: [{ targets: [`127.0.0.1:${port}`] }] }],
    }),
  )
  const listen = `127.0.0.1:${await freePort()}`
  const server = spawn(
    prometheus,
    [
      `--config.file=${join(scratch, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(scratch, 'data')}`,
      `--web.listen-address=${listen}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  server.stderr.on('data', (bytes) => {
    said = (said + bytes).slice(-4_000)
  })
  const ended = new Promise((done) => server.once('exit', done))
  service.atEnd(async () => {
    server.kill()
    await ended
  })
  const ask = async (query: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> => {
    const answer = await fetch(`http://${listen}/api/v1/query?query=${encodeURIComponent(query)}`)
    return ((await answer.json()) as { data: { result: [] } }).data.result
  }
  /** Asks until the answer is the one that is waited for. */
  const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 600; tries++) {
      if (await isSo().catch(() => false)) return
      await delay(200)
    }
    assert.fail(`${what}: not within two minutes\n${said}`)
  }
  const firing = async (): Promise<string[]> =>
    (await ask('ALERTS{alertstate="firing"}')).map(({ metric }) => metric.alertname!).sort()
  const readings = async (): Promise<number> =>
    Number((await ask('count_over_time(sanad_build_info{job="sanad"}[10m])'))[0]?.value[1] ?? 0)

  await until('ten readings of the service', async () => (await readings()) >= 10)
  assert.deepEqual(await firing(), [])
  assert.equal((await ask('sanad_intents_total{change="created"}'))[0]?.value[1], '0')

  offset_ms = -3_000
  await until('the rule of a wrong clock', async () => (await firing()).includes('SanadClockWrong'))
  assert.deepEqual(await firing(), ['SanadClockWrong'])

  await node.close()
  await until('the rule of a lost node', async () => (await firing()).includes('SanadNodeDown'))
})
