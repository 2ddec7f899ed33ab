/** The monthly quota: how many intents an account may create in a calendar month of the service's time zone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { setQuota } from '../../src/intents/totals/set-quota.ts'
import { type Answer, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { create, ask, demo, clock } = service
const { main, test: testWallet } = demo.wallets
const zone = zoneOf('Asia/Aden')
const header = 'SERVICE-IDEMPOTENCY-KEY'
const accountId = (await service.sql('select account_id from wallets where id = $1', [main]))[0]![0] as AccountId

/** Sets the quota and waits until every request knows it; returns how much of it is used. */
const setAccountQuota = async (quota: number | null): Promise<number | undefined> => {
  const used = await service.db.transaction((tx) => setQuota(tx, wholeAccount(accountId), quota, zone, clock.now()))
  clock.advance(2_000)
  return used
}

const intentCount = async (): Promise<number> => Number((await service.sql('select count(*) from intents'))[0]![0])

const assertRefusedAt = (answer: Answer, quota: number): void => {
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body, {
    type: 'validation_error',
    errors: [
      {
        code: 'quota_exceeded',
        detail: `The quota of ${quota} intents for this month is used up.`,
        attr: 'non_field_errors',
      },
    ],
  })
}

/** Moves the clock to the 10th of a month that no earlier test has used. */
const freshMonth = (): void => {
  const now = new Date(clock.now())
  clock.set(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 10, 9))
}
const token = async (): Promise<string> => service.tokenFor(demo.client_id, demo.client_secret)
const createWith = (bearer: string, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  ask('POST', '/intents/', { token: bearer, body: { wallet: main, amount: '5', ...body }, headers })

test('an account has no quota by default', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => create()))
  assert.ok(answers.every((answer) => answer.status === 201))
  assert.deepEqual(await service.sql('select * from quota_months'), [])
})

test('intents created earlier in the month count when a quota is set, except those of the test wallet', async () => {
  freshMonth()
  const bearer = await token()
  for (const wallet of [main, main, testWallet]) assert.equal((await createWith(bearer, { wallet })).status, 201)
  assert.equal(await setAccountQuota(3), 2)
  assert.equal((await createWith(bearer)).status, 201)
  assertRefusedAt(await createWith(bearer), 3)
  await setAccountQuota(null)
})

test('the test wallet is free, before and after the quota is used up', async () => {
  freshMonth()
  const bearer = await token()
  await setAccountQuota(1)
  assert.equal((await createWith(bearer, { wallet: testWallet })).status, 201)
  assert.equal((await createWith(bearer)).status, 201)
  assertRefusedAt(await createWith(bearer), 1)
  assert.equal((await createWith(bearer, { wallet: testWallet })).status, 201)
  await setAccountQuota(null)
})

test('idempotent replays are free, and are served when the quota is used up', async () => {
  freshMonth()
  const bearer = await token()
  await setAccountQuota(2)
  const headers = { [header]: `quota ${clock.now()}` }
  const first = await createWith(bearer, {}, headers)
  assert.equal(first.status, 201)
  for (let n = 0; n < 3; n++) {
    const again = await createWith(bearer, {}, headers)
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
  }
  assert.equal((await createWith(bearer)).status, 201)
  assertRefusedAt(await createWith(bearer), 2)
  assert.equal((await createWith(bearer, {}, headers)).text, first.text)
  // Another body with that key is refused because of the key, whatever is left of the quota.
  assert.equal((await createWith(bearer, { amount: '6' }, headers)).body.errors[0].code, 'idempotency_key_reused')
  await setAccountQuota(null)
})

test('a refused request uses nothing, and field errors come before the quota', async () => {
  freshMonth()
  const bearer = await token()
  await setAccountQuota(1)
  for (const body of [{ amount: '0' }, { wallet: demo.wallets.off }, { currency: 'USD' }])
    assert.notEqual((await createWith(bearer, body)).body.errors[0].code, 'quota_exceeded')
  assert.equal((await createWith(bearer)).status, 201)
  assert.equal((await createWith(bearer, { amount: 'x' })).body.errors[0].code, 'invalid')
  assert.equal((await createWith(bearer, { wallet: demo.wallets.off })).body.errors[0].code, 'wallet_not_monitored')
  assertRefusedAt(await createWith(bearer), 1)
  await setAccountQuota(null)
})

test('if the phone is switched off while an intent is created, the refused intent uses no quota', async () => {
  freshMonth()
  const bearer = await token()
  await setAccountQuota(1)
  // The clock does not move: the cached wallet stays valid, and only the statement itself can notice the change.
  assert.equal((await createWith(bearer, { amount: '0' })).body.errors[0].code, 'min_value')
  await service.sql('update devices set switched_on = false where id = $1', [demo.device.id])
  assert.equal((await createWith(bearer)).body.errors[0].code, 'wallet_not_monitored')
  await service.sql('update devices set switched_on = true where id = $1', [demo.device.id])
  clock.advance(2_000)
  assert.equal((await createWith(bearer)).status, 201)
  await setAccountQuota(null)
})

test('a month begins at midnight in Aden, three hours earlier than in UTC', async () => {
  clock.set(Date.parse('2027-01-31T20:59:59.998Z') - 2_000)
  const bearer = await token()
  await setAccountQuota(1)
  assert.equal(clock.now(), Date.parse('2027-01-31T23:59:59.998+03:00'))
  assert.equal((await createWith(bearer)).status, 201)
  clock.advance(1)
  assertRefusedAt(await createWith(bearer), 1)
  clock.advance(1)
  const february = await createWith(bearer)
  assert.equal(february.status, 201)
  assert.equal(february.body.created_at, '2027-02-01T00:00:00.000000+03:00')
  assertRefusedAt(await createWith(bearer), 1)
  clock.set(Date.parse('2027-02-28T20:59:59.999Z'))
  assertRefusedAt(await createWith(bearer), 1)
  clock.advance(1)
  assert.equal((await createWith(bearer)).status, 201)
  await setAccountQuota(null)
})

test('a quota set within a month counts from the first instant of that month in Aden', async () => {
  clock.set(Date.parse('2027-05-31T20:59:59.999Z'))
  const bearer = await token()
  assert.equal((await createWith(bearer)).status, 201)
  clock.advance(1)
  assert.equal((await createWith(bearer)).status, 201)
  assert.equal(await setAccountQuota(5), 1)
  await setAccountQuota(null)
})

test('a quota of zero refuses everything, and a raised one allows more', async () => {
  freshMonth()
  const bearer = await token()
  await setAccountQuota(0)
  assertRefusedAt(await createWith(bearer), 0)
  await setAccountQuota(1)
  assert.equal((await createWith(bearer)).status, 201)
  assertRefusedAt(await createWith(bearer), 1)
  assert.equal(await setAccountQuota(2), 1)
  assert.equal((await createWith(bearer)).status, 201)
  // A quota below what is used already refuses new intents and breaks nothing.
  await setAccountQuota(1)
  assertRefusedAt(await createWith(bearer), 1)
  await setAccountQuota(null)
  assert.equal((await createWith(bearer)).status, 201)
})

test('both API keys of an account share one quota, another account has its own', async () => {
  freshMonth()
  const bearers = [await token(), await service.tokenFor(demo.second_key.client_id, demo.second_key.client_secret)]
  const other = await service.tokenFor(demo.other.client_id, demo.other.client_secret)
  await setAccountQuota(2)
  for (const bearer of bearers) assert.equal((await createWith(bearer)).status, 201)
  for (const bearer of bearers) assertRefusedAt(await createWith(bearer), 2)
  assert.equal((await createWith(other, { wallet: demo.other.wallet })).status, 201)
  await setAccountQuota(null)
})

test('twenty concurrent requests with three left create exactly three', async () => {
  freshMonth()
  const bearer = await token()
  await setAccountQuota(5)
  await createWith(bearer)
  await createWith(bearer)
  const before = await intentCount()
  const answers = await Promise.all(Array.from({ length: 20 }, () => createWith(bearer)))
  assert.equal(answers.filter((answer) => answer.status === 201).length, 3)
  for (const answer of answers.filter((answer) => answer.status !== 201)) assertRefusedAt(answer, 5)
  assert.equal(await intentCount(), before + 3)
  await setAccountQuota(null)
})

test('twenty concurrent requests with one key and one left create one, and all get its answer', async () => {
  freshMonth()
  const bearer = await token()
  await setAccountQuota(1)
  const headers = { [header]: `last one ${clock.now()}` }
  const answers = await Promise.all(Array.from({ length: 20 }, () => createWith(bearer, {}, headers)))
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201])
  assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
  assertRefusedAt(await createWith(bearer), 1)
  await setAccountQuota(null)
})

test('0132: an account whose creates wait for its month keeps no other account with a quota waiting', async () => {
  freshMonth()
  const bearer = await token()
  const other = await service.tokenFor(demo.other.client_id, demo.other.client_secret)
  const setOther = (quota: number | null) =>
    service.sql(
      'update accounts set monthly_intent_quota = $1 where id = (select account_id from wallets where id = $2)',
      [quota, demo.other.wallet],
    )
  await setOther(5)
  await setAccountQuota(10)
  assert.equal((await createWith(bearer)).status, 201)
  const answered: string[] = []
  let waiting: Promise<Answer>[] = []
  await service.db.transaction(async (tx) => {
    await tx.run({ text: 'select used from quota_months where account_id = $1 for update', values: [accountId] })
    waiting = Array.from({ length: 8 }, () =>
      createWith(bearer).then((answer) => {
        answered.push('flood')
        return answer
      }),
    )
    assert.equal((await createWith(other, { wallet: demo.other.wallet })).status, 201)
    answered.push('neighbour')
  })
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 201)
  assert.equal(answered[0], 'neighbour')
  await setAccountQuota(null)
  await setOther(null)
})
