/** The compiled service is used only while everything that it was made of is as it was. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { compiledMain, installation, manifest, stateOf } from '../../../bin/compiled-service.js'

const scratch = mkdtempSync(join(tmpdir(), 'sanad-compiled-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

let made = 0

/** A folder with a compiled service that is up to date, made of one source. */
const compiled = () => {
  const home = join(scratch, String(++made))
  const folder = join(home, 'compiled')
  const source = join(home, 'source.ts')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'main.mjs'), '')
  writeFileSync(source, 'let a = 1')
  const write = (more: Record<string, unknown> = {}): void =>
    writeFileSync(
      join(folder, manifest),
      JSON.stringify({
        node: process.version,
        installation,
        main: 'main.mjs',
        files: [stateOf(source), stateOf(join(folder, 'main.mjs'))],
        ...more,
      }),
    )
  write()
  return { folder, source, write, main: join(folder, 'main.mjs') }
}

test('while nothing has changed, it is used', () => {
  const { folder, main } = compiled()
  assert.equal(compiledMain(folder), main)
})

test('a source that was written again is noticed, although its size and its time of day are those of before', () => {
  const { folder, source, main } = compiled()
  const [, , modified_ms] = stateOf(source)
  writeFileSync(source, 'let a = 2')
  utimesSync(source, modified_ms / 1000, modified_ms / 1000)
  assert.equal(compiledMain(folder), undefined)
  assert.notEqual(compiledMain(compiled().folder), main)
})

test('a source that has gone, and a compiled file that is damaged, are noticed', () => {
  const gone = compiled()
  rmSync(gone.source)
  assert.equal(compiledMain(gone.folder), undefined)
  const damaged = compiled()
  writeFileSync(damaged.main, 'half')
  assert.equal(compiledMain(damaged.folder), undefined)
})

test('what another Node compiled is not used', () => {
  const { folder, write } = compiled()
  write({ node: 'v24.0.0-other' })
  assert.equal(compiledMain(folder), undefined)
})

test('what another installation compiled, which has the same data directory and is still there, is not used', () => {
  const { folder, write, main } = compiled()
  write({ installation: '/opt/sanad-before' })
  assert.equal(compiledMain(folder), undefined)
  write({ installation: undefined })
  assert.equal(compiledMain(folder), undefined)
  write()
  assert.equal(compiledMain(folder), main)
})

test('a folder that others may write to is not used', () => {
  const { folder, main } = compiled()
  chmodSync(folder, 0o770)
  assert.equal(compiledMain(folder), undefined)
  chmodSync(folder, 0o700)
  assert.equal(compiledMain(folder), main)
})

test('without a manifest, or with half of one, the sources run', () => {
  const { folder } = compiled()
  const whole = readFileSync(join(folder, manifest), 'utf8')
  writeFileSync(join(folder, manifest), whole.slice(0, whole.length / 2))
  assert.equal(compiledMain(folder), undefined)
  rmSync(join(folder, manifest))
  assert.equal(compiledMain(folder), undefined)
  assert.equal(compiledMain(join(folder, 'nowhere')), undefined)
})
