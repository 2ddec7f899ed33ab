/** Test payments that users make in the dashboard: processed like real payments, and only on the test wallet. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TestPaid } from '@sanad/contract/dashboard/money/test-payment'
import { createAccount } from '../../src/wallets/entries/create-account.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { fits } from '../support/queue-story.ts'
import { errorsOf, openTestService } from '../support/story.ts'
import { createMember, createMembers } from '../support/users.ts'

const service = await openTestService()
const { demo, sql, clock } = service
const members = await createMembers(service)
const { owner, cashier } = members
const wallet = demo.wallets.test

const intentOf = async (by: typeof owner, on: string, amount = '1500.00') => {
  const answer = await by.ask('POST', '/intents/', { body: { wallet: on, amount } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id as string
}
const statusOf = async (id: string) => (await sql('select status from intents where id = $1', [id]))[0]![0]
const alertCount = async () => Number((await sql('select count(*) from alerts'))[0]![0])

test('a test payment whose reference is attached first verifies the intent at once', async () => {
  const id = await intentOf(cashier, wallet)
  await cashier.ask('POST', `/intents/${id}/reference/`, { body: { reference: 'TEST-1001' } })
  const paid = await cashier.ask('POST', '/test-payment/', {
    body: { wallet, amount: '1500.00', reference: 'TEST-1001' },
  })
  assert.equal(paid.status, 201, paid.text)
  fits(TestPaid, paid)
  assert.deepEqual([paid.body.state, paid.body.intent], ['matched', id])
  assert.equal(paid.body.text, 'Test payment of 1,500.00 YER, reference TEST-1001.')
  assert.equal(await statusOf(id), 'VERIFIED')
  const [[action, after]] = (await sql('select action, after from audit_log where object_id = $1', [
    paid.body.alert,
  ])) as [[string, string]]
  assert.equal(action, 'alert.test_payment')
  assert.deepEqual(JSON.parse(after), { wallet, amount: '1500.00', reference: 'TEST-1001' })
  await assertMoneyInvariants(sql)
})

test('a test payment that comes before its reference waits for it, and has payment.received and payment.verified', async () => {
  const id = await intentOf(cashier, wallet, '20.00')
  const paid = await cashier.ask('POST', '/test-payment/', {
    body: { wallet, amount: '20.00', reference: 'TEST-1002' },
  })
  assert.deepEqual([paid.body.state, paid.body.intent], ['waiting', null])
  const attached = await cashier.ask('POST', `/intents/${id}/reference/`, { body: { reference: 'TEST-1002' } })
  assert.equal(attached.body.status, 'VERIFIED')
  const kinds = (await sql('select kind from events where alert_id = $1', [paid.body.alert])).map(([kind]) => kind)
  assert.deepEqual(kinds.sort(), ['payment.received', 'payment.verified'])
})

test('the same reference paid twice is one payment', async () => {
  const pay = () => owner.ask('POST', '/test-payment/', { body: { wallet, amount: '7.00', reference: 'TEST-1003' } })
  assert.equal((await pay()).body.state, 'waiting')
  assert.equal((await pay()).body.state, 'duplicate')
})

test('a test payment on any other wallet is refused, and nothing is stored', async () => {
  const before = await alertCount()
  for (const [other, error] of [
    [demo.wallets.main, 'not_the_test_wallet@wallet'],
    [demo.wallets.unmonitored, 'not_the_test_wallet@wallet'],
    [demo.other.wallet, 'does_not_exist@wallet'],
    ['no id', 'invalid@wallet'],
  ]) {
    const answer = await owner.ask('POST', '/test-payment/', {
      body: { wallet: other, amount: '5.00', reference: 'TEST-2001' },
    })
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(errorsOf(answer), [error])
  }
  assert.equal(await alertCount(), before)
})

test('values that a message could not contain are refused, each with its field', async () => {
  for (const [body, error] of [
    [{ amount: '5.00', reference: 'TEST-1, reference TEST-2' }, 'invalid@reference'],
    [{ amount: '5.00', reference: 'abc' }, 'invalid@reference'],
    [{ amount: '0.00', reference: 'TEST-2002' }, 'min_value@amount'],
    [{ amount: '5.00' }, 'required@reference'],
  ] as const)
    assert.deepEqual(errorsOf(await owner.ask('POST', '/test-payment/', { body: { wallet, ...body } })), [error])
})

test('an account without a phone gets one simulated phone, even if several test payments come at once', async () => {
  const accountId = await createAccount(service.db, 'A new shop', null, clock.now())
  const newcomer = await createMember(service, accountId, 'owner')
  const wallets = await newcomer.ask('GET', '/wallets/')
  const [own] = wallets.body.results
  assert.equal(own.is_test, true)
  const paid = await Promise.all(
    [1, 2, 3].map((n) =>
      newcomer.ask('POST', '/test-payment/', { body: { wallet: own.id, amount: '9.00', reference: `FIRST-${n}` } }),
    ),
  )
  assert.deepEqual(
    paid.map(({ status, body }) => `${status} ${body.state}`),
    ['201 waiting', '201 waiting', '201 waiting'],
  )
  const phones = await newcomer.ask('GET', '/phones/')
  assert.deepEqual(
    phones.body.results.map(({ name, switched_on, paired }: Record<string, unknown>) => [name, switched_on, paired]),
    [['Simulated phone', true, false]],
  )
})

test('a member who makes too many test payments is rate-limited', async () => {
  const accountId = await createAccount(service.db, 'A busy shop', null, clock.now())
  const busy = await createMember(service, accountId, 'owner')
  const [own] = (await busy.ask('GET', '/wallets/')).body.results
  const statuses: number[] = []
  for (let n = 0; n < 21; n++)
    statuses.push(
      (await busy.ask('POST', '/test-payment/', { body: { wallet: own.id, amount: '9.00', reference: `BUSY-${n}` } }))
        .status,
    )
  assert.deepEqual([statuses.filter((status) => status === 201).length, statuses.at(-1)], [20, 429])
})
