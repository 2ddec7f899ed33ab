/** The cache of compiled code: it is used where it is safe, and never fails a start. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const scratch = mkdtempSync(join(tmpdir(), 'sanad-cache-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

/** In a process of its own, because a cache cannot be left again. */
const cacheIn = (dataDir: string, mayCreate: boolean, env: Record<string, string> = {}): string => {
  const code = `import { saveCompileCache, useCompileCache } from ${JSON.stringify(join(import.meta.dirname, 'compile-cache.ts'))}
    const used = useCompileCache(${JSON.stringify(dataDir)}, ${mayCreate})
    await import(${JSON.stringify(join(import.meta.dirname, '../../command-error.ts'))})
    saveCompileCache()
    process.stdout.write(used ?? 'none')`
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', env: { ...env } })
}

test('the cache is in the data directory, for its user alone, and holds what was loaded', () => {
  const dataDir = join(scratch, 'own')
  const used = cacheIn(dataDir, true)
  assert.ok(used.startsWith(join(dataDir, 'compile-cache')), used)
  assert.equal(statSync(join(dataDir, 'compile-cache')).mode & 0o777, 0o700)
  assert.equal(statSync(dataDir).mode & 0o777, 0o711)
  assert.ok(readdirSync(used).length > 0)
  assert.equal(cacheIn(dataDir, true), used)
})

test('a data directory that does not exist is not created where PostgreSQL is elsewhere', () => {
  const dataDir = join(scratch, 'elsewhere')
  assert.equal(cacheIn(dataDir, false), 'none')
  assert.ok(!existsSync(dataDir))
})

test('a directory that others may write to is not used, and one that cannot be made fails nothing', () => {
  const dataDir = join(scratch, 'shared')
  mkdirSync(join(dataDir, 'compile-cache'), { recursive: true })
  chmodSync(join(dataDir, 'compile-cache'), 0o777)
  assert.equal(cacheIn(dataDir, true), 'none')
  const file = join(scratch, 'file')
  writeFileSync(file, '')
  assert.equal(cacheIn(file, true), 'none')
  assert.equal(cacheIn(join(file, 'below'), true), 'none')
})

test("Node's own settings come first", () => {
  const common = join(scratch, 'common')
  assert.ok(cacheIn(join(scratch, 'unused'), true, { NODE_COMPILE_CACHE: common }).startsWith(common))
  assert.equal(cacheIn(join(scratch, 'off'), true, { NODE_DISABLE_COMPILE_CACHE: '1' }), 'none')
})
