import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { curlNeeds, curlText } from './curl-text.ts'

const origin = 'https://pay.sanad.example'
const call = { method: 'GET', path: '/api/v1/merchant/intents/?page=2', client_id: 'abc', request_body: '' }

/** Runs the command with a curl that prints its arguments, each ended by a zero byte. */
const argumentsOf = (text: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${text}`], { env: { SANAD_TOKEN: 'a token' } })
    .toString()
    .split('\0')
    .slice(0, -1)

test('a call as curl has a placeholder for the token', () => {
  assert.equal(
    curlText(call, origin),
    `curl 'https://pay.sanad.example/api/v1/merchant/intents/?page=2' \\\n  -H "Authorization: Bearer $SANAD_TOKEN"`,
  )
  assert.deepEqual(curlNeeds(call), ['token'])
})

test('the body of a successful call is not stored: the command reads it from a file', () => {
  const created = { ...call, method: 'POST' }
  assert.match(curlText(created, origin), /-X POST .*\n.*\n.*\n {2}-d @body\.json$/)
  assert.deepEqual(curlNeeds(created), ['token', 'body'])
  const cancelled = { ...call, method: 'POST', path: '/api/v1/checkout/sessions/one/cancel/' }
  assert.doesNotMatch(curlText(cancelled, origin), /body\.json|Content-Type/)
  assert.deepEqual(curlNeeds(cancelled), ['token'])
})

test('every character of a body or a path reaches curl unchanged', () => {
  const texts = [
    `{"notes":"it's $HOME \\"x\\" \`id\`"}`,
    '{"notes":"طلبية أحمد ١٢٣"}',
    '{\n  "notes": "line 1\\nline 2",\r\n\t"a": 1\n}\n',
    `'; exit 3; '`,
    '\\',
    "'''",
    '!! * ~ # & | < > ( ) %s %0',
    '@/etc/hostname',
    '-o file',
  ]
  for (const text of texts) {
    const path = `/api/[1]/${text}`
    assert.deepEqual(argumentsOf(curlText({ ...call, method: 'PATCH', path, request_body: text }, origin)), [
      '-g',
      '-X',
      'PATCH',
      origin + path,
      '-H',
      'Authorization: Bearer a token',
      '-H',
      'Content-Type: application/json',
      '--data-raw',
      text,
    ])
  }
})

test('brackets and braces of a search are not a pattern for curl', () => {
  const path = '/api/v1/merchant/intents/?search={a,b}[1-3]'
  assert.deepEqual(argumentsOf(curlText({ ...call, path }, origin)).slice(0, 2), ['-g', origin + path])
})

test('a token request has a placeholder for the secret', () => {
  const token = { ...call, method: 'POST', path: '/api/v1/merchant/token' }
  assert.match(curlText(token, origin), /Service-Client-Id: abc'.*\n.*"Service-Client-Secret: \$SANAD_CLIENT_SECRET"$/)
  assert.deepEqual(curlNeeds(token), ['secret'])
})
