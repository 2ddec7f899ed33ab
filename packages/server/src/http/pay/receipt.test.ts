import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Checkout, CheckoutIntent } from '../../checkouts/checkout.ts'
import { minor } from '../../core/money.ts'
import { zoneOf } from '../../core/zone.ts'
import { arrivalOf } from '../../intents/arrival.ts'
import { wordsFor } from './no-contact-words.ts'
import { receiptCard } from './receipt.ts'

const checkout = {
  amount: minor(150_000n),
  externalOrderId: 'A-1042',
  description: '',
  items: '[]',
  returnUrl: '',
  testOnly: false,
} as unknown as Checkout
const paid = (code: string, riyals: bigint, isTest = false): CheckoutIntent => {
  const asked = { base: minor(riyals * 100n), payable: minor(riyals * 100n) }
  const arrival = arrivalOf(asked, asked.base)
  return { code, status: 'VERIFIED', ...asked, arrival, reference: '', isTest, verifiedAt: 0 } as CheckoutIntent
}
const words = wordsFor('en', { whatsapp: '', phone: '770000001' }, 'YER')
const receipt = (...intents: CheckoutIntent[]): string =>
  receiptCard({ checkout, intents }, zoneOf('Asia/Aden'), words, false, '/voucher/of/x').text

test('a receipt of two payments shows the amount of each, beside its code', () => {
  const text = receipt(paid('FIRST', 1400n), paid('REST', 100n)).replaceAll(/<[^>]+>/g, ' ')
  assert.match(text, /1,500\s+YER/)
  assert.match(text, /FIRST\s+You sent\s+1,400\s+YER.*REST\s+You sent\s+100\s+YER/s)
  assert.doesNotMatch(receipt(paid('ONE', 1500n)), /You sent/)
})

test('the stamp of a test payment does not look like that of a payment', () => {
  assert.match(receipt(paid('ONE', 1500n)), /class="stamp">PAID/)
  assert.match(receipt(paid('ONE', 1500n, true)), /class="stamp trial">TEST/)
})

test('a part that was made of a wrong amount shows the number that the buyer sent for it; another order’s number never', () => {
  const wrong = {
    ...paid('WRONG', 1500n),
    status: 'WRONG_AMOUNT',
    arrival: null,
    paid: minor(140_000n),
    reference: '1400001',
  }
  const alertId = '019b86f6-56ce-764e-9a7f-272ff0832636'
  const parts = (of: string) =>
    [
      { ...wrong, alertId },
      { ...paid('FIRST', 1400n), alertId: of },
      { ...paid('REST', 100n), reference: '100001' },
    ] as CheckoutIntent[]
  assert.match(receipt(...parts(alertId)), /FIRST.*1400001.*REST.*100001/s)
  assert.doesNotMatch(receipt(...parts('019b86f6-56ce-764e-9a7f-1c8639a0fc54')), /1400001/)
})
