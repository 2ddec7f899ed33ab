import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutSpaces } from './minify-style.ts'

test('comments and white space without a meaning are left out', () => {
  const style = `
/* The frame; not: { */
main,
header > b {
  margin: 0 auto;
  font:
    16px / 1.5 system-ui,
    "Segoe UI";
}

@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12151a;
  }
}
`
  assert.equal(
    withoutSpaces(style),
    'main,header>b{margin:0 auto;font:16px / 1.5 system-ui,"Segoe UI"}@media (prefers-color-scheme:dark){:root{--paper:#12151a}}',
  )
})

test('white space with a meaning stays: in strings, between selectors, around signs of a sum', () => {
  for (const style of [
    '.live::before{content:"○ ; } /* no comment */ \\" "}',
    ".a{content:' : , '}",
    'header :focus-visible .b{outline:3px solid}',
    '.sum + *{width:calc(100% + 1rem)}',
    'input:not([type=hidden]){margin:-1px 0}',
    '[hidden]{display:none !important}',
  ])
    assert.equal(withoutSpaces(style), style)
})

test('a comment between two words leaves them apart', () => {
  assert.equal(withoutSpaces('a/* x */b { margin: 0/**/1px }'), 'a b{margin:0 1px}')
})
