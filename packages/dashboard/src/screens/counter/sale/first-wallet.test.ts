import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstWallet, offeredWallets } from './first-wallet.ts'

const wallet = (id: string, more: Partial<{ is_test: boolean; active: boolean; offered: boolean }> = {}) => ({
  id,
  is_test: false,
  active: true,
  offered: true,
  ...more,
})
const [a, b, testing] = [wallet('a'), wallet('b'), wallet('test', { is_test: true })]

test('the only real wallet is taken; of several, the one that was used last, or none', () => {
  assert.equal(firstWallet([testing, a], null), 'a')
  assert.equal(firstWallet([a, b, testing], null), null)
  assert.equal(firstWallet([a, b, testing], 'b'), 'b')
  assert.equal(firstWallet([a, b], 'gone'), null)
  assert.equal(firstWallet([a, wallet('b', { offered: false })], 'b'), 'a', 'the last one cannot collect now')
})

test('the test wallet is never taken by itself while a real one exists, also if it was used last', () => {
  assert.equal(firstWallet([testing, a, b], 'test'), null)
  assert.equal(firstWallet([testing, wallet('a', { offered: false })], null), null)
  assert.equal(firstWallet([testing, wallet('a', { offered: false })], 'test'), null)
  assert.equal(firstWallet([testing], null), 'test')
  assert.equal(firstWallet([testing, wallet('closed', { offered: false, active: false })], null), 'test')
  assert.equal(firstWallet([], null), null)
})

test('the wallets to choose from can collect now, and the test wallet is the last of them', () => {
  const shown = offeredWallets([testing, a, wallet('off', { offered: false }), b]).map(({ id }) => id)
  assert.deepEqual(shown, ['a', 'b', 'test'])
})
