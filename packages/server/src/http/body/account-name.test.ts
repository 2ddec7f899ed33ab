import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountChanges } from '@sanad/contract/dashboard/people/account'
import { parseJson } from './json.ts'
import { bodyReader } from './schema-reader.ts'

const readAccountChanges = bodyReader(AccountChanges)

const read = (name: string): string | undefined => {
  const json = parseJson(Buffer.from(JSON.stringify({ name })))
  const reading = json.kind === 'ok' ? readAccountChanges(json.value) : assert.fail(json.detail)
  return reading.kind === 'ok' ? reading.value.name : reading.errors.map((e) => `${e.code}@${e.attr}`).join(' ')
}

test('an account name with a line break or a link is refused, because emails contain it', () => {
  for (const name of ['متجر النور', 'Al-Noor Shop & Sons', 'Shop 24/7', 'A. B. Co.']) assert.equal(read(name), name)
  for (const name of [
    'Shop\nClick here',
    'Shop\r\nBcc: x',
    'Shop\u2028x',
    'Win at https://evil.example',
    'see WWW.evil.example',
  ])
    assert.equal(read(name), 'invalid@name', JSON.stringify(name))
})
