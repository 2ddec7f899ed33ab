/**
 * The rules of the architecture, checked against the source files: which module may import which, no import cycle, the
 * environment and the time read in one place each, no outgoing call outside the listed files, no grab-bag files.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '../../..')
const packages = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.(test|d)\.ts$/.test(path))

/**
 * The modules that each module of the server may import, besides itself. The files directly in `src` are the top layer:
 * they may import every module but `commands`. Commands may import the top layer too, and only `main.ts` loads them.
 */
const topLayer = 'top layer'
const allowedImports: Readonly<Record<string, readonly string[]>> = (() => {
  const core = ['core']
  const base = [...core, 'postgres']
  const modules = [...base, 'accounts', 'wallets', 'intents', 'alerts', 'webhooks', 'matching']
  return {
    core: [],
    postgres: core,
    accounts: base,
    wallets: [...base, 'accounts'],
    intents: [...base, 'accounts', 'wallets'],
    alerts: [...base, 'accounts', 'wallets'],
    webhooks: [...base, 'accounts'],
    matching: [...base, 'accounts', 'wallets', 'intents', 'alerts', 'webhooks'],
    http: modules,
    work: modules,
    commands: [...modules, 'http', 'work', topLayer],
  }
})()

type File = { readonly path: string; readonly text: string; readonly imports: readonly string[] }

/** Only the lines before the first declaration: further down, an import can only be part of a string. */
const importsOf = (path: string, text: string): string[] => {
  const head = text.split(/^(?:export )?(?:const|let|type|class|interface|declare|async|function) /m)[0]!
  const named = [...head.matchAll(/^(?:import|export)\b[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm)]
  const dynamic = [...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)]
  return [...named, ...dynamic]
    .map((match) => match[1] ?? match[2]!)
    .map((target) => (target.startsWith('.') ? normalize(join(dirname(path), target)) : target))
}

const files: File[] = packages.map((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, imports: importsOf(path, text) }
})

const moduleOf = (path: string): string | undefined => /^packages\/server\/src\/([^/]+)\//.exec(path)?.[1]
/** The code without its comments: they may mention what the code must not do. */
const code = (file: File): string => file.text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
const where = (wrong: (file: File) => boolean): string[] =>
  files
    .filter(wrong)
    .map((file) => file.path)
    .sort()

test('the source files are found and their imports are read', () => {
  assert.ok(files.length > 50)
  assert.ok(files.some((file) => file.imports.length > 10))
})

test('every module is in the list of allowed imports', () => {
  assert.deepEqual(
    [...new Set(files.map((file) => moduleOf(file.path)).filter((module) => module !== undefined))].sort(),
    Object.keys(allowedImports).sort(),
  )
})

test('modules import only the modules that are allowed for them', () => {
  const wrong: string[] = []
  for (const file of files) {
    const module = moduleOf(file.path)
    if (module === undefined) continue
    for (const target of file.imports.filter((path) => path.startsWith('packages/server/'))) {
      const other = moduleOf(target)
      if (other === module) continue
      if (!allowedImports[module]!.includes(other ?? topLayer)) wrong.push(`${file.path} -> ${target}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('no file imports main, only main loads commands, only commands and the top layer import config', () => {
  assert.deepEqual(
    where((file) => file.imports.some((path) => path.endsWith('server/src/main.ts'))),
    [],
  )
  assert.deepEqual(
    where((file) => moduleOf(file.path) !== 'commands' && file.imports.some((path) => moduleOf(path) === 'commands')),
    ['packages/server/src/main.ts'],
  )
  assert.deepEqual(
    where((file) => {
      const module = moduleOf(file.path)
      if (module === undefined || module === 'commands') return false
      return file.imports.some((path) => path.endsWith('src/config.ts'))
    }),
    [],
  )
})

test('the contract package imports nothing, and of the modules only http imports its schemas', () => {
  const contract = files.filter((file) => file.path.startsWith('packages/contract/'))
  const foreign = contract.flatMap((file) =>
    file.imports.filter((path) => !path.startsWith('packages/contract/') && !path.startsWith('typebox')),
  )
  assert.deepEqual(foreign, [])
  // The lists of kinds are plain data without a schema: every module may use them.
  const isSchema = (path: string): boolean => path.startsWith('@sanad/contract') && path !== '@sanad/contract/kinds'
  const users = where((file) => file.imports.some(isSchema))
  assert.deepEqual(
    users.filter((path) => moduleOf(path) !== undefined && moduleOf(path) !== 'http'),
    [],
  )
})

test('there is no import cycle', () => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) return void cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    if (done.has(path)) return
    for (const target of byPath.get(path)?.imports ?? []) if (byPath.has(target)) visit(target, [...trail, path])
    done.add(path)
  }
  for (const file of files) visit(file.path, [])
  assert.deepEqual(cycles, [])
})

test('a statement file never imports a verb, and statements are only in files named -sql', () => {
  const wrong = files.flatMap((file) => {
    if (!file.path.endsWith('-sql.ts') || moduleOf(file.path) === undefined) return []
    return file.imports
      .filter((path) => moduleOf(path) === moduleOf(file.path) && !path.endsWith('-sql.ts'))
      .filter((path) => /\bdb\.(run|transaction)\b|gather\(/.test(files.find((one) => one.path === path)?.text ?? ''))
      .map((path) => `${file.path} -> ${path}`)
  })
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    where((file) => /\bstatement\(\s*'/.test(code(file)) && !file.path.endsWith('-sql.ts')),
    [],
  )
})

test('the environment is read in config.ts alone', () => {
  assert.deepEqual(
    where((file) => /process\.env\b/.test(code(file))),
    ['packages/server/src/config.ts'],
  )
})

test('the time is read in one file of the server and one of the dashboard', () => {
  assert.deepEqual(
    where((file) => /\bDate\.now\(|new Date\(\)|\bnow\(\)\s*::|current_timestamp/.test(code(file))),
    ['packages/dashboard/src/parts/format/clock.ts', 'packages/server/src/core/clock.ts'],
  )
})

test('outgoing calls are made only by the webhook caller, the mail, the simulated phone and the dashboard', () => {
  const callers = where((file) =>
    /\bfetch\(|from 'undici'|from 'nodemailer'|\bhttps?\.(get|request)\(|import \{[^}]*\brequest\b[^}]*\} from 'node:https?'/.test(
      code(file),
    ),
  )
  assert.deepEqual(callers.sort(), [
    'packages/agent/src/post.ts',
    'packages/dashboard/src/api/call.ts',
    'packages/server/src/mail.ts',
    'packages/server/src/webhooks/calling/call-receiver.ts',
  ])
})

test('files are kebab-case, and none is a grab-bag', () => {
  assert.deepEqual(
    where((file) => !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*\.tsx?$/.test(file.path)),
    [],
  )
  assert.deepEqual(
    where((file) => /\/(utils?|helpers?|common|misc|manager|index|types|interfaces)\.tsx?$/.test(file.path)),
    [],
  )
})

test('no file has more than 420 lines', () => {
  assert.deepEqual(
    where((file) => file.text.split('\n').length > 420),
    [],
  )
})

test('every file begins with a comment that says what it promises, unless it only holds statements', () => {
  assert.deepEqual(
    where((file) => !file.path.endsWith('-sql.ts') && !/^\/\*\*/.test(file.text)),
    [],
  )
})
