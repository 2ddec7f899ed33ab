import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { parse } from 'acorn'
import { minifiedScript, type Syntax } from './minify-script.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-minify-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const minified = (source: string, syntax: Syntax): string => {
  const file = join(folder, 'made-up.ts')
  writeFileSync(file, source)
  return minifiedScript(pathToFileURL(file), syntax)
}

test('types, comments and long names are left out, and no name becomes global', () => {
  const script = minified(
    `import type { Clock } from './clock.ts'
     /** Adds. */
     function addNumbers(first: number, second: number): number { return first + second }
     window.shown = addNumbers(Number(window.one), 2)
     window.later = function () { return addNumbers(1, 1) }`,
    'es5',
  )
  assert.doesNotMatch(script, /addNumbers|first|Clock|number\b|\/\*|\n/)
  const window: Record<string, unknown> = { one: 1 }
  const globals: Record<string, unknown> = { window }
  runInNewContext(script, globals)
  assert.equal(window.shown, 3)
  assert.deepEqual(Object.keys(globals), ['window'])
})

test('strings of ES5 stay strings with the same text: the bundler writes them in backticks', () => {
  const texts = ['plain', '', "it's", '"', '`', '$' + '{x}', '\\', 'a\nb\r\tc', '\u2028', 'قهوة', '<p>', '\u0000']
  const script = minified(`window.texts = ${JSON.stringify(texts)}; window['a-b'] = { 'c-d': 'e' }['c-d']`, 'es5')
  parse(script, { ecmaVersion: 5 })
  const window: Record<string, unknown> = {}
  runInNewContext(script, { window })
  assert.deepEqual([...(window.texts as string[])], texts)
  assert.equal(window['a-b'], 'e')
})

test('what is newer than ES2020 is written in ES2020', () => {
  const script = minified('window.a ??= 1; window.b = window.c?.d ?? 2', 'es2020')
  parse(script, { ecmaVersion: 2020 })
  const window: Record<string, unknown> = {}
  runInNewContext(script, { window })
  assert.deepEqual([window.a, window.b], [1, 2])
})

test('a script with an error is refused, and so is one that would end its tag in a page', () => {
  assert.throws(() => minified('var = 1', 'es5'), /^Error: made-up\.ts: /)
  for (const text of ['<!--', '<!-- <script>'])
    assert.throws(() => minified(`window.text = '${text}'`, 'es5'), /would end the tag/)
  const escaped = minified(`window.text = '</script>'`, 'es2020')
  assert.doesNotMatch(escaped, /<\/script/i)
})
