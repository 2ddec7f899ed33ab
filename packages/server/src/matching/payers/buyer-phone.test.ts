import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparePhones } from '../rules/payer-phone.ts'
import { buyerPhone, erasedMark } from './buyer-phone.ts'

const number = '777000123'
const phone = buyerPhone(number)!
const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
const persian = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x6f0 + Number(digit)))

const codes = ['', '0', '967', '+967', '00967', '+967 ', '00967-', '(+967) ', '+967 0']
const groups = ['777000123', '777 000 123', '777-000-123', '77 70 00 123', '777.000.123', '7-7-7-0-0-0-1-2-3']
const scripts = [(text: string) => text, arabic, persian, (text: string) => `\u200e${text}\u200f`]
const forms = codes.flatMap((code) => groups.flatMap((group) => scripts.map((script) => script(code + group))))

test('every usual form of a number is that number, is found in a text, and is gone from it', () => {
  assert.ok(forms.length > 200)
  for (const form of forms) {
    assert.equal(comparePhones(number, form), 'same', form)
    assert.equal(buyerPhone(form)?.digits, number, form)
    for (const text of [form, `من ${form} مبلغ 500`, `got 500 from ${form}.`, `اسم${form}`, `tel:${form}, 777000999`]) {
      assert.ok(phone.isIn(text), text)
      const erased = phone.erasedFrom(text)
      assert.ok(erased.includes(erasedMark) && !phone.isIn(erased), `${text} -> ${erased}`)
      assert.equal(phone.erasedFrom(erased), erased)
    }
  }
})

test('what is no whole mobile number of Yemen is refused', () => {
  for (const text of [
    '',
    'Salem',
    '77700012',
    '7770001234',
    '677000123',
    '+966777000123',
    '77XXXX123',
    '777***123',
    '1'.repeat(41),
  ])
    assert.equal(buyerPhone(text), undefined, text)
})

test('longer numbers, amounts, ids and other numbers are left as they are', () => {
  for (const text of [
    '7770001234',
    '1777000123',
    '+966777000123',
    '777000123.00',
    '1,777000123',
    'a777000123bc',
    '777000124',
    '0b7e4d4b-8a3e-5a0a-d000-a777000123ff',
    erasedMark,
  ]) {
    assert.equal(phone.isIn(text), false, text)
    assert.equal(phone.erasedFrom(text), text)
  }
})

test('a number with hidden digits is never that number: it may be, or it may not', () => {
  for (const text of ['from 77XXXX123 to you', '777***123', '٧٧٧***١٢٣', '***00123', '+96777XXXX123']) {
    assert.equal(phone.isIn(text), false, text)
    assert.equal(phone.mayBeIn(text), true, text)
    assert.equal(phone.erasedFrom(text), text)
  }
  for (const text of ['78XXXX123', '777***124', '77***', 'XXXXXX', number])
    assert.equal(phone.mayBeIn(text), false, text)
})

test('JSON stays JSON, cut JSON is read too, and references and amounts stay', () => {
  const body = {
    reference: number,
    amount: Number(number),
    external_order_id: `order ${number}`,
    customer: { phone: Number(number), name: 'Salem "of" \\ 777-000-123' },
    list: [number, { wallet_id: number }],
    [number]: 'a name of the shop',
  }
  const text = JSON.stringify(body)
  assert.deepEqual(JSON.parse(phone.erasedFrom(text)), {
    reference: number,
    amount: Number(number),
    external_order_id: 'order ***',
    customer: { phone: '***', name: 'Salem "of" \\ ***' },
    list: ['***', { wallet_id: number }],
    '***': 'a name of the shop',
  })
  for (let length = 2; length <= text.length; length++) {
    const erased = phone.erasedFrom(text.slice(0, length))
    assert.equal(phone.isIn(erased), false, erased)
  }
  assert.equal(phone.isIn(JSON.stringify({ reference: number })), false)
})
