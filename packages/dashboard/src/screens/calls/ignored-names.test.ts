import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownNames } from './ignored-names.ts'

test('names are shown as they were sent; one that cannot be read stays as it is', () => {
  assert.equal(shownNames('order_id, items.0.sku'), 'order_id, items.0.sku')
  assert.equal(shownNames('%D8%B7%D9%84%D8%A8, %zz, a%2Cb'), 'طلب, %zz, a,b')
})
