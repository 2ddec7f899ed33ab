import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Candidate, whyNot } from './release-checks.ts'

const good: Candidate = {
  version: '0.2.0',
  changes: '',
  branch: 'main',
  commit: 'b'.repeat(40),
  tagged: undefined,
  notes: '- A change.',
  disagreeing: [],
  released: [{ version: '0.1.0', commit: 'a'.repeat(40) }],
  migrations: ['0001_accounts.sql'],
  pinned: { '0001_accounts.sql': ['h1'] },
  hashOf: () => 'h1',
}

test('a clean commit of main with notes and pinned migrations can be released, also when its tag exists already', () => {
  assert.deepEqual(whyNot(good), [])
  assert.deepEqual(whyNot({ ...good, tagged: good.commit }), [])
})

test('each reason against a release is named', () => {
  const wrong: [Partial<Candidate>, RegExp][] = [
    [{ changes: ' M README.md' }, /not committed/],
    [{ branch: 'mine' }, /branch mine/],
    [{ disagreeing: ['packages/sdk/package.json'] }, /packages\/sdk\/package\.json/],
    [{ notes: undefined }, /CHANGELOG/],
    [{ tagged: 'c'.repeat(40) }, /another commit, ccc/],
    [{ released: [{ version: '0.2.0', commit: 'c'.repeat(40) }] }, /never made again/],
    [{ hashOf: () => 'h2' }, /0001_accounts\.sql is not the file/],
    [{ pinned: {} }, /0001_accounts\.sql is not the file/],
  ]
  for (const [change, reason] of wrong) {
    const reasons = whyNot({ ...good, ...change })
    assert.equal(reasons.length, 1, reasons.join())
    assert.match(reasons[0]!, reason)
  }
  assert.equal(whyNot({ ...good, changes: 'x', branch: 'mine' }).length, 2)
})
