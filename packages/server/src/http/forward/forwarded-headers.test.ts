import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerHeaders, headersFor, pathOf } from './forwarded-headers.ts'

const passing = {
  to: 'https://b.example.com',
  ownOrigin: 'https://a.example.com',
  address: '203.0.113.7',
  requestId: 'r-1',
  stamp: 'stamped',
}
const sent = (...headers: string[]): Map<string, string> => {
  const all = headersFor(headers, passing)
  return new Map(Array.from({ length: all.length / 2 }, (_, i) => [all[2 * i]!.toLowerCase(), all[2 * i + 1]!]))
}

test('headers of the connection are left out, also those that Connection names, and signatures stay as they are', () => {
  const headers = sent(
    'Connection',
    'close, X-Hop',
    'X-Hop',
    '1',
    'TE',
    'trailers',
    'X-Service-Signature',
    't=1,v1=AbC',
  )
  assert.deepEqual(
    [...headers.keys()].filter((name) => ['connection', 'x-hop', 'te'].includes(name)),
    [],
  )
  assert.equal(headers.get('x-service-signature'), 't=1,v1=AbC')
})

test('what a client says of proxies, of the host and of forwarding is replaced', () => {
  const headers = sent(
    ...['Host', 'a.example.com', 'X-Forwarded-For', '10.9.9.9', 'X-Forwarded-Host', 'evil.example'],
    ...['Forwarded', 'for=10.9.9.9', 'X-Sanad-Forwarded', 'made up', 'X-Request-Id', 'theirs', 'X-Real-IP', '10.9.9.9'],
  )
  assert.deepEqual(Object.fromEntries(headers), {
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-host': 'b.example.com',
    'x-forwarded-proto': 'https',
    'x-request-id': 'r-1',
    'x-sanad-forwarded': 'stamped',
  })
})

test('of the cookies only the one of a set-up is passed on: a session here is no business of the other cell', () => {
  const cookies =
    '__Host-sanad_session=secret; sanad_counter=secret;sanad_setup=abc; __Host-sanad_device=x; other=sanad_setup=1'
  assert.equal(sent('Cookie', cookies).get('cookie'), 'sanad_setup=abc')
  assert.equal(sent('Cookie', 'sanad_session=secret; not_sanad_setup=1').has('cookie'), false)
})

test('a page of this cell is one of the other cell there, and another site stays another site', () => {
  assert.equal(sent('Origin', 'https://a.example.com').get('origin'), 'https://b.example.com')
  for (const origin of ['https://evil.example', 'https://a.example.com.evil.example', 'null'])
    assert.equal(sent('Origin', origin).get('origin'), origin)
})

test('several headers of one name stay several', () => {
  const cookies = ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']
  assert.deepEqual(answerHeaders([...cookies, 'Transfer-Encoding', 'chunked', 'Keep-Alive', 'timeout=5']), cookies)
})

test('the path stays as it was written; of a whole address its path is taken', () => {
  for (const path of ['/api/v1/merchant/intents/?a=%20&b', '/%61pi/x', '//two', '/']) assert.equal(pathOf(path), path)
  assert.equal(pathOf('http://a.example.com/pay/x?y=1'), '/pay/x?y=1')
  assert.equal(pathOf('http://a.example.com?y=1'), '/?y=1')
  for (const broken of ['*', 'http://a.example.com', '']) assert.equal(pathOf(broken), '/')
})
