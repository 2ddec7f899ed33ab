/** What counts as paid, without a shop: pages of the fake, and answers that it does not make. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sanad } from '@sanad/sdk'
import { createFakeSanad } from '@sanad/sdk/testing'
import { readOutcome } from '../src/outcome.js'

/** A page of 1500.00 that can be paid into two wallets, one of them the test wallet. */
const openPage = async (allow_remaining = true) => {
  const fake = createFakeSanad()
  const sanad = new Sanad(fake.options)
  const main = fake.wallets[0].id
  const test = fake.wallets.find((wallet) => wallet.is_test).id
  const page = { amount: '1500.00', wallets: [main, test], allow_remaining }
  const { id: checkout } = await sanad.checkouts.create(page)
  let n = 0
  const pay = (wallet, amount) => fake.pay({ checkout, wallet, amount, reference: `R${++n}` })
  const read = async (testMode) => {
    const { outcome, arrived, besides, test } = await readOutcome(
      sanad,
      { sanad: 'checkout', sanad_id: checkout },
      testMode,
    )
    return { outcome, arrived, besides, test }
  }
  return { fake, main, test, pay, read }
}

test('a page that was paid with test money is paid in test mode only', async () => {
  const { test, pay, read } = await openPage()
  pay(test, '1500.00')
  assert.deepEqual(await read(true), { outcome: 'paid', arrived: '1500.00', besides: '0.00', test: '0.00' })
  assert.deepEqual(await read(false), { outcome: 'test', arrived: '0.00', besides: '0.00', test: '1500.00' })
})

test('of a page that was paid partly with test money the real part counts, and it is not the whole', async () => {
  const { main, test, pay, read } = await openPage()
  pay(main, '1000.00')
  pay(test, '500.00')
  assert.deepEqual(await read(true), { outcome: 'paid', arrived: '1500.00', besides: '0.00', test: '0.00' })
  assert.deepEqual(await read(false), { outcome: 'part', arrived: '1000.00', besides: '0.00', test: '500.00' })
})

test('another amount of test money is neither money nor another amount', async () => {
  const { fake, test, pay, read } = await openPage()
  pay(test, '1400.00')
  fake.advance(2 * 3_600_000)
  assert.deepEqual(await read(true), { outcome: 'wrong', arrived: '1400.00', besides: '0.00', test: '0.00' })
  assert.deepEqual(await read(false), { outcome: 'test', arrived: '0.00', besides: '0.00', test: '1400.00' })
})

test('another amount arrived first, and then the right one: paid, and the other amount is told apart', async () => {
  const { main, pay, read } = await openPage(false)
  pay(main, '1400.00')
  pay(main, '1500.00')
  assert.deepEqual(await read(false), { outcome: 'paid', arrived: '1500.00', besides: '1400.00', test: '0.00' })
})

test('the test wallet was chosen and nothing paid: over, without test money', async () => {
  const { fake, read } = await openPage()
  fake.advance(2 * 3_600_000)
  assert.deepEqual(await read(false), { outcome: 'over', arrived: '0.00', besides: '0.00', test: '0.00' })
})

test('a unique amount pays the order, not more; less that a member accepted is a part', async () => {
  for (const [paid, outcome, arrived] of [
    ['1501.00', 'paid', '1500.00'],
    ['1500.00', 'paid', '1500.00'],
    ['1499.99', 'part', '1499.99'],
  ]) {
    const checkout = { status: 'COMPLETE', amount: '1500.00', paid, is_test: false, intents: [] }
    const sanad = { checkouts: { retrieve: async () => checkout } }
    const reading = await readOutcome(sanad, { sanad: 'checkout', sanad_id: 'one' }, false)
    assert.deepEqual([reading.outcome, reading.arrived], [outcome, arrived], paid)
  }
})
