/** The counter over HTTP: the roll of the money that arrived, the phones of the wallets, and the search. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showCounter } from '@sanad/contract/dashboard/money/counter'
import { search } from '@sanad/contract/dashboard/money/search'
import { phone } from '../support/phone.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService()
const { clock, create, demo, sql } = service
const { cashier, stranger, money, attach, newReference } = await queueStory(service)

const counter = async (user = cashier) => {
  const answer = await user.ask('GET', '/counter/')
  assert.equal(answer.status, 200, answer.text)
  fits(showCounter.answer, answer)
  return answer.body
}
type Found = { intents: { id: string }[]; alerts: { id: string }[] }
const found = async (q: string): Promise<Found> => {
  const answer = await cashier.ask('GET', `/search/?q=${encodeURIComponent(q)}`)
  assert.equal(answer.status, 200, answer.text)
  fits(search.answer, answer)
  return answer.body
}
const intents = async (q: string): Promise<string[]> => (await found(q)).intents.map(({ id }) => id)

// A phone that was connected today is a doubt.
clock.advance(2 * 24 * 3_600_000)

test('the roll has every credit of the account, newest first, with its payer, its company and what became of it', async () => {
  const alerts: string[] = []
  for (const amount of ['100.00', '200.00', '300.00']) {
    const { body } = await create({ amount, external_order_id: `order-${amount}` })
    const reference = newReference()
    await attach(body.id, reference)
    clock.advance(1_000)
    alerts.unshift(await money(amount, reference))
  }
  clock.advance(1_000)
  const reference = newReference()
  alerts.unshift(await money('400.00', reference))
  alerts.unshift(await money('9999.00', newReference(), false))
  const { roll, wallets } = await counter()
  assert.deepEqual(
    roll.results.map(({ id }: { id: string }) => id),
    alerts,
  )
  assert.equal(roll.next, null)
  const [doubtful, unmatched, paid] = roll.results
  assert.deepEqual([doubtful.state, doubtful.doubts[0].code], ['look', 'unsigned'])
  assert.deepEqual(
    [unmatched.state, unmatched.amount, unmatched.payer, unmatched.reference, unmatched.company.name, unmatched.intent],
    ['unmatched', '400.00', 'تاجر تجريبي', reference, 'Jawali', null],
  )
  assert.deepEqual([paid.state, paid.amount, paid.intent.external_order_id], ['paid', '300.00', 'order-300.00'])
  assert.equal(wallets.length, 6)
  assert.deepEqual((await counter(stranger)).roll.results, [])
})

test('the counter shows that the phone of a wallet is silent, and when the phone was last seen', async () => {
  const stateOf = async () =>
    (await counter()).wallets.find(({ id }: { id: string }) => id === demo.wallets.main) as {
      state: string
      phone: { last_seen_at: string }
    }
  await phone(service.origin, clock.now, demo.device).heartbeat()
  const heard = await stateOf()
  assert.equal(heard.state, 'offered')
  clock.advance(24 * 3_600_000)
  const silent = await stateOf()
  assert.deepEqual([silent.state, silent.phone.last_seen_at], ['phone_silent', heard.phone.last_seen_at])
})

test('a PENDING intent is found by its order amount, and by the name and phone number of its claimed payer', async () => {
  await sql(
    `update wallets set unique_amounts = 'more', unique_amounts_most = 50, version = version + 1 where id = $1`,
    [demo.wallets.second],
  )
  clock.advance(2_000)
  const { body: unique } = await create({ wallet: demo.wallets.second, amount: '7700.00' })
  assert.notEqual(unique.payable_amount, '7700.00')
  assert.deepEqual(await intents('7,700'), [unique.id])
  const { body: order } = await create({ amount: '8800.00' })
  const payer = { phone: '+967 770 000 321', name: 'فاطمة المثال' }
  assert.equal((await cashier.ask('POST', `/intents/${order.id}/payer/`, { body: payer })).status, 200)
  for (const text of ['770000321', '0321', 'فاطمة', 'فاطمة 0321'])
    assert.deepEqual(await intents(text), [order.id], text)
  assert.deepEqual(await intents('فاطمة 9999'), [])
  // Two digits are too few to find a payer by phone number. The test uses two digits that are not in the intent's code.
  const two = ['32', '21', '77', '70', '00', '03'].find((digits) => !order.code.includes(digits))!
  assert.ok(!(await intents(two)).includes(order.id), two)
  await cashier.ask('POST', `/intents/${order.id}/cancel/`)
  assert.deepEqual(await intents('فاطمة'), [])
})
