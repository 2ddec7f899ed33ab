/**
 * Which processes run all tests, in which order they start, and which files each of them runs. Loading the service takes longer
 * than most tests, so several files share a process. The processes of one kind take their files from one list, the longest file
 * first: a process that has finished a file takes the next one. So the durations only need to be roughly right.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSlow } from './choose-files.ts'
import { root } from './imports.ts'
import type { Needs } from './needs.ts'

/** `path`: what the process runs, absolute. */
export type TestProcess = { readonly path: string; readonly postgres: boolean }

export type TestFile = { readonly path: string; readonly needs: Needs; readonly duration_ms: number }

/** The number of processes that share the files of a kind. Each process of the browser tests has one browser. */
const processesOf = { browser: 3, story: 6, rule: 2 } as const
type Kind = keyof typeof processesOf

/** A file with a process of its own that takes longer starts early: otherwise the run would wait for it at the end. */
const long_ms = 10_000

/** The first guess for a file whose duration is not remembered. */
export const guessedDuration = (path: string, needs: Needs): number => {
  const size = statSync(join(root, path)).size * (isSlow(path) ? 3 : 1)
  if (needs.browser) return size * 1.25
  if (needs.ownProcess && needs.programs) return 20_000
  return needs.postgres || needs.programs ? size * 0.4 : size * 0.05
}

const kindOf = ({ browser, postgres }: Needs): Kind => (browser ? 'browser' : postgres ? 'story' : 'rule')

/**
 * Writes the file of a process that takes test files from a list, one after another, until the list is empty; returns its path.
 * Each test file becomes one test with subtests. A file is loaded when the file before it has ended, and its hooks run at its own
 * end, so that its services close their connections. A module that several files import must register hooks inside its
 * functions: a hook at its top level would belong to the first file only.
 */
const sharedProcess = (into: string, kind: Kind, number: number, files: readonly string[]): string => {
  const taken = join(into, `${kind}-taken`)
  mkdirSync(taken, { recursive: true })
  const lines = [
    "import { mkdirSync } from 'node:fs'",
    "import { beforeEach, test } from 'node:test'",
    // Only one process can create the folder.
    'const take = (n) => {',
    '  try {',
    `    mkdirSync(${JSON.stringify(`${taken}/`)} + n)`,
    '    return true',
    '  } catch (fault) {',
    "    if (fault.code === 'EEXIST') return false",
    '    throw fault',
    '  }',
    '}',
    `const root = ${JSON.stringify(`${root}/`)}`,
    `const files = ${JSON.stringify(files)}`,
    // A test may wait for something that does not keep the process alive: its clock, a timer without a reference.
    'const alive = setInterval(() => {}, 60_000)',
    // The time limit applies to each test, not to the file. No test starts before its file is loaded.
    'for (const [n, file] of files.entries())',
    '  if (take(n))',
    '    await test(file, { timeout: Infinity }, async () => {',
    '      const loaded = Promise.withResolvers()',
    '      beforeEach(() => loaded.promise)',
    '      await import(root + file).finally(loaded.resolve)',
    '    })',
    `await (await import(${JSON.stringify(join(import.meta.dirname, 'test-process.ts'))})).endProcess()`,
    'clearInterval(alive)',
  ]
  const path = join(into, `${kind}-${number}.mjs`)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** A process of its own for the file. */
export const ownProcessOf = ({ path, needs: { postgres } }: TestFile): TestProcess => ({
  path: join(root, path),
  postgres,
})

/** The processes in the order in which they start. `into`: a folder for files that this function writes. */
export const planProcesses = (files: readonly TestFile[], into: string): TestProcess[] => {
  const longestFirst = files.toSorted((one, other) => other.duration_ms - one.duration_ms)
  const own = longestFirst.filter(({ needs }) => needs.ownProcess)
  const [first, ...long] = own.filter(({ duration_ms }) => duration_ms >= long_ms)
  const shared = (kind: Kind): TestProcess[] => {
    const paths = longestFirst
      .filter(({ needs }) => !needs.ownProcess && kindOf(needs) === kind)
      .map(({ path }) => path)
    const count = Math.min(processesOf[kind], Math.ceil(paths.length / 3))
    return Array.from({ length: count }, (_, n) => ({
      path: sharedProcess(into, kind, n + 1, paths),
      postgres: kind !== 'rule',
    }))
  }
  return [
    ...(first === undefined ? [] : [ownProcessOf(first)]),
    ...shared('browser'),
    ...long.map(ownProcessOf),
    ...shared('rule'),
    // After all that is long: these are many short files, so their processes end at about the same time.
    ...shared('story'),
    ...own.filter(({ duration_ms }) => duration_ms < long_ms).map(ownProcessOf),
  ]
}
