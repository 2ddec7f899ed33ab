import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownAnswer } from './shown-answer.ts'

const sent = {
  'content-type': 'application/json',
  'X-Key': 'pass "word" 1',
  Authorization: 'Bearer abcdefgh',
  'x-a': '1',
}
const shown = (body: string): string => shownAnswer(sent, { headers: {}, body }, []).body

test('values of custom headers are removed from an answer, in any notation', () => {
  assert.equal(shown('you sent pass "word" 1.'), 'you sent (hidden).')
  assert.equal(shown(JSON.stringify({ key: sent['X-Key'] })), '{"key":"(hidden)"}')
  assert.equal(shown('?k=pass%20%22word%22%201&x'), '?k=(hidden)&x')
  assert.equal(shown('Bearer abcdefgh, abcdefgh'), '(hidden), (hidden)')
})

test('a value that was cut off is removed too, and a similar text stays', () => {
  assert.equal(shown('you sent pass "wo'), 'you sent (hidden)')
  assert.equal(shown('abcdefX and 1 and application/json'), 'abcdefX and 1 and application/json')
})

test('values are removed from headers and from the error too; without custom headers an answer stays as it is', () => {
  const answer = { headers: { location: '/abcdefgh' }, body: '', error: 'a redirect to /abcdefgh', status: 302 }
  assert.deepEqual(shownAnswer(sent, answer, []), {
    headers: { location: '/(hidden)' },
    body: '',
    error: 'a redirect to /(hidden)',
    status: 302,
  })
  assert.equal(shownAnswer({ 'content-type': 'application/json' }, answer, []), answer)
})

test('values of the address’s query are removed as well', () => {
  const answer = { headers: {}, body: 'no such token: s3cret-token, s3cret-tok' }
  assert.equal(shownAnswer({}, answer, ['s3cret-token', '1']).body, 'no such token: (hidden), (hidden)')
})
