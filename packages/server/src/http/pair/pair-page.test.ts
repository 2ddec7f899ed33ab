import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'acorn'
import { appSteps } from './app-steps.ts'
import { pairPage } from './pair-page.ts'
import { pairWords } from './pair-words.ts'

test('the script in the set-up page is ES2020, which Chrome reads from version 80 on, and is sent without comments', () => {
  for (const language of ['ar', 'en'] as const) {
    const [script, ...others] =
      pairPage(language, 'made-up').match(/(?<=<script nonce="made-up">)[\s\S]*?(?=<\/script>)/g) ?? []
    assert.equal(others.length, 0)
    parse(script!, { ecmaVersion: 2020, onComment: (_, text) => assert.fail(text) })
    assert.throws(() => parse('a ||= b', { ecmaVersion: 2020 }))
  }
})

test('every download says its size, or where the size is shown', () => {
  for (const language of ['ar', 'en'] as const) {
    const { size, sizeUnknown, sizeOnPage } = pairWords[language]
    const page = pairPage(language, 'made-up')
    const downloads = appSteps.flatMap(({ install, settings }) => [
      ...install,
      ...settings.flatMap((step) => step.links ?? []),
    ])
    assert.ok(downloads.length >= 7)
    for (const { address, about_mb } of downloads) {
      const known = about_mb === undefined ? undefined : size.replace('{n}', String(about_mb))
      const said = known ?? (address.endsWith('.apk') ? sizeUnknown : sizeOnPage)
      assert.ok(page.includes(` (${said}): <a href="${address}"`), `${address}, ${language}`)
    }
  }
})
