/** The documents name files that exist, and can be read: short lines, and the decision first. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '../../../..')
const documents = [
  'ARCHITECTURE.md',
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/{*,paths/*,decisions/README}.md', { cwd: root }),
]
/** The folders to which a path in a document may be relative. */
const bases = ['', 'packages/server/src', 'packages/server/src/webhooks']

test('every file that a document names in backticks exists', () => {
  const missing = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const named = [
      ...text.matchAll(
        /`((?:\.\.\/)?[\w.-]+(?:\/[\w.-]+)*\/[\w.-]*\.(?:tsx?|sql|md|js|css)|[\w.-]+(?:\/[\w.-]+)+\/)`/g,
      ),
    ]
    return named
      .map(([, path]) => path!)
      .filter((path) => !bases.some((base) => existsSync(join(root, base, path))))
      .filter((path) => path.startsWith('packages/') || /\.tsx?$/.test(path))
      .map((path) => `${document}: ${path}`)
  })
  assert.deepEqual(missing, [])
})

test('every link between documents leads to a file', () => {
  const broken = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    return [...text.matchAll(/\]\(((?!https?:|#|mailto:)[^)#\s]+)/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(join(root, dirname(document), target)))
      .map((target) => `${document}: ${target}`)
  })
  assert.deepEqual(broken, [])
})

test('every test file that a document names exists', () => {
  const tests = new Set(
    globSync(['packages/*/{src,test}/**/*.test.ts', 'sdks/test/*.test.ts', 'bench/**/*.test.ts'], { cwd: root }).map(
      (path) => basename(path),
    ),
  )
  const missing = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    return [...text.matchAll(/[\w.-]+\.test\.ts/g)]
      .map(([name]) => name)
      .filter((name) => !tests.has(name))
      .map((name) => `${document}: ${name}`)
  })
  assert.deepEqual(missing, [])
})

const every = ['*.md', 'docs/**/*.md'].flatMap((pattern) => globSync(pattern, { cwd: root }))

test('lines have at most 140 characters, outside of code, tables and addresses of links', () => {
  assert.ok(every.length > 90)
  const tooLong = every.flatMap((document) => {
    let isCode = false
    return readFileSync(join(root, document), 'utf8')
      .split('\n')
      .flatMap((line, n) => {
        if (line.trimStart().startsWith('```')) isCode = !isCode
        const text = line.replaceAll(/!\[[^\]]*\]\([^)]*\)|(?<=\])\([^)]*\)/g, '')
        const isFree = isCode || line.startsWith('|') || line.startsWith('    ')
        return !isFree && [...text].length > 140 ? [`${document}:${n + 1}`] : []
      })
  })
  assert.deepEqual(tooLong, [])
})

test('a decision of more than 60 lines begins with one sentence that says what was decided', () => {
  const decisions = every.filter((document) => /^docs\/decisions\/\d/.test(document))
  const silent = decisions.filter((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    return text.split('\n').length > 60 && !/^# .+\n\n\*\*Decided\.\*\* /.test(text)
  })
  assert.deepEqual(silent, [])
})

test('every decision has one line in the index', () => {
  const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8')
  const listed = [...index.matchAll(/^- \[\d+\]\(([^)]+)\)/gm)].map(([, name]) => name!)
  const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: root }).map((path) => basename(path))
  assert.deepEqual(listed.toSorted(), decisions.toSorted())
})

test('ARCHITECTURE.md names every file directly in the server’s source folder', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const names = globSync('packages/server/src/*.ts', { cwd: root }).map((path) => basename(path))
  assert.deepEqual(
    names.filter((name) => !name.endsWith('.test.ts') && !text.includes(`\`${name}\``)),
    [],
  )
})

test('programs that documents tell to run exist', () => {
  const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts)
  const missing = every.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const files = [...text.matchAll(/\bbench\/[\w/-]+\.ts\b/g)].map(([path]) => path)
    const named = [...text.matchAll(/`npm run ([\w:-]+)(?: --[^`]*)?`/g)].map(([, name]) => name!)
    return [
      ...files.filter((path) => !existsSync(join(root, path))),
      ...named.filter((name) => !scripts.includes(name)),
    ].map((missed) => `${document}: ${missed}`)
  })
  assert.deepEqual(missing, [])
})

test('no entry of the changelog or row of a table stands twice', () => {
  const twice = (document: string, pieces: readonly string[]): string[] =>
    pieces.filter((piece, at) => pieces.indexOf(piece) !== at).map((piece) => `${document}: ${piece.slice(0, 80)}`)
  const entries = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
    .split(/\n(?=- |\n)/)
    .map((entry) => entry.trim())
  const rows = readFileSync(join(root, 'docs/where-to-change.md'), 'utf8')
    .split('\n')
    .map((row) => row.split('|')[1] ?? '')
  const changes = rows.filter((row) => /\w/.test(row) && row.trim() !== 'Change')
  assert.ok(changes.length > 50 && entries.length > 100)
  const found = [
    ...twice(
      'CHANGELOG.md',
      entries.filter((entry) => entry.startsWith('- ')),
    ),
    ...twice('where-to-change.md', changes),
  ]
  assert.deepEqual(found, [])
})

test('a line of commands that can be copied has one command', () => {
  const joined = documents.flatMap((document) =>
    readFileSync(join(root, document), 'utf8')
      .split('\n')
      .filter((line) => /^ {4}\S.* # .*\b(?:npm|node|curl) .* # /.test(line))
      .map((line) => `${document}: ${line}`),
  )
  assert.deepEqual(joined, [])
})

test('no command makes npm look for a package of ours on a public registry, where nobody of us holds the name', () => {
  const patterns = [
    '*.md',
    'docs/**/*.{md,ts,js}',
    'examples/**/*.{md,js}',
    'plugins/*/README.md',
    'packages/*/README.md',
    'sdks/*/README.md',
    'packages/*/{src,bin}/**/*.{ts,tsx,js,md}',
    'release/**/*.{ts,md,js}',
    'deploy/**/*',
  ]
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true, exclude: ['**/node_modules/**'] }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    // The reasons for the rule, and what was true before it.
    .filter((path) => !/CHANGELOG\.md$|docs\/decisions\/|release\/out\//.test(path))
  assert.ok(files.length > 500)
  const fetching =
    /\bnpx (?:-y |--yes )?@?sanad\b|\b(?:npm (?:install|i|add|exec)|npm create|yarn add|pnpm (?:add|dlx)|bunx) (?:-\S+ )*@?sanad(?:\/\S+)?(?![-\w.]*\.tgz)\b/
  const found = files.flatMap((path) => {
    const match = fetching.exec(readFileSync(path, 'utf8'))
    return match === null ? [] : [`${path.slice(root.length + 1)}: ${match[0]}`]
  })
  assert.deepEqual(found, [])
  for (const command of ['npx sanad demo', 'npm install @sanad/sdk', 'npm i -D sanad', 'npx -y sanad listen'])
    assert.match(command, fetching)
  for (const command of ['npx --no sanad demo', 'npm install ./sanad-sdk.tgz', 'npm install ./sanad-0.2.0.tgz'])
    assert.doesNotMatch(command, fetching)
})
