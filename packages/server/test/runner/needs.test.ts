/** The runner knows what each test file needs: the imports that it reads are those that a parser finds, in every file. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { parseAst } from 'rolldown/parseAst'
import { importedNames, reachedFrom, root } from './imports.ts'
import { needsOf } from './needs.ts'

const sources = globSync('packages/{*/src,*/test,*/bin}/**/*.{ts,tsx,js}', { cwd: root }).filter(
  (path) => !path.endsWith('.d.ts'),
)

type AstNode = {
  readonly type: string
  readonly importKind?: string
  readonly exportKind?: string
  readonly source?: { readonly type: string; readonly value: unknown } | null
}

/** The names that a parser finds: of statements that load a module, and of `import()` with a plain text. */
const parsedNames = (path: string, text: string): string[] => {
  const lang = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js'
  const names: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, importKind, exportKind, source } = node as AstNode
    const isImport = /^(?:Import(?:Declaration|Expression)|Export(?:Named|All)Declaration)$/.test(type)
    if (isImport && importKind !== 'type' && exportKind !== 'type' && source?.type === 'Literal')
      names.push(String(source.value))
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(text, { lang }, path))
  return names
}

test('the imports of every source are found as a parser finds them', () => {
  assert.ok(sources.length > 1_000)
  const wrong = sources.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const [found, parsed] = [new Set(importedNames(text)), new Set(parsedNames(path, text))]
    const missed = [...parsed].filter((name) => !found.has(name))
    // A text or a type may look like an import. That is harmless unless it leads to a database.
    const leads = (name: string): boolean =>
      name.startsWith('.') && needsOf(join(dirname(path), name)).postgres && !needsOf(path).postgres
    const invented = [...found].filter((name) => !parsed.has(name) && leads(name))
    return missed.length + invented.length > 0 ? [`${path}: missed ${missed}, invented ${invented}`] : []
  })
  assert.deepEqual(wrong, [])
})

test('types are not loaded; modules without a name, exported again or loaded later are', () => {
  const source = `import type { A } from './a.ts'
export type { B } from './b.ts'
import './c.ts'
import d, {
  type E,
} from './d.ts'
export * from './e.ts'
const f = await import('./f.ts')
const g = 'from ' + './g.ts'
`
  assert.deepEqual(importedNames(source), ['./c.ts', './d.ts', './e.ts', './f.ts'])
})

test('what is imported by what is imported counts, and packages of this repository are followed', () => {
  const reached = reachedFrom('packages/server/test/merchant-api/create.test.ts')
  for (const path of ['packages/server/src/service.ts', 'packages/contract/src/kinds.ts', 'node:test'])
    assert.ok(reached.has(path), path)
})

test('a story needs PostgreSQL, a screen also Chromium and the built dashboard, a rule nothing', () => {
  const nothing = { postgres: false, browser: false, dashboard: false }
  const needed = (path: string) => {
    const { postgres, browser, dashboard } = needsOf(path)
    return { postgres, browser, dashboard }
  }
  assert.deepEqual(needed('packages/server/src/core/money.test.ts'), nothing)
  assert.deepEqual(needed('packages/server/test/merchant-api/create.test.ts'), { ...nothing, postgres: true })
  assert.deepEqual(needed('packages/dashboard/test/payments/counter.test.ts'), {
    postgres: true,
    browser: true,
    dashboard: true,
  })
})

test('a file that needs no PostgreSQL is not told where it is', () => {
  assert.equal(needsOf('packages/server/test/runner/needs.test.ts').postgres, false)
  assert.equal(process.env.SANAD_TEST_PG, undefined)
})

test('every file that opens a database of the tests or the service needs PostgreSQL by its imports', () => {
  const tests = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: root })
  const opens =
    /^import [^;]*?\b(?:openTestService|openDashboard|freshDatabase|demoDatabase|emptyDatabase)\b[^;]*?from/m
  const stories = tests.filter((path) => opens.test(readFileSync(join(root, path), 'utf8').split('\n\n')[0]!))
  assert.ok(stories.length > 100)
  assert.deepEqual(
    stories.filter((path) => !needsOf(path).postgres),
    [],
  )
})
