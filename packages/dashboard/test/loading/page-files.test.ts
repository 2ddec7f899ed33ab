/** The built files: preload hints for each screen, all files are served, and no component lacks its style. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import Fastify from 'fastify'
import { builtDashboard } from '../../../server/src/built-dashboard.ts'
import { dashboardPages } from '../../../server/src/http/app/dashboard-pages.ts'

const folder = await builtDashboard(() => {})
const app = Fastify()
await app.register(dashboardPages(folder))

const filesOf = async (path: string): Promise<string[]> => {
  const page = await app.inject({ url: path, headers: { accept: 'text/html' } })
  assert.equal(page.statusCode, 200)
  return [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file!)
}

test('the page of every screen has preload hints for its files, and the files exist', async () => {
  const commonFiles = await filesOf('/nowhere')
  const screens = [
    '',
    'counter',
    'intents',
    'unmatched',
    'wallets',
    'phones',
    'templates',
    'webhooks',
    'keys',
    'day-close',
    'search',
  ]
  for (const screen of [...screens, 'settings', 'operator', 'first-payment']) {
    const files = await filesOf(`/${screen}`)
    const own = files.filter((file) => !commonFiles.includes(file))
    const name = screen === '' ? 'today' : screen
    assert.ok(
      own.some((file) => file.startsWith(`/assets/${name}-`) && file.endsWith('.js')),
      `${name}: ${own}`,
    )
    if (screen !== '') assert.deepEqual(await filesOf(`/${screen}/anything`), files)
    for (const file of files) {
      const answer = await app.inject({ url: file, headers: { 'accept-encoding': 'br' } })
      assert.equal(answer.statusCode, 200, file)
      if (file.startsWith('/assets/')) assert.match(String(answer.headers['cache-control']), /immutable/)
    }
  }
})

test('the page starts in the language and theme that the browser used last', async () => {
  const htmlAttributes = async (headers: Record<string, string>) => {
    const { body } = await app.inject({ url: '/', headers: { accept: 'text/html', ...headers } })
    return /<html ([^>]*)>/.exec(body)?.[1]
  }
  assert.equal(await htmlAttributes({}), 'lang="en" dir="ltr"')
  assert.equal(await htmlAttributes({ 'accept-language': 'ar-YE,en;q=0.5' }), 'lang="ar" dir="rtl"')
  assert.equal(
    await htmlAttributes({ 'accept-language': 'ar', cookie: 'a=b; sanad_language=en; sanad_theme=dark' }),
    'lang="en" dir="ltr" data-mantine-color-scheme="dark"',
  )
  assert.equal(await htmlAttributes({ cookie: 'sanad_language=xx"><script>' }), 'lang="en" dir="ltr"')
})

test('without a session the page says so in its first answers, is not cached, and is compressed', async () => {
  const page = await app.inject({ url: '/intents', headers: { accept: 'text/html' } })
  assert.match(page.body, /<template id="first-answers">\{"session":null\}<\/template>/)
  assert.equal(page.headers['cache-control'], 'no-store')
  const compressed = await app.inject({
    url: '/intents',
    headers: { accept: 'text/html', 'accept-encoding': 'gzip, br' },
  })
  assert.equal(compressed.headers['content-encoding'], 'br')
  assert.ok(compressed.rawPayload.length < page.rawPayload.length)
})

test('every built file is served', async () => {
  for (const file of globSync('assets/*', { cwd: folder })) {
    if (/\.(br|gz)$/.test(file)) continue
    assert.equal((await app.inject({ url: `/${file}` })).statusCode, 200, file)
  }
})

test('the style of every used library component is included', () => {
  const classes = (text: string): Set<string> => new Set(text.match(/\bm_[0-9a-f]{5,8}\b/g))
  const read = (pattern: string): string =>
    globSync(pattern, { cwd: folder })
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n')
  const used = classes(read('assets/*.js'))
  const whole = classes(readFileSync(createRequire(import.meta.url).resolve('@mantine/core/styles.css'), 'utf8'))
  const included = classes(read('assets/*.css'))
  assert.ok(used.size > 50)
  assert.deepEqual(
    [...used].filter((name) => whole.has(name) && !included.has(name)),
    [],
  )
})
