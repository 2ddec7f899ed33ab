/** The counter over HTTP: the last payments with their payers, the phones of the wallets, and the search. */
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

test('the last payments of the account come newest first, with their payers', async () => {
  const paid: string[] = []
  for (const amount of ['100.00', '200.00', '300.00']) {
    const { body } = await create({ amount, external_order_id: `order-${amount}` })
    const reference = newReference()
    await attach(body.id, reference)
    clock.advance(1_000)
    await money(amount, reference)
    paid.unshift(body.id)
  }
  await create({ amount: '400.00' })
  const { payments, wallets } = await counter()
  assert.deepEqual(
    payments.map(({ intent }: { intent: string }) => intent),
    paid,
  )
  const [last] = payments
  assert.deepEqual(
    [last.amount, last.external_order_id, last.payer, last.wallet.name, last.wallet.is_test, last.manual_override],
    ['300.00', 'order-300.00', 'تاجر تجريبي', 'Main wallet', false, false],
  )
  assert.equal(wallets.length, 6)
  assert.deepEqual((await counter(stranger)).payments, [])
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
