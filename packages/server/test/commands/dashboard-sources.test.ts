/** The dashboard is built again when anything has changed of what it is built from, also outside its own folder. */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { dashboardSources } from '../../src/built-dashboard.ts'
import { reachedFrom, root } from '../runner/imports.ts'

test('every file that the dashboard imports is one of its sources', () => {
  const own = globSync('packages/dashboard/{vite.config.ts,src/**/*.{ts,tsx}}', { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  const imported = new Set(own.flatMap((path) => [...reachedFrom(path)]))
  const files = [...imported].filter((path) => path.startsWith('packages/') && existsSync(join(root, path)))
  assert.ok(files.includes('packages/contract/src/finding-texts.ts'))
  assert.deepEqual(
    files.filter((path) => !dashboardSources.some((glob) => matchesGlob(path, glob))),
    [],
  )
})
