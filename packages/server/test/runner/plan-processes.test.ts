/** The processes that share test files. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { root } from './imports.ts'
import { type Needs, needsOf } from './needs.ts'
import { guessedDuration, planProcesses, type TestFile } from './plan-processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-plan-'))
after(() => rmSync(folder, { recursive: true }))

const rules = ['digits', 'money', 'country', 'zone'].map((name) => `packages/server/src/core/${name}.test.ts`)
const file = (path: string, duration_ms: number, needs: Partial<Needs> = {}): TestFile => ({
  path,
  duration_ms,
  needs: { ...needsOf(path), ...needs },
})

test('processes that share files run each file once, the longest first', async () => {
  const processes = planProcesses(
    rules.map((path, n) => file(path, n)),
    folder,
  )
  assert.equal(processes.length, 2)
  assert.ok(processes.every(({ postgres }) => !postgres))
  const run = promisify(execFile)
  // The variable is set by the test runner of this process, and would change what the processes print.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  const outputs = await Promise.all(
    processes.map(({ path }) => run(process.execPath, ['--test-reporter=tap', path], { cwd: root, env })),
  )
  const ran = outputs.map(({ stdout }) => [...stdout.matchAll(/^ok \d+ - (.*)$/gm)].map((match) => match[1]!))
  assert.deepEqual(ran.flat().sort(), rules.toSorted())
  for (const paths of ran)
    assert.deepEqual(
      paths,
      rules.toReversed().filter((path) => paths.includes(path)),
    )
})

test('a file with a process of its own shares none: it starts early if it is long, and last if it is short', () => {
  const own = { ownProcess: true }
  const processes = planProcesses(
    [...rules.slice(2).map((path) => file(path, 5)), file(rules[0]!, 90_000, own), file(rules[1]!, 100, own)],
    folder,
  )
  assert.equal(processes.length, 3)
  assert.equal(processes[0]!.path, join(root, rules[0]!))
  assert.equal(processes[2]!.path, join(root, rules[1]!))
})

test('without a remembered duration, a screen is expected to take longer than a story, and that longer than a rule', () => {
  const [path] = rules
  const guess = (needs: Partial<Needs>): number => guessedDuration(path!, { ...needsOf(path!), ...needs })
  const guesses = [guess({}), guess({ postgres: true }), guess({ postgres: true, browser: true })]
  assert.deepEqual(
    guesses,
    [...new Set(guesses)].sort((one, other) => one - other),
  )
})
