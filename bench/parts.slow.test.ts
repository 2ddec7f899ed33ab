/** Every part of the bench runs, in seconds and with few rows, and prints numbers. How good they are is not asked: machines are noisy. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { test } from 'node:test'

const program = resolve(import.meta.dirname, 'run.ts')

type Ran = { readonly code: number | string | null | undefined; readonly out: string; readonly error: string }

const run = (...args: string[]): Promise<Ran> =>
  new Promise((done) => {
    execFile(process.execPath, [program, ...args], { maxBuffer: 16 * 1024 * 1024 }, (fault, out, error) =>
      done({ code: fault === null ? 0 : fault.code, out, error }),
    )
  })

const listed = (await run('--list')).out.trim().split('\n')

test('the bench lists its parts', () => {
  assert.ok(listed.length >= 11 && listed.every((names) => /^[a-z-]+(,[a-z-]+)*$/.test(names)), listed.join(' '))
})

// Two at once: while one waits for its service to start, the other works.
test('each part has a run of seconds', { concurrency: 2 }, async (t) => {
  await Promise.all(
    listed.map((names) =>
      t.test(`${names}: it ends well, and each of its figures is a number`, async () => {
        const { code, out, error } = await run('--only', names, '--small')
        assert.equal(code, 0, `${out}\n${error}`)
        assert.doesNotMatch(out, /NaN|Infinity|NO FIGURE/)
        // The last section has a line for each figure: of a table, or of a fact with its value.
        const section = out.split('\n\n').slice(1).join('\n')
        assert.ok(section.split('\n').filter((line) => /\d/.test(line)).length >= 1, out)
      }),
    ),
  )
})

test('a part that is unknown is refused in one sentence', async () => {
  const { code, error } = await run('--only', 'nothing')
  assert.equal(code, 1)
  assert.match(error, /^--only nothing: there are .*\.\n$/)
})
