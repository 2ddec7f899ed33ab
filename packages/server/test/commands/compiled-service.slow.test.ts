/** The service from its compiled files answers as the service from its sources, and is left as soon as a source has changed. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { Script } from 'node:vm'
import { bareEnvironment } from '../support/bare-environment.ts'
import { runSanad, untilReady } from '../support/servers/run-sanad.ts'

const server = resolve(import.meta.dirname, '../..')
const dataDir = mkdtempSync(join(tmpdir(), 'sanad-compiled-'))
const folder = join(dataDir, 'compiled')
const manifest = join(folder, 'manifest.json')
after(() => rmSync(dataDir, { recursive: true, force: true }))

const compile = (): void => {
  execFileSync(process.execPath, [join(server, 'src/commands/service/compile-service.ts'), folder], {
    env: { ...bareEnvironment },
  })
}

/** A preloaded module that writes the URL of every loaded module to standard error. */
const loadLogger = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) })`

const paths = [
  '/openapi/merchant.json',
  '/openapi/dashboard.json',
  '/docs',
  '/docs/json',
  '/docs/yaml',
  '/docs/guide',
  '/pair',
  '/pay/nobody',
  '/api/v1/merchant/intents/',
  '/api/v1/dashboard/me/',
  '/nowhere',
  '/',
]

/** The program in the script that installs the agent is the text of a function: it must be one for itself, as compiled too. */
const checkInstallProgram = async (origin: string): Promise<void> => {
  const script = await (await fetch(`${origin}/agent/install`)).text()
  const [, program] = script.split('END_OF_PROGRAM')
  assert.match(program!, /const check = /)
  new Script(program!.slice(program!.indexOf("'") + 1))
}

/** Headers that are other ones at every request. A compressed answer with another nonce has another length. */
const named = ['date', 'x-request-id', 'last-modified', 'content-length']

/** The text of an answer without what is made anew for each. */
const withoutChance = (text: string, origin: string): string =>
  text
    .replaceAll(origin, 'ORIGIN')
    .replaceAll(/nonce(-|=\\")[\w+/]+=*/g, 'nonce')
    .replaceAll(/request_id\\":\\"[^"\\]+/g, 'request_id')

const answersOf = async (entry: string): Promise<{ readonly answers: unknown[]; readonly isCompiled: boolean }> => {
  const run = runSanad(join(server, entry), ['start'], {
    SANAD_DATA_DIR: dataDir,
    LOG_FORMAT: 'json',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(loadLogger)}`,
  })
  const origin = await untilReady(run)
  const answers = []
  for (const path of paths) {
    const answer = await fetch(`${origin}${path}`, { redirect: 'manual' })
    const text = await answer.text()
    const headers = [...answer.headers].filter(([name]) => !named.includes(name))
    answers.push(JSON.parse(withoutChance(JSON.stringify([path, answer.status, headers, text]), origin)))
  }
  await checkInstallProgram(origin)
  const isCompiled = run.output().includes('/compiled/build-')
  assert.equal(run.output().includes('/src/serve.ts'), !isCompiled)
  run.child.kill('SIGTERM')
  await once(run.child, 'exit')
  return { answers, isCompiled }
}

test('compiled or not, the service answers the same; a changed source is noticed at the next start', async () => {
  const sources = await answersOf('src/main.ts')
  assert.equal(sources.isCompiled, false)
  compile()
  const compiled = await answersOf('bin/sanad.js')
  assert.equal(compiled.isCompiled, true)
  assert.deepEqual(compiled.answers, sources.answers)

  const known = JSON.parse(readFileSync(manifest, 'utf8'))
  const changed = known.files.find(([path]: [string]) => path.endsWith('/src/serve.ts'))
  changed[3] -= 1
  writeFileSync(manifest, JSON.stringify(known))
  assert.equal((await answersOf('bin/sanad.js')).isCompiled, false)

  // Again: the files of the build before stay for a service that runs, older ones do not.
  compile()
  compile()
  assert.equal(readdirSync(folder).filter((name) => name.startsWith('build-')).length, 2)
  assert.equal((await answersOf('bin/sanad.js')).isCompiled, true)
})
