import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commentsIn, inTodaysTerms } from './earlier-migrations.ts'

const row = (name: string, hash = name) => ({ name, hash })
const files = [row('0001_x'), row('0002_y'), row('0003_later')]
const earlier = {
  ran: [row('0001_a'), row('0002_b'), row('0003_c')],
  sameAs: ['0001_x', '0002_y'],
  droppedTables: [],
  alterSql: '',
}

test('a database with all earlier migrations counts as if it had run the files that replace them', () => {
  const today = { applied: [row('0001_x'), row('0002_y')], isEarlier: true }
  assert.deepEqual(inTodaysTerms(earlier.ran, files, earlier), today)
})

test('after the upgrade the ledger has the earlier rows too, and only the rows of today count', () => {
  const rows = [row('0001_a'), row('0001_x'), row('0002_b'), row('0002_y'), row('0003_c')]
  assert.deepEqual(inTodaysTerms(rows, files, earlier), { applied: [row('0001_x'), row('0002_y')], isEarlier: false })
})

test('the ledger of a database without earlier migrations is not changed', () => {
  for (const rows of [[], [row('0001_x')]])
    assert.deepEqual(inTodaysTerms(rows, files, earlier), { applied: rows, isEarlier: false })
})

test('a database with only some earlier migrations, or one with another hash, is refused', () => {
  const some = inTodaysTerms(earlier.ran.slice(0, 2), files, earlier)
  assert.match(JSON.stringify(some), /Only 2 of the 3 .* up to 0002_b: start the last version that has 0003_c/)
  const changed = inTodaysTerms([row('0001_a', 'other'), ...earlier.ran.slice(1)], files, earlier)
  assert.match(JSON.stringify(changed), /0001_a was not as Sanad wrote it/)
})

test('the comments of a file are found, over several lines and with quotes in them', () => {
  const comments = [`comment on table a is 'One; it''s\n  two';`, `comment on column a.b is\n  'x '\n  'y';`]
  assert.equal(
    commentsIn(`create table a (b int);\n${comments.join('\ncreate index i on a (b);\n')}\n`),
    comments.join('\n'),
  )
})
