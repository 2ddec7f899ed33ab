/** `npm run rule-changes` works: it notices the changes of a rule that has tests, lists the changes, and fails where nothing is
 *  noticed. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { test } from 'node:test'

const program = resolve(import.meta.dirname, '../../../../bench/rule-changes.ts')

const run = (...args: string[]): Promise<{ readonly code: unknown; readonly lines: readonly string[] }> =>
  new Promise((done) => {
    execFile(process.execPath, [program, ...args], (fault, stdout) =>
      done({ code: fault === null ? 0 : fault.code, lines: stdout.trimEnd().split('\n') }),
    )
  })

test('every change of a small rule is noticed', async () => {
  const { code, lines } = await run('--only', 'webhooks/health/auto-disable')
  assert.deepEqual(lines, [
    '  24 of   24  webhooks/health/auto-disable.ts',
    '24 of 24 changes are noticed, 100.0 %; 0 make no difference.',
  ])
  assert.equal(code, 0)
})

test('a change that makes no difference is counted; if fewer than 95 % are noticed, the run fails', async () => {
  const { code, lines } = await run('--only', 'intents/payable/open-amounts')
  assert.equal(lines.at(-1), '17 of 18 changes are noticed, 94.4 %; 1 make no difference.')
  // Of one file alone, fewer than 95 % are noticed.
  assert.equal(code, 1)
})

test('--list shows the changes and runs no test', async () => {
  const { code, lines } = await run('--only', 'core/digits', '--list')
  assert.equal(code, 0)
  assert.ok(
    lines.length > 3 && lines.every((line) => /^core\/digits\.ts:\d+ {2}.+ -> .+$/.test(line)),
    lines.join('\n'),
  )
})

test('a text that is part of no file name is refused', async () => {
  assert.equal((await run('--only', 'no such rule')).code, 1)
})
