/** The files behind the page: each screen names its own ahead, all of them are there, and no component lacks its style. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import Fastify from 'fastify'
import { builtDashboard } from '../../server/src/built-dashboard.ts'
import { dashboardPages } from '../../server/src/http/dashboard-pages.ts'

const folder = await builtDashboard(() => {})
const app = Fastify()
await app.register(dashboardPages(folder))

const named = async (path: string): Promise<string[]> => {
  const page = await app.inject({ url: path, headers: { accept: 'text/html' } })
  assert.equal(page.statusCode, 200)
  return [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file!)
}

test('every screen has its files fetched with the page, and each of them is there', async () => {
  const nobody = await named('/nowhere')
  const screens = ['', 'intents', 'unmatched', 'wallets', 'phones', 'templates', 'webhooks', 'keys', 'day-close']
  for (const screen of [...screens, 'settings', 'operator', 'first-payment']) {
    const files = await named(`/${screen}`)
    const own = files.filter((file) => !nobody.includes(file))
    const name = screen === '' ? 'today' : screen
    assert.ok(
      own.some((file) => file.startsWith(`/assets/${name}-`) && file.endsWith('.js')),
      `${name}: ${own}`,
    )
    if (screen !== '') assert.deepEqual(await named(`/${screen}/anything`), files)
    for (const file of files) {
      const answer = await app.inject({ url: file, headers: { 'accept-encoding': 'br' } })
      assert.equal(answer.statusCode, 200, file)
      if (file.startsWith('/assets/')) assert.match(String(answer.headers['cache-control']), /immutable/)
    }
  }
})

test('every built file can be asked for', async () => {
  for (const file of globSync('assets/*', { cwd: folder })) {
    if (/\.(br|gz)$/.test(file)) continue
    assert.equal((await app.inject({ url: `/${file}` })).statusCode, 200, file)
  }
})

test('every component of the library that is used has its style', () => {
  const classes = (text: string): Set<string> => new Set(text.match(/\bm_[0-9a-f]{5,8}\b/g))
  const read = (pattern: string): string =>
    globSync(pattern, { cwd: folder })
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n')
  const used = classes(read('assets/*.js'))
  const whole = classes(readFileSync(createRequire(import.meta.url).resolve('@mantine/core/styles.css'), 'utf8'))
  const ours = classes(read('assets/*.css'))
  assert.ok(used.size > 50)
  assert.deepEqual(
    [...used].filter((one) => whole.has(one) && !ours.has(one)),
    [],
  )
})
