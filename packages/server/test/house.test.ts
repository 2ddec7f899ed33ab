/**
 * The rules of the house, held against its files: which room may know which, no circles, the environment and the time
 * read in one place each, no call out of the house, no grab-bags.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '../../..')
const packages = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.(test|d)\.ts$/.test(path))

/**
 * What each room of the server may use, besides itself. Files at the top are the roof: they may use every room but the
 * commands, which stand before the door: they use the roof too, and main alone knows them.
 */
const roof = 'the roof'
const arrows: Readonly<Record<string, readonly string[]>> = (() => {
  const ground = ['ground']
  const base = [...ground, 'postgres']
  const rooms = [...base, 'accounts', 'wallets', 'intents', 'alerts', 'webhooks', 'matching']
  return {
    ground: [],
    postgres: ground,
    accounts: base,
    wallets: [...base, 'accounts'],
    intents: [...base, 'accounts', 'wallets'],
    alerts: [...base, 'accounts', 'wallets'],
    webhooks: [...base, 'accounts'],
    matching: [...base, 'accounts', 'wallets', 'intents', 'alerts', 'webhooks'],
    http: rooms,
    work: rooms,
    commands: [...rooms, 'http', 'work', roof],
  }
})()

type File = { readonly path: string; readonly text: string; readonly imports: readonly string[] }

/** Only what stands before the first declaration: further down, an import can only be part of a text. */
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

const roomOf = (path: string): string | undefined => /^packages\/server\/src\/([^/]+)\//.exec(path)?.[1]
/** The code without its comments: they may speak of what the code may not do. */
const code = (file: File): string => file.text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
const where = (wrong: (file: File) => boolean): string[] =>
  files
    .filter(wrong)
    .map((file) => file.path)
    .sort()

test('the rules are held against a real house', () => {
  assert.ok(files.length > 50)
  assert.ok(files.some((file) => file.imports.length > 10))
})

test('every room is in the plan', () => {
  assert.deepEqual(
    [...new Set(files.map((file) => roomOf(file.path)).filter((room) => room !== undefined))].sort(),
    Object.keys(arrows).sort(),
  )
})

test('rooms use only the rooms below them', () => {
  const wrong: string[] = []
  for (const file of files) {
    const room = roomOf(file.path)
    if (room === undefined) continue
    for (const target of file.imports.filter((path) => path.startsWith('packages/server/'))) {
      const other = roomOf(target)
      if (other === room) continue
      if (!arrows[room]!.includes(other ?? roof)) wrong.push(`${file.path} -> ${target}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('nobody imports main, only main loads commands, and only commands and the roof import config', () => {
  assert.deepEqual(
    where((file) => file.imports.some((path) => path.endsWith('server/src/main.ts'))),
    [],
  )
  assert.deepEqual(
    where((file) => roomOf(file.path) !== 'commands' && file.imports.some((path) => roomOf(path) === 'commands')),
    ['packages/server/src/main.ts'],
  )
  assert.deepEqual(
    where((file) => {
      const room = roomOf(file.path)
      if (room === undefined || room === 'commands') return false
      return file.imports.some((path) => path.endsWith('src/config.ts'))
    }),
    [],
  )
})

test('the contract runs nothing and is used at the border only', () => {
  const contract = files.filter((file) => file.path.startsWith('packages/contract/'))
  const foreign = contract.flatMap((file) =>
    file.imports.filter((path) => !path.startsWith('packages/contract/') && !path.startsWith('typebox')),
  )
  assert.deepEqual(foreign, [])
  const users = where((file) => file.imports.some((path) => path.startsWith('@sanad/contract')))
  assert.deepEqual(
    users.filter((path) => roomOf(path) !== undefined && roomOf(path) !== 'http'),
    [],
  )
})

test('there is no circle', () => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) return void circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    if (done.has(path)) return
    for (const target of byPath.get(path)?.imports ?? []) if (byPath.has(target)) visit(target, [...trail, path])
    done.add(path)
  }
  for (const file of files) visit(file.path, [])
  assert.deepEqual(circles, [])
})

test('inside a room a noun never imports SQL, and SQL never imports a verb', () => {
  const wrong = files.flatMap((file) => {
    if (!file.path.endsWith('-sql.ts') || roomOf(file.path) === undefined) return []
    return file.imports
      .filter((path) => roomOf(path) === roomOf(file.path) && !path.endsWith('-sql.ts'))
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

test('the time is read in one clock of the server, and one of the screen', () => {
  assert.deepEqual(
    where((file) => /\bDate\.now\(|new Date\(\)|\bnow\(\)\s*::|current_timestamp/.test(code(file))),
    ['packages/dashboard/src/parts/clock.ts', 'packages/server/src/ground/clock.ts'],
  )
})

test('nothing calls out of the house but the webhook sender, the mail and the simulated phone; the screen calls home', () => {
  const callers = where((file) =>
    /\bfetch\(|from 'undici'|from 'nodemailer'|\bhttps?\.(get|request)\(|import \{[^}]*\brequest\b[^}]*\} from 'node:https?'/.test(
      code(file),
    ),
  )
  assert.deepEqual(callers.sort(), [
    'packages/agent/src/post.ts',
    'packages/dashboard/src/api/call.ts',
    'packages/server/src/mail.ts',
    'packages/server/src/webhooks/call-receiver.ts',
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

test('a file can be read in one sitting', () => {
  assert.deepEqual(
    where((file) => file.text.split('\n').length > 420),
    [],
  )
})

test('every file says at its top what it promises, unless it is only SQL', () => {
  assert.deepEqual(
    where((file) => !file.path.endsWith('-sql.ts') && !/^\/\*\*/.test(file.text)),
    [],
  )
})
