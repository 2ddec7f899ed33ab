/** The documents name files that exist. */
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
  const tests = new Set(globSync('packages/*/{src,test}/**/*.test.ts', { cwd: root }).map((path) => basename(path)))
  const missing = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    return [...text.matchAll(/[\w.-]+\.test\.ts/g)]
      .map(([name]) => name)
      .filter((name) => !tests.has(name))
      .map((name) => `${document}: ${name}`)
  })
  assert.deepEqual(missing, [])
})
