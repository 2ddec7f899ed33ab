/** The Markdown of the guide: the supported syntax, and that no other text of a page becomes markup. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Embeds, plainText, renderMarkdown } from './markdown.ts'

const embeds: Embeds = {
  tabsName: 'Language',
  link: (target) => target.replace(/\.md$/, ''),
  picture: (target) => `/files/${target}`,
  example: (target) =>
    target.startsWith('../examples/')
      ? { name: target.slice(12), url: `/x/${target.slice(12)}`, text: 'a < b\n' }
      : undefined,
  generated: (name) => (name === 'codes' ? '## `required`\n\nA field is missing.' : undefined),
}
const body = (source: string): string =>
  renderMarkdown(`# T\n\n${source}`, embeds).html.replace('<h1 id="t">T</h1>', '')

test('paragraphs, bold, code and links become HTML', () => {
  assert.equal(
    body('One **two `3`** four\nfive [six](seven.md).'),
    '<p>One <strong>two <code dir="ltr">3</code></strong> four five <a href="seven">six</a>.</p>',
  )
})

test('text between stars is emphasised; a star between spaces is a plain character', () => {
  assert.equal(body('Open *API keys*, 2 * 3 * 4.'), '<p>Open <em>API keys</em>, 2 * 3 * 4.</p>')
})

test('HTML, quotes and code that looks like markup are escaped', () => {
  assert.equal(body('<script>alert("1")</script>'), '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</p>')
  assert.equal(
    body('`<b>` [x](a"onclick=1)'),
    '<p><code dir="ltr">&lt;b&gt;</code> <a href="a&quot;onclick=1">x</a></p>',
  )
  assert.match(body('```js\nif (a < b) `**x**`\n```'), /<code data-language="js">if \(a &lt; b\) `\*\*x\*\*`<\/code>/)
})

test('lists may be nested and contain code blocks', () => {
  assert.equal(
    body('- one\n  more\n- two\n  1. first\n  2. second\n\nafter'),
    '<ul><li>one more</li><li>two<ol><li>first</li><li>second</li></ol></li></ul><p>after</p>',
  )
  assert.match(
    body('1. run\n\n   ```sh\n   npm ci\n   ```\n2. look'),
    /^<ol><li>run<figure.*npm ci<\/code>.*<li>look<\/li>/s,
  )
})

test('tables may have an escaped bar and an empty header', () => {
  assert.equal(
    body('| A | B |\n|---|---|\n| `a\\|b` | c |'),
    '<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead><tbody>' +
      '<tr><td><code dir="ltr">a|b</code></td><td>c</td></tr></tbody></table></div>',
  )
  assert.doesNotMatch(body('| | |\n|---|---|\n| a | b |'), /thead/)
})

test('a line that is only a link to an example shows the file; pictures and generated parts are inserted', () => {
  assert.match(body('[webhook.py](../examples/webhook.py)'), /<a href="\/x\/webhook.py">.*a &lt; b<\/code>/)
  assert.equal(
    body('![A "picture"](p.svg)'),
    '<p class="picture"><img src="/files/p.svg" alt="A &quot;picture&quot;"></p>',
  )
  assert.match(body('<!-- codes -->'), /<h2 id="required">.*<p>A field is missing.<\/p>/)
  assert.throws(() => body('<!-- unknown -->'), /nothing is generated as unknown/)
})

test('headings have unique ids in their own script, and sections for the search', () => {
  const { title, headings, sections } = renderMarkdown(
    '# Title\n\nA `b`.\n\n## رقم العملية\n\n- c **d**\n\n## رقم العملية',
    embeds,
  )
  assert.equal(title, 'Title')
  assert.deepEqual(
    headings.map(({ id }) => id),
    ['title', 'رقم-العملية', 'رقم-العملية-2'],
  )
  assert.deepEqual(
    sections.map(({ text }) => text),
    ['A b.', 'c d', ''],
  )
  assert.equal(plainText('[a **b**](c) `d`'), 'a b d')
})

test('headings between tabs are tabs, each a section of the search', () => {
  const source = '# T\n\n## Run\n\n<!-- tabs -->\n\n### PHP\n\nA `b`.\n\n### Go\n\nC.\n\n<!-- /tabs -->\n\nAfter.'
  const { html, headings, sections } = renderMarkdown(source, embeds)
  assert.match(
    html,
    /<div class="tabs" role="group" aria-label="Language"><input type="radio" name="tabs-1" id="tabs-1-1" checked>/,
  )
  assert.equal(html.match(/<input /g)?.length, 2)
  assert.equal(html.match(/ checked/g)?.length, 1)
  assert.match(html, /<section class="tab" id="run-go"><h3>Go<\/h3><p>C\.<\/p><\/section><\/div><p>After\.<\/p>$/)
  assert.deepEqual(
    headings.map(({ id }) => id),
    ['t', 'run'],
  )
  assert.deepEqual(
    sections.map(({ id, heading, text }) => [id, heading, text]),
    [
      ['t', 'T', ''],
      ['run', 'Run', ''],
      ['run-php', 'Run: PHP', 'A b.'],
      ['run-go', 'Run: Go', 'C.'],
      ['run', 'Run', 'After.'],
    ],
  )
})

test('invalid Markdown of the guide is refused with the reason', () => {
  assert.throws(() => body('```js\nopen'), /not closed/)
  assert.throws(() => body('<!-- tabs -->\n\n### A\n\n### B'), /tabs are not closed/)
  assert.throws(() => body('<!-- tabs -->\n\n### A\n\n<!-- /tabs -->'), /two to four tabs, not 1/)
  assert.throws(() => body('<!-- tabs -->\n\nText\n\n### A\n\n### B\n\n<!-- /tabs -->'), /before the first tab: Text/)
  assert.throws(() => body('| a |\n| b |'), /without a rule/)
  assert.throws(() => renderMarkdown('no heading', embeds), /begins with a heading/)
})
