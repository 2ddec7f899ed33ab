/** The rules for paper are in one place: which paper, and what of a page is printed. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '../../../../..')
const styles = globSync('packages/{dashboard,server}/src/**/*.{css,ts}', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const having = (pattern: RegExp): string[] =>
  styles
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .sort()

test('papers are named in one file; a public page has its own margin', () => {
  assert.deepEqual(having(/@page\b/), [
    'packages/dashboard/src/parts/print/paper.css',
    'packages/server/src/http/voucher/browser/voucher-style.css',
  ])
})

test('only one file of the dashboard says which parts of a page are printed', () => {
  const hides = styles.filter(({ text }) => /body:has\([^)]*\)[^{]*\{[^}]*display: none/.test(text))
  assert.deepEqual(
    hides.map(({ path }) => path),
    ['packages/dashboard/src/parts/print/paper.css'],
  )
})

test('the rules of a printed voucher are in one file, which the public page and the dashboard load', () => {
  assert.deepEqual(having(/voucher-paper\.css|'voucher-paper'/), [
    'packages/server/src/built-dashboard.ts',
    'packages/server/src/http/voucher/browser/voucher-style.css',
    'packages/server/src/http/voucher/voucher-page.ts',
  ])
  assert.match(
    readFileSync(join(root, 'packages/dashboard/src/screens/voucher/printed-voucher.tsx'), 'utf8'),
    /voucher\/browser\/voucher-paper\.css/,
  )
  assert.deepEqual(
    having(/58\s?mm/).filter((path) => /voucher/.test(path) && path.endsWith('.css')),
    ['packages/server/src/http/voucher/browser/voucher-paper.css'],
  )
})
