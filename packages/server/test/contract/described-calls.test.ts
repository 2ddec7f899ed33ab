/**
 * Makes every call that the contract describes for programs and phones: without credentials, with another method, and the
 * calls of phones as they are described. The dashboard's calls are walked in dashboard-api/every-call/.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { deviceOperations } from '@sanad/contract/device/operations'
import type { Operation } from '@sanad/contract/operation'
import { Errors } from 'typebox/value'
import type { AccountId } from '../../src/core/ids.ts'
import { createPhone } from '../../src/wallets/phones/phone-access.ts'
import { phoneSecrets } from '../../src/wallets/phones/phone-secrets.ts'
import { phone } from '../support/phone.ts'
import { type Answer, askAt, openTestService } from '../support/story.ts'
import { everyApi } from './every-api.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { token } = service
const { '/api/v1/dashboard': _, ...apis } = everyApi
const calls = Object.entries(apis).flatMap(([base, operations]) =>
  operations.map((operation) => {
    const path = `${base}${operation.path.replaceAll(/\{\w+\}/g, randomUUID())}`
    return { operation, name: `${operation.method} ${path}`, url: `${service.origin}${path}` }
  }),
)
const codeOf = (answer: Answer): string => answer.body?.errors?.[0]?.code ?? ''
const bodyOf = ({ method, example }: Operation): unknown => (method === 'GET' ? undefined : (example ?? {}))

test('without credentials every call that is not open is 401, whatever its body is', async () => {
  const guarded = calls.filter(({ operation }) => operation.access !== 'open')
  assert.equal(guarded.length, calls.length - 2, 'only the token and pairing are open')
  for (const { operation, name, url } of guarded) {
    const answer = await askAt(url, operation.method, { token: null, body: bodyOf(operation) })
    assert.deepEqual([answer.status, codeOf(answer)], [401, 'not_authenticated'], name)
    assert.ok(answer.headers['www-authenticate'], name)
  }
})

test('a method that no call of the path has is 405, and Allow names those that it has', async () => {
  for (const { operation, name, url } of calls) {
    const answer = await askAt(url, 'DELETE', { token })
    assert.deepEqual([answer.status, codeOf(answer)], [405, 'method_not_allowed'], name)
    assert.ok(String(answer.headers.allow).split(', ').includes(operation.method), name)
  }
})

test('a body that is too large or no JSON is refused by every call that takes one', async () => {
  // An unknown id is 404 whatever the body is.
  const taking = calls.filter(
    ({ operation: { access, body, path } }) => access === 'key' && body !== undefined && !path.includes('{'),
  )
  assert.ok(taking.length >= 4)
  for (const { operation, name, url } of taking) {
    const large = await askAt(url, operation.method, { token, body: Buffer.alloc(1_048_577, ' ') })
    assert.equal(large.status, 413, name)
    const plain = await askAt(url, operation.method, {
      token,
      body: Buffer.from('{}'),
      headers: { 'content-type': 'text/plain' },
    })
    assert.equal(plain.status, 415, name)
  }
})

test('the calls of phones answer what is described', async () => {
  const secrets = phoneSecrets(service.masterKey)
  const [row] = await service.sql('select account_id from devices where id = $1', [service.demo.device.id])
  const { code } = await createPhone(service.db, secrets, row![0] as AccountId, 'A phone', service.clock.now())
  const fits = ({ id, status, answer }: Operation, answered: Answer): void => {
    assert.equal(answered.status, status, `${id}: ${answered.text}`)
    assert.deepEqual([...Errors(answer!, answered.body)], [], id)
  }
  const [pair, ...signed] = deviceOperations
  const paired = await askAt(`${service.origin}/api/v1/device/pair`, 'POST', {
    token: null,
    body: { ...(pair!.example as object), code },
  })
  fits(pair!, paired)
  const { device_id: id, secret } = paired.body
  const reporting = phone(service.origin, () => service.clock.now(), { id, secret })
  for (const operation of signed) {
    assert.deepEqual([...Errors(operation.body!, operation.example)], [], operation.id)
    fits(operation, await reporting.send(operation.path, operation.example))
  }
})
