import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_RULES, refusedFor, rulesFrom } from './rule.ts'

const errorOf = (setting: string): string => {
  const read = rulesFrom(setting)
  assert.equal(read.ok, false, `${setting} was accepted`)
  return read.ok ? '' : read.error
}

test('without a setting the limits are those of the specification', () => {
  for (const setting of [undefined, '', '  ']) assert.deepEqual(rulesFrom(setting), { ok: true, rules: DEFAULT_RULES })
  assert.deepEqual(DEFAULT_RULES.token.burst, { max: 10, window_ms: 60_000 })
  assert.deepEqual(DEFAULT_RULES.token.sustained, { max: 500, window_ms: 86_400_000 })
  assert.deepEqual(DEFAULT_RULES.token_failure, DEFAULT_RULES.token)
  assert.equal(DEFAULT_RULES.intents.burst.max, 240)
  assert.equal(DEFAULT_RULES.intents_list.burst.max, 60)
  assert.equal(DEFAULT_RULES.wallets.burst.max, 240)
  for (const bucket of ['intents', 'intents_list', 'wallets'] as const) {
    assert.equal(DEFAULT_RULES[bucket].sustained.max, 50_000)
  }
})

test('the setting "off" switches all limits off', () => {
  assert.deepEqual(rulesFrom(' off '), { ok: true, rules: null })
})

test('a number in the setting replaces only its own limit', () => {
  const read = rulesFrom('{"intents": {"burst": 1000}, "token": {"sustained": 5000, "burst": 50}}')
  assert.deepEqual(read, {
    ok: true,
    rules: {
      ...DEFAULT_RULES,
      intents: { ...DEFAULT_RULES.intents, burst: { max: 1000, window_ms: 60_000 } },
      token: { burst: { max: 50, window_ms: 60_000 }, sustained: { max: 5000, window_ms: 86_400_000 } },
    },
  })
  assert.equal(DEFAULT_RULES.intents.burst.max, 240)
})

test('an invalid setting is refused with a sentence that names the error and shows an example', () => {
  for (const [setting, reason] of [
    ['of', /neither "off" nor JSON/],
    ['{"intents": }', /neither "off" nor JSON/],
    ['[]', /must be an object of buckets/],
    ['null', /must be an object of buckets/],
    ['{"intent": {"burst": 5}}', /no bucket "intent"; there are token, token_failure, intents,/],
    ['{"__proto__": {"burst": 5}}', /no bucket "__proto__"/],
    ['{"toString": {"burst": 5}}', /no bucket "toString"/],
    ['{"intents": 5}', /"intents" must be an object/],
    ['{"intents": {"minute": 5}}', /"minute" of "intents" is unknown/],
    ['{"intents": {"burst": 0}}', /"burst" of "intents" is 0, which would refuse every call/],
    ['{"intents": {"burst": -1}}', /"burst" of "intents" must be a whole number/],
    ['{"intents": {"sustained": 1.5}}', /"sustained" of "intents" must be a whole number/],
    ['{"intents": {"burst": "5"}}', /"burst" of "intents" must be a whole number/],
    ['{"intents": {"burst": null}}', /"burst" of "intents" must be a whole number/],
    ['{"intents": {"burst": 1e400}}', /"burst" of "intents" must be a whole number/],
  ] as const) {
    assert.match(errorOf(setting), reason)
    assert.match(errorOf(setting), /Example: \{"intents": \{"burst": 1000\}/)
  }
})

test('any setting gives rules of whole positive numbers, off, or an error sentence', () => {
  const nearly = fc.dictionary(
    fc.constantFrom('intents', 'token', 'wallet', '__proto__'),
    fc.dictionary(fc.constantFrom('burst', 'sustained', 'x'), fc.oneof(fc.integer(), fc.double(), fc.string())),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        nearly.map((value) => JSON.stringify(value)),
      ),
      (setting) => {
        const read = rulesFrom(setting)
        if (!read.ok) return assert.match(read.error, /Example: /)
        for (const { burst, sustained } of Object.values(read.rules ?? {})) {
          for (const { max } of [burst, sustained]) assert.ok(Number.isSafeInteger(max) && max > 0)
        }
      },
    ),
  )
})

test('Retry-After is whole seconds, rounded up, at least 1', () => {
  for (const [wait_ms, seconds] of [
    [1, 1],
    [1000, 1],
    [1001, 2],
    [59_999, 60],
    [86_400_000, 86_400],
  ] as const) {
    assert.deepEqual(refusedFor(wait_ms), { allowed: false, retryAfterS: seconds })
  }
})

test('the calls that each bucket allows in a minute and in a day', () => {
  const table = Object.entries(DEFAULT_RULES).map(
    ([bucket, { burst, sustained }]) => `${bucket}: ${burst.max} and ${sustained.max}`,
  )
  assert.deepEqual(table, [
    'token: 10 and 500',
    'token_failure: 10 and 500',
    'intents: 240 and 50000',
    'intents_list: 60 and 50000',
    'wallets: 240 and 50000',
    'checkouts: 240 and 50000',
    'checkouts_list: 60 and 50000',
    'developer: 300 and 300000',
    'pay: 120 and 20000',
    'pay_address: 1200 and 1000000',
    'pay_change: 20 and 500',
    'pay_reference: 60 and 2000',
    'pay_unknown: 60 and 10000',
    'device: 600 and 200000',
    'ingest_failure: 30 and 5000',
    'pairing: 10 and 200',
    'dashboard: 600 and 200000',
    'webhook_test: 20 and 1000',
    'test_payment: 20 and 1000',
    'sign_in: 5 and 50',
    'sign_in_address: 120 and 172800',
    'second_factor: 10 and 100',
    'password_reset: 5 and 50',
    'invitation: 20 and 300',
  ])
  for (const { burst, sustained } of Object.values(DEFAULT_RULES))
    assert.deepEqual([burst.window_ms, sustained.window_ms], [60_000, 86_400_000])
})

test('a limit of 1 is accepted; an error repeats at most 40 characters of a name', () => {
  const read = rulesFrom('{"intents": {"burst": 1}}')
  assert.equal(read.ok && read.rules?.intents.burst.max, 1)
  const forty = 'abcdefghij'.repeat(4)
  assert.ok(errorOf(`{"${forty}": {}}`).includes(`no bucket "${forty}";`))
  assert.ok(errorOf(`{"${forty}k": {}}`).includes(`no bucket "${forty}…";`))
})
