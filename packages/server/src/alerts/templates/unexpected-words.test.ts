import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTemplate } from '../../../test/support/pure/check-template.ts'
import type { ProviderId } from '../../core/ids.ts'
import { type AlertTemplate, readText } from './alert-template.ts'
import type { Slot } from './template-sentence.ts'
import { unexpectedWord } from './unexpected-words.ts'

const template = (fields: Partial<AlertTemplate> = {}): AlertTemplate => ({
  id: 'own',
  providerId: 'own' as ProviderId,
  name: 'own',
  senderNames: ['Own'],
  direction: 'credit',
  currency: 'YER',
  sentence: 'وصلك {amount:money} YER من {payer:name} بيان {purpose:name} انتهى',
  version: 1,
  status: 'active',
  samples: [],
  counterSamples: [{ text: 'خرج 500 YER', why: 'debit' }],
  ...fields,
})
const sample = (text: string, payer?: string) => ({
  text,
  expect: { amount: '500.00', ...(payer === undefined ? {} : { payer }) },
})
const unexpected = (own: AlertTemplate | readonly AlertTemplate[], text: string): string | undefined => {
  const read = readText([own].flat(), { sender: 'Own', text })
  return read.kind === 'read' ? (read.unexpected ?? 'none') : undefined
}

test('a payer of a merchant’s own template must be a name, as text of any type too', () => {
  for (const sentence of ['وصلك {amount:money} YER من {payer:name}', 'وصلك {amount:money} YER من {payer:any}']) {
    const own = template({ sentence, samples: [sample('وصلك 500 YER من علي المثال', 'علي المثال')] })
    assert.equal(unexpected(own, 'وصلك 500 YER من علي صالح المثال'), 'none')
    assert.equal(unexpected(own, 'وصلك 500 YER من علي صالح المثال سيودع غدا'), 'سيودع')
    assert.equal(unexpected(own, 'وصلك 500 YER من you sent'), 'you')
  }
  const any = template({ sentence: 'وصلك {amount:money} YER من {payer:any}' })
  assert.equal(unexpected(any, 'وصلك 500 YER من علي المثال 770000000'), 'none')
})

test('another slot may have a sentence, but not words that change the message, except those of its samples', () => {
  const own = template({ samples: [sample('وصلك 500 YER من علي بيان سداد فاتورة انتهى', 'علي')] })
  assert.equal(unexpected(own, 'وصلك 500 YER من علي بيان قيمة مشتريات انتهى'), 'none')
  assert.equal(unexpected(own, 'وصلك 500 YER من علي بيان سيتم الإيداع انتهى'), 'سيتم')
  const sentBack = template({ samples: [sample('وصلك 500 YER من علي بيان استرداد ضريبة انتهى', 'علي')] })
  assert.equal(unexpected(sentBack, 'وصلك 500 YER من علي بيان استرداد ضريبة انتهى'), 'none')
})

test('a slot that has names in every sample must be a name', () => {
  const own = template({ samples: [sample('وصلك 500 YER من علي بيان هدى المثال انتهى', 'علي')] })
  assert.equal(unexpected(own, 'وصلك 500 YER من علي بيان سارة المثال انتهى'), 'none')
  assert.equal(unexpected(own, 'وصلك 500 YER من علي بيان قيمة مشتريات انتهى'), 'قيمه')
})

test('a template that has the words in its own text explains them', () => {
  const loose = template({ id: 'loose', sentence: 'وصلك {amount:money} YER من {payer:name}' })
  const exact = template({ id: 'exact', sentence: 'وصلك {amount:money} YER من {payer:name} عبر تطبيق الحوالات' })
  const text = 'وصلك 500 YER من علي المثال عبر تطبيق الحوالات'
  assert.equal(unexpected(loose, text), 'عبر')
  assert.equal(unexpected([loose, exact], text), 'none')
  assert.equal(unexpected([exact, loose], text), 'none')
})

test('a debit is read whatever its names are', () => {
  const own = template({ direction: 'debit', sentence: 'خصم {amount:money} YER {what:name}' })
  assert.equal(unexpected(own, 'خصم 500 YER تم سحب المبلغ'), 'none')
})

test('a template with a sentence as the payer of a sample is not published', async () => {
  const own = template({
    sentence: 'وصلك {amount:money} YER من {payer:name}',
    samples: [sample('وصلك 500 YER من علي المثال تم السحب', 'علي المثال تم السحب')],
  })
  const result = await checkTemplate(own, [])
  assert.ok(!result.green)
  assert.match(result.failures.join('\n'), /"تم" is no part of a name: such an alert waits for a member/)
})

test('only slots for names and for free text are looked at; a slot that was not read has no words', () => {
  const slot = (name: string, type: Slot['type']): Slot => ({ kind: 'slot', name, type }) as Slot
  const fields = (payer: string | undefined, others: Record<string, string> = {}) => ({ payer, others }) as never
  const none = () => []
  assert.equal(unexpectedWord([slot('payer', 'name')], fields('تم السحب'), none), 'تم')
  assert.equal(unexpectedWord([slot('payer', 'phone')], fields('تم السحب'), none), undefined)
  assert.equal(unexpectedWord([slot('payer', 'name')], fields(undefined), none), undefined)
  assert.equal(unexpectedWord([slot('what', 'any')], fields('تم السحب', { what: 'refund' }), none), 'refund')
  // A slot for free text is not taken for a name, whatever its samples have.
  const names = () => [fields('علي', { what: 'علي المثال' })]
  assert.equal(unexpectedWord([slot('what', 'any')], fields('علي', { what: 'قيمة مشتريات' }), names), undefined)
  assert.equal(unexpectedWord([slot('what', 'name')], fields('علي', { what: 'قيمة مشتريات' }), names), 'قيمه')
  assert.equal(unexpectedWord([slot('what', 'name')], fields('علي', { what: 'قيمة مشتريات' }), none), undefined)
  const mixed = () => [...names(), fields('علي', { what: 'قيمة' })]
  assert.equal(unexpectedWord([slot('what', 'name')], fields('علي', { what: 'قيمة مشتريات' }), mixed), undefined)
})
