/** The size of the first load: a phone on a slow network pays for every byte. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtDashboard } from '../../../server/src/built-dashboard.ts'

const most_bytes = 250_000

test('the first load is under 250 kB of compressed script', async () => {
  const folder = await builtDashboard(() => {})
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="\/?(assets\/[^"]+\.js)"/g)].map(([, path]) => path!)
  assert.ok(scripts.length > 0, 'the page has no scripts')
  const sizes = scripts.map((path) => statSync(join(folder, `${path}.br`)).size)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(total > 10_000, 'the scripts are empty')
  assert.ok(total < most_bytes, `${total} bytes in ${scripts.join(', ')}`)
})
