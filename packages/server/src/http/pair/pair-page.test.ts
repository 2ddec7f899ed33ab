import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'acorn'
import { pairPage } from './pair-page.ts'

test('the script in the set-up page is ES2020, which Chrome reads from version 80 on, and is sent without comments', () => {
  for (const language of ['ar', 'en'] as const) {
    const [script, ...others] =
      pairPage(language, 'made-up').match(/(?<=<script nonce="made-up">)[\s\S]*?(?=<\/script>)/g) ?? []
    assert.equal(others.length, 0)
    parse(script!, { ecmaVersion: 2020, onComment: (_, text) => assert.fail(text) })
    assert.throws(() => parse('a ||= b', { ecmaVersion: 2020 }))
  }
})
