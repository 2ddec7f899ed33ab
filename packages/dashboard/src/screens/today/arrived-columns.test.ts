import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addSums, currenciesOf, seriesOf, valuesOf } from './arrived-columns.ts'

const wallets = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, name: id }))
const row = (wallet: string, sum: string, currency = 'YER') => ({ wallet, sum, currency, count: 1 })

test('sums are exact, also where a number would not be', () => {
  assert.equal(addSums(['0.10', '0.20', '99999999999999.99']), '100000000000000.29')
  assert.equal(addSums([]), '0.00')
})

test('wallets without money have no series; of more than four the smallest are one, and nothing is lost', () => {
  const few = [row('b', '1.00'), row('a', '5.00')]
  assert.deepEqual(
    seriesOf(few, wallets, 4).own.map(({ id }) => id),
    ['a', 'b'],
  )
  assert.deepEqual(valuesOf(few, seriesOf(few, wallets, 4)), ['5.00', '1.00'])
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, i) => row(id, `${i + 1}.00`))
  const series = seriesOf(many, wallets, 4)
  assert.deepEqual([series.own.map(({ id }) => id), series.other], [['f', 'e', 'd'], true])
  assert.deepEqual(valuesOf(many, series), ['6.00', '5.00', '4.00', '6.00'])
  assert.equal(addSums(valuesOf(many, series)), addSums(many.map(({ sum }) => sum)))
  assert.deepEqual(valuesOf([], seriesOf([], wallets, 4)), ['0.00'])
})

test('each currency has its own picture, the most used first', () => {
  assert.deepEqual(currenciesOf([row('a', '1.00', 'SAR'), row('b', '9.00'), row('b', '9.00')]), ['YER', 'SAR'])
  assert.deepEqual(currenciesOf([]), [])
})
