/**
 * `node bench/rule-changes.ts [--only TEXT] [--list]`: changes the rules about money, time and delivery one place at a time, and runs
 * the unit tests that import the changed file. A change that no test notices is listed, unless mutation/no-difference.ts says why it
 * makes no difference. Exits with 1 if fewer than 95 % of the changes are noticed.
 */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Change } from './mutation/apply-change.ts'
import { changesOf } from './mutation/changes.ts'
import { noDifference } from './mutation/no-difference.ts'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, list: { type: 'boolean' } } })
const root = resolve(import.meta.dirname, '..')
const source = join(root, 'packages/server/src')

/** The rules, as files or folders of the server. Files with statements or effects are left out. */
const rules = [
  'matching/rules/*.ts',
  'matching/merge/merge-plan.ts',
  'alerts/balances/*.ts',
  'alerts/one-spelling.ts',
  'alerts/texts/*.ts',
  'core/money.ts',
  'core/reference-key.ts',
  'core/digits.ts',
  'intents/intent.ts',
  'intents/payable/{unique-amounts,open-amounts,choose-amounts}.ts',
  'checkouts/checkout.ts',
  'webhooks/sending/{sender-state,schedule,breaker,auto-disable,share-calls}.ts',
  'wallets/phones/silence/{rhythm,silence}*.ts',
  'http/limits/{rule,memory-limits,sliding-window,address-key}.ts',
]
const bar = 0.95
/** A change may make a loop endless. */
const longest_ms = 30_000

const files = globSync(rules, { cwd: source })
  .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('-sql.ts') && file.includes(values.only))
  .sort()

/** The unit tests that import a file. */
const testsOf = (file: string): string[] =>
  tests.flatMap(({ path, imports }) => (imports.has(join(source, file)) ? [path] : []))

const tests = globSync('**/*.test.ts', { cwd: source }).map((name) => {
  const path = join(source, name)
  const imported = [...readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g)]
  return { path, imports: new Set(imported.map(([, from]) => resolve(dirname(path), from!))) }
})

/** Whether the tests fail with the change. */
const isNoticed = (file: string, change: Change | undefined): Promise<boolean> => {
  const url = pathToFileURL(join(source, file)).href
  const environment = {
    ...process.env,
    SANAD_CHANGED_SOURCE: JSON.stringify({ url, change: change ?? { from: 0, to: 0, text: '' } }),
  }
  const loader = join(import.meta.dirname, 'mutation/load-changed.ts')
  const args = ['--import', loader, '--test', '--test-isolation=none', '--test-reporter=dot', ...testsOf(file)]
  return new Promise((done) => {
    execFile(process.execPath, args, { env: environment, timeout: longest_ms, killSignal: 'SIGKILL' }, (fault) =>
      done(fault !== null),
    )
  })
}

const makesNoDifference = (file: string, lines: readonly string[], { line, shown }: Change): boolean =>
  noDifference.some((entry) => entry.file === file && entry.line === lines[line - 1]!.trim() && entry.shown === shown)

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs the tasks, some at once. */
const inParallel = async <T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> => {
  const results: T[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < tasks.length; at = next++) results[at] = await tasks[at]!()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return results
}

let [all, noticed, excused] = [0, 0, 0]
for (const file of files) {
  const text = readFileSync(join(source, file), 'utf8')
  const changes = changesOf(text)
  if (changes.length === 0) continue
  if (values.list) {
    for (const { line, shown } of changes) say(`${file}:${line}  ${shown}`)
    continue
  }
  const lines = text.split('\n')
  if (testsOf(file).length > 0 && (await isNoticed(file, undefined)))
    throw new Error(`The tests of ${file} fail without a change: ${testsOf(file).map((test) => relative(root, test))}`)
  const results = await inParallel(
    changes.map((change) => async () => ({
      change,
      noticed: testsOf(file).length > 0 && (await isNoticed(file, change)),
    })),
  )
  const missed = results.filter((result) => !result.noticed)
  const unexcused = missed.filter(({ change }) => !makesNoDifference(file, lines, change))
  all += changes.length
  noticed += changes.length - missed.length
  excused += missed.length - unexcused.length
  say(`${String(changes.length - missed.length).padStart(4)} of ${String(changes.length).padStart(4)}  ${file}`)
  for (const { change } of unexcused) say(`              line ${change.line}: ${change.shown}`)
}
if (!values.list) {
  const share = noticed / Math.max(1, all - excused)
  say(`${noticed} of ${all} changes are noticed; ${excused} make no difference. ${(100 * share).toFixed(1)} %`)
  process.exitCode = share >= bar ? 0 : 1
}
