import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changelogParts, cutChangelog, notesOf, openChangelog } from './changelog.ts'

const changelog = `# Changelog

## Unreleased

- One thing, \`$&\`.

## 0.1.0, 2026-11-01

- The first.
`

test('the changelog has a part for each version', () => {
  assert.deepEqual(changelogParts(changelog), [
    { title: 'Unreleased', text: '- One thing, `$&`.' },
    { title: '0.1.0, 2026-11-01', text: '- The first.' },
  ])
})

test('cutting a version names what was unreleased, and changes nothing else', () => {
  const cut = cutChangelog(changelog, '0.2.0', '2026-11-18')
  assert.equal(cut, changelog.replace('Unreleased', '0.2.0, 2026-11-18'))
  assert.equal(notesOf(cut, '0.2.0'), '- One thing, `$&`.')
  assert.equal(notesOf(cut, '0.2'), undefined)
})

test('a version without entries is refused', () => {
  assert.throws(() => cutChangelog('# Changelog\n\n## Unreleased\n', '0.2.0', '2026-11-18'), /nothing under/)
  assert.throws(() => cutChangelog('# Changelog\n', '0.2.0', '2026-11-18'), /nothing under/)
})

test('after a release the changelog is opened again, once, and nothing else changes', () => {
  const cut = cutChangelog(changelog, '0.2.0', '2026-11-18')
  const opened = openChangelog(cut)
  assert.equal(opened.replace('## Unreleased\n\n', ''), cut)
  assert.deepEqual(changelogParts(opened)[0], { title: 'Unreleased', text: '' })
  assert.throws(() => openChangelog(opened), /open already/)
})
