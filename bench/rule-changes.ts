/**
 * `node bench/rule-changes.ts [--only TEXT] [--list]`: changes the rules about money, time and delivery one place at a time, and
 * runs the unit tests that import the changed file. Exits with 1 if fewer than 95 % of the changes are noticed, if one that is not
 * noticed is missing in mutation/no-difference.ts, or if an entry there is no longer true. `--list` shows the changes and runs
 * nothing.
 */
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { needsOf } from '../packages/server/test/runner/needs.ts'
import type { Change } from './mutation/apply-change.ts'
import { changesOf } from './mutation/changes.ts'
import { type NoDifference, noDifference } from './mutation/no-difference.ts'
import { TrialProcess } from './mutation/trial-process.ts'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, list: { type: 'boolean' } } })
const root = resolve(import.meta.dirname, '..')
const source = join(root, 'packages/server/src')

/** The rules, as files or folders of the server. Files with statements or effects are left out. */
const rules = [
  'matching/rules/*.ts',
  'matching/resolve/signed-parts.ts',
  'matching/merge/merge-plan.ts',
  'alerts/arrived.ts',
  'alerts/balances/*.ts',
  'alerts/texts/*.ts',
  'alerts/templates/unexpected-words.ts',
  'core/money.ts',
  'core/reference-key.ts',
  'core/digits.ts',
  'postgres/clock/clock-agreement.ts',
  'intents/{intent,arrival}.ts',
  'intents/payable/{unique-amounts,open-amounts,choose-amounts}.ts',
  'checkouts/checkout.ts',
  'wallets/trust/needs-owner.ts',
  'webhooks/sending/{sender-state,schedule,share-calls}.ts',
  'webhooks/health/{breaker,auto-disable}.ts',
  'wallets/silence/{rhythm,silence}*.ts',
  'http/limits/{rule,memory-limits,sliding-window,address-key}.ts',
]
const bar = 0.95
/** For a run that a change makes endless: this, and ten times as long as the run without a change. */
const longest_ms = 5_000

const files = globSync(rules, { cwd: source })
  .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('-sql.ts') && file.includes(values.only))
  .sort()

const server = join(root, 'packages/server')
const tests = globSync('{src,test}/**/*.test.ts', { cwd: server }).map((name) => {
  const path = join(server, name)
  const text = readFileSync(path, 'utf8')
  const imported = [...text.matchAll(/^(?:import (?!type )|} )[^']*from '(\.[^']+)'/gm)]
  const imports = new Set(imported.map(([, from]) => resolve(dirname(path), from!)))
  return { path, imports, hasHooks: /^import {.*\b(?:before|after).*} from 'node:test'/m.test(text) }
})

if (files.length === 0) {
  process.stderr.write(`No rule has a path with "${values.only}".\n`)
  process.exit(1)
}

/** Tests that need a database, start servers, measure the time, or open something before the tests of a file are left out. */
const isPure = ({ path, imports, hasHooks }: (typeof tests)[number]): boolean =>
  !hasHooks &&
  !path.endsWith('-speed.test.ts') &&
  ![...imports].some((one) => one.includes('/test/support/servers/')) &&
  !needsOf(relative(root, path)).postgres

/** The unit tests that import a file, and not only its types. Those beside the file first: they notice most. */
const testsOf = (file: string): string[] =>
  tests
    .filter((test) => isPure(test) && test.imports.has(join(source, file)))
    .map(({ path }) => path)
    .sort((a, b) => Number(isBeside(b, file)) - Number(isBeside(a, file)))

const isBeside = (test: string, file: string): boolean => dirname(test) === dirname(join(source, file))

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const processes = Array.from({ length: availableParallelism() }, () => new TrialProcess())
const endAll = (): void => {
  for (const one of processes) one.end()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    endAll()
    say('Stopped.')
    process.exit(130)
  })

/** The changes of a file that no test notices. */
const missedOf = async (file: string, changes: readonly Change[]): Promise<readonly Change[]> => {
  const trial = { root: server, file: join(source, file), tests: testsOf(file) }
  if (trial.tests.length === 0) return changes
  const began = performance.now()
  const unchanged = await processes[0]!.try({ ...trial, number: 0, change: undefined }, 10 * 60_000)
  if (unchanged.noticed)
    throw new Error(
      `${file}: a test fails without a change, in ${trial.tests.map((test) => relative(root, test))}: ${unchanged.by}`,
    )
  const most_ms = longest_ms + 10 * (performance.now() - began)
  const missed: Change[] = []
  let next = 0
  await Promise.all(
    processes.map(async (one) => {
      for (let at = next++; at < changes.length; at = next++) {
        const change = changes[at]!
        const { noticed } = await one.try({ ...trial, number: at + 1, change }, most_ms)
        if (!noticed) missed.push(change)
      }
    }),
  )
  endAll()
  return missed.sort((a, b) => a.from - b.from)
}

const isExcusedBy = ({ line, shown }: NoDifference, lines: readonly string[], change: Change): boolean =>
  line === lines[change.line - 1]!.trim() && shown === change.shown

const total = { all: 0, noticed: 0, excused: 0, unknown: 0, untrue: 0 }
for (const file of files) {
  const text = readFileSync(join(source, file), 'utf8')
  const lines = text.split('\n')
  const changes = changesOf(text)
  if (values.list) {
    for (const { line, shown } of changes) say(`${file}:${line}  ${shown}`)
    continue
  }
  const entries = noDifference.filter((entry) => entry.file === file)
  if (changes.length + entries.length === 0) continue
  const missed = await missedOf(file, changes)
  const unknown = missed.filter((change) => !entries.some((entry) => isExcusedBy(entry, lines, change)))
  const untrue = entries.filter((entry) => !missed.some((change) => isExcusedBy(entry, lines, change)))
  total.all += changes.length
  total.noticed += changes.length - missed.length
  total.excused += missed.length - unknown.length
  total.unknown += unknown.length
  total.untrue += untrue.length
  say(`${String(changes.length - missed.length).padStart(4)} of ${String(changes.length).padStart(4)}  ${file}`)
  for (const { line, shown } of unknown) say(`              line ${line}: ${shown}`)
  for (const { shown } of untrue) say(`              no longer true in no-difference.ts: ${shown}`)
}
if (!values.list) {
  const share = total.noticed / Math.max(1, total.all)
  say(
    `${total.noticed} of ${total.all} changes are noticed, ${(100 * share).toFixed(1)} %; ${total.excused} make no difference.`,
  )
  process.exitCode = share >= bar && total.unknown + total.untrue === 0 ? 0 : 1
}
