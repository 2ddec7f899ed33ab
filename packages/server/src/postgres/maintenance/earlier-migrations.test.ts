import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asToday, commentsIn } from './earlier-migrations.ts'

const row = (name: string, hash = name) => ({ name, hash })
const files = [row('0001_x'), row('0002_y'), row('0003_later')]
const earlier = {
  ran: [row('0001_a'), row('0002_b'), row('0003_c')],
  sameAs: ['0001_x', '0002_y'],
  droppedTables: [],
  alterSql: '',
}

test('all of the earlier migrations count as the files that stand for them', () => {
  const today = { done: [row('0001_x'), row('0002_y')], isEarlier: true }
  assert.deepEqual(asToday(earlier.ran, files, earlier), today)
})

test('a database that was taken over has its earlier rows beside those of today, which alone count', () => {
  const rows = [row('0001_a'), row('0001_x'), row('0002_b'), row('0002_y'), row('0003_c')]
  assert.deepEqual(asToday(rows, files, earlier), { done: [row('0001_x'), row('0002_y')], isEarlier: false })
})

test('a database that never had them is as it is', () => {
  for (const rows of [[], [row('0001_x')]])
    assert.deepEqual(asToday(rows, files, earlier), { done: rows, isEarlier: false })
})

test('some of them, or one with another hash, are refused', () => {
  const some = asToday(earlier.ran.slice(0, 2), files, earlier)
  assert.match(JSON.stringify(some), /Only 2 of the 3 .* up to 0002_b: start the last version that has 0003_c/)
  const changed = asToday([row('0001_a', 'other'), ...earlier.ran.slice(1)], files, earlier)
  assert.match(JSON.stringify(changed), /0001_a was not as Sanad wrote it/)
})

test('the comments of a file are found, over several lines and with quotes in them', () => {
  const comments = [`comment on table a is 'One; it''s\n  two';`, `comment on column a.b is\n  'x '\n  'y';`]
  assert.equal(
    commentsIn(`create table a (b int);\n${comments.join('\ncreate index i on a (b);\n')}\n`),
    comments.join('\n'),
  )
})
