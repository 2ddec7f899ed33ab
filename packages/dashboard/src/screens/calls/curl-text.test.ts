import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { curlText } from './curl-text.ts'

const origin = 'https://pay.sanad.example'
const call = { method: 'GET', path: '/api/v1/merchant/intents/?page=2', client_id: 'abc', request_body: '' }

test('a call as curl has a placeholder for the token', () => {
  assert.equal(
    curlText(call, origin),
    `curl 'https://pay.sanad.example/api/v1/merchant/intents/?page=2' \\\n  -H "Authorization: Bearer $SANAD_TOKEN"`,
  )
  assert.match(curlText({ ...call, method: 'POST' }, origin), /-X POST .*\n.*\n.*\n {2}-d @body\.json$/)
})

test('a body with quotes, dollars and backslashes reaches the program as it is', () => {
  const request_body = `{"notes":"it's $HOME \\"x\\" \`id\`"}`
  const text = curlText({ ...call, method: 'PATCH', path: `/api/'; id #`, request_body }, origin)
  const shown = execFileSync('sh', ['-c', text.replace(/^curl/, 'printf "%s\\n"')], { env: {} }).toString()
  assert.deepEqual(shown.split('\n'), [
    '-X',
    'PATCH',
    `${origin}/api/'; id #`,
    '-H',
    'Authorization: Bearer ',
    '-H',
    'Content-Type: application/json',
    '-d',
    request_body,
    '',
  ])
})

test('a token request has a placeholder for the secret', () => {
  const text = curlText({ ...call, method: 'POST', path: '/api/v1/merchant/token' }, origin)
  assert.match(text, /Service-Client-Id: abc'.*\n.*"Service-Client-Secret: \$SANAD_CLIENT_SECRET"$/)
})
