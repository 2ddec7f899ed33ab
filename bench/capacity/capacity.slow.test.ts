/** The capacity program measures what calls cost, writes it, and answers for a load. In seconds, so the figures are rough. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { calls, readCosts } from './costs.ts'

const program = resolve(import.meta.dirname, '../capacity.ts')
const folder = mkdtempSync(join(tmpdir(), 'sanad-capacity-'))
after(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]): Promise<{ readonly code: unknown; readonly out: string; readonly error: string }> =>
  new Promise((done) => {
    execFile(process.execPath, [program, ...args], (fault, out, error) =>
      done({ code: fault === null ? 0 : fault.code, out, error }),
    )
  })

test('costs are measured by real payments, and a load is answered from them', async () => {
  const file = join(folder, 'costs.json')
  const { code, out, error } = await run('--measure', '--quick', '--costs', file, '--shops', '50', '--payments', '2000')
  assert.equal(code, 0, error)
  const costs = readCosts(file)
  for (const call of calls) assert.ok(costs.calls[call].node_us > 1, call)
  // A payment writes WAL, and leaves rows.
  assert.ok(costs.wal.every(([payments, bytes]) => bytes > payments * 1_000))
  assert.ok(costs.disk.forever > 1_000 && costs.disk.attempts > 100 && costs.disk.texts > 50)
  assert.match(out, /^verified payments a day +2,000 +20,000 +200,000$/m)
  assert.match(out, /^19:00 +9\.0 %/m)
})

test('without measuring, the costs of the repository answer', async () => {
  const { code, out } = await run('--shops', '1000', '--payments', '20000', '--texts-days', '90')
  assert.equal(code, 0)
  const costs = JSON.parse(readFileSync(resolve(import.meta.dirname, 'costs.json'), 'utf8')) as { machine: string }
  assert.ok(out.startsWith(`Costs: ${costs.machine}, `))
  assert.match(out, /texts and payers \(90 days\)/)
})

test('a file without costs and a number that is none are refused in one sentence', async () => {
  const wrong = await run('--payments', 'many')
  assert.equal(wrong.code, 1)
  assert.equal(wrong.error, '--payments must be a whole number from 1 on.\n')
})
