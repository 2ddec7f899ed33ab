/**
 * What an operator copies agrees with what the service shows: the table of metrics in the guide, the rules for Prometheus, their
 * tests, and the board for Grafana.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { openTestService } from '../../support/story.ts'
import { unreadReplica } from '../../support/unread-replica.ts'

const root = resolve(import.meta.dirname, '../../../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const service = await openTestService({}, { replica: unreadReplica })
const shown = await service.figures()

const types = new Map([...shown.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]))
const metrics = [...types.keys()].sort()
const guide = /^## Watch\n([\s\S]*?)^## /m.exec(read('docs/operators.md'))![1]!
const rules = read('deploy/prometheus/rules.yml')
const ruleNames = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)

const namesIn = (text: string): string[] => [...new Set(text.match(/\bsanad_[a-z_]+\b/g) ?? [])].sort()
/** The metric of a series: a histogram has three kinds of them. */
const metricOf = (series: string): string => {
  const base = series.replace(/_(bucket|sum|count)$/, '')
  return types.get(base) === 'histogram' ? base : series
}

test('the guide lists every metric that the service shows, and no other', () => {
  assert.ok(metrics.length >= 20)
  const table = guide.split('### Metrics')[1]!.split('### Rules')[0]!
  const listed = [...table.matchAll(/^\| (`sanad_[^|]*) \|/gm)].flatMap(([, cell]) => namesIn(cell!)).sort()
  assert.deepEqual(listed, metrics)
})

test('every metric says what it is in a sentence of help', () => {
  for (const [name] of types) assert.match(shown, new RegExp(`^# HELP ${name} [A-Z0-9].{10,}\\.$`, 'm'))
})

test('the guide lists every rule, and no other', () => {
  assert.ok(ruleNames.length >= 15)
  const table = guide.split('### Rules')[1]!
  const listed = [...table.matchAll(/^\| (`Sanad[^|]*) \|/gm)].flatMap(([, cell]) => cell!.match(/\bSanad\w+/g)!)
  assert.deepEqual(listed.sort(), ruleNames.toSorted())
})

test('rules and board name only metrics that exist', () => {
  const used = namesIn(rules.replaceAll(/^#.*$/gm, '') + read('deploy/grafana/sanad.json'))
  assert.ok(used.length >= 20)
  assert.deepEqual(
    used.filter((name) => !metrics.includes(metricOf(name))),
    [],
  )
})

test('every metric is on the board', () => {
  const used = namesIn(read('deploy/grafana/sanad.json')).map(metricOf)
  // The size of the disk only serves the rule; the age of a backup is computed from its time.
  const besides = ['sanad_disk_size_bytes', 'sanad_backup_age_seconds']
  assert.deepEqual(
    metrics.filter((name) => !used.includes(name) && !besides.includes(name)),
    [],
  )
})

test('every rule has a test in which it alone fires, after a check of the same series that it does not yet', () => {
  const tests = ['rules', 'rules-days'].map((name) => read(`deploy/prometheus/${name}.test.yml`)).join('')
  const fires = [...tests.matchAll(/exp_samples:\n {10}- \{ labels: '\{alertname="(\w+)"\}', value: 1 \}\n(?! {10}-)/g)]
  assert.deepEqual([...new Set(fires.map(([, name]) => name!))].sort(), ruleNames.toSorted())
})

test('every rule has a severity, a summary and a time for which its fault must last', () => {
  for (const text of rules.split('- alert: ').slice(1)) {
    const name = /^\w+/.exec(text)![0]
    assert.match(text, /^ +labels: \{ severity: (critical|warning|info) \}$/m, name)
    assert.match(text, /^ +for: \d+m$/m, name)
    assert.match(text, /^ +summary: \S.*$/m, name)
  }
})

type Panel = {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly datasource?: unknown
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string; readonly refId: string; readonly datasource: unknown }[]
}

test('the board has panels of known kinds, each with its own id and place, that ask the chosen data source', () => {
  const board = JSON.parse(read('deploy/grafana/sanad.json'))
  assert.deepEqual(
    [board.schemaVersion, board.id, board.templating.list.map(({ name }: { name: string }) => name)],
    [38, null, ['datasource', 'job']],
  )
  const panels: readonly Panel[] = board.panels
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const taken = new Set<string>()
  for (const { type, title, description, gridPos, targets = [], datasource } of panels) {
    assert.ok(['row', 'stat', 'timeseries'].includes(type), title)
    assert.ok(gridPos.x >= 0 && gridPos.x + gridPos.w <= 24 && gridPos.h > 0, title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(!taken.has(`${x} ${y}`), `${title} covers another panel`)
        taken.add(`${x} ${y}`)
      }
    if (type === 'row') continue
    assert.ok(targets.length > 0 && description !== undefined, title)
    assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title)
    for (const source of [datasource, ...targets.map((target) => target.datasource)])
      assert.deepEqual(source, { type: 'prometheus', uid: '$' + '{datasource}' })
    for (const { expr } of targets) assert.match(expr, /job="\$job"/, title)
  }
})
