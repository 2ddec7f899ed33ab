/** The command line: every command is listed and has a help text, and help loads no command. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'

const src = join(import.meta.dirname, '../../src')
const names = globSync('**/*-command.ts', { cwd: join(src, 'commands') }).map((file) => basename(file, '-command.ts'))

/** A preloaded module that writes the URL of every loaded module to standard error. */
const loadLogger = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) })`

const sanad = (...args: string[]): Promise<{ code: number; out: string; loaded: string[] }> =>
  new Promise((done) => {
    const env = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
    const all = ['--import', `data:text/javascript,${encodeURIComponent(loadLogger)}`, join(src, 'main.ts'), ...args]
    execFile(process.execPath, all, { env, maxBuffer: 2 ** 24 }, (fault, out, loaded) =>
      done({ code: fault === null ? 0 : Number(fault.code), out, loaded: loaded.split('\n') }),
    )
  })

test('--help lists every command, and loads none', async () => {
  const { code, out, loaded } = await sanad('--help')
  assert.equal(code, 0)
  assert.ok(names.length > 10)
  for (const name of names) assert.match(out, new RegExp(`^  ${name} `, 'm'))
  assert.ok(
    loaded.some((url) => url.endsWith('/src/main.ts')),
    'the loaded modules are recorded',
  )
  assert.deepEqual(
    loaded.filter((url) => url.includes('/src/commands/')),
    [],
  )
})

test('the help of a command works without the service and without a database', async () => {
  for (const args of [
    ['phone', '--help'],
    ['help', 'key'],
    ['listen', '--help'],
    ['account', 'create', '--help'],
  ]) {
    const { code, out, loaded } = await sanad(...args)
    assert.equal(code, 0, args.join(' '))
    assert.match(out, /^Usage: sanad /)
    assert.match(out, /^(Options|Commands):[\s\S]*\n {2}(--|create)/m, args.join(' '))
    const heavy = loaded.filter((url) => /node_modules\/(fastify|pg|pino)\//.test(url))
    assert.deepEqual(heavy, [], args.join(' '))
  }
})

test('an unknown command is refused', async () => {
  const { code, loaded } = await sanad('pay')
  assert.equal(code, 1)
  assert.ok(loaded.includes("error: unknown command 'pay'"))
})
