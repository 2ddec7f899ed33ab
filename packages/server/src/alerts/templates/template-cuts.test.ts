/** A part of a message is read like the whole message, or with fewer fields, or not at all. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkTemplate, cutsOf } from '../../../test/support/pure/check-template.ts'
import type { ProviderId } from '../../core/ids.ts'
import { alertTemplatesOf } from '../shipped/shipped-provider.ts'
import { SHIPPED_PROVIDERS } from '../shipped/shipped-templates.ts'
import { SHIPPED_TEST } from '../shipped/shipped-test.ts'
import { normalise } from '../texts/normalise.ts'
import { type AlertTemplate, readAlert, readText } from './alert-template.ts'
import { misread } from './template-cuts.ts'

const everything = [...SHIPPED_PROVIDERS, SHIPPED_TEST].map((provider) =>
  alertTemplatesOf(provider, provider.name as ProviderId, ({ name }) => `${provider.name}: ${name}`).map(
    (template): AlertTemplate => ({ ...template, status: 'active' }),
  ),
)

test('no part of a shipped sample is read as other money by any template of its sender', (t) => {
  let [cuts, read] = [0, 0]
  for (const templates of everything)
    for (const template of templates)
      for (const { text } of template.samples) {
        const whole = readAlert(template, normalise(text))
        assert.ok(whole, text)
        const { beginnings, ends } = cutsOf(text)
        assert.ok(beginnings.length >= normalise(text).replaceAll(' ', '').length - 1, 'at every place')
        for (const cut of [...beginnings, ...ends]) {
          cuts++
          for (const reader of templates) {
            const part = readAlert(reader, cut)
            if (part === undefined) continue
            read++
            assert.equal(misread(part, whole), undefined, `${reader.id} reads ${cut}`)
          }
          for (const sender of template.senderNames)
            assert.notEqual(readText(templates, { sender, text: cut }).kind, 'ambiguous', cut)
        }
      }
  t.diagnostic(`${cuts} parts, ${read} of them read, none as other money`)
  // So that the loop above has checked something.
  assert.ok(read > 100)
})

test('a cut text is read without the values that may be cut', () => {
  const [jaib, jawali] = everything
  const read = (templates: readonly AlertTemplate[], sender: string, text: string) => {
    const result = readText(templates, { sender, text })
    return result.kind === 'read'
      ? [result.reading.amount, result.reading.reference, result.reading.balance]
      : result.kind
  }
  const purchase = 'أضيف 30000ر.ي مشتريات رص:220611.7ر.ي من 1234567 م:12345678901234'
  assert.deepEqual(read(jaib!, 'Jaib', purchase), [3_000_000n, '12345678901234', 22_061_170n])
  assert.deepEqual(read(jaib!, 'Jaib', purchase.slice(0, -4)), [3_000_000n, undefined, 22_061_170n])
  // Longer than any reference of that wallet: read without a reference too.
  assert.deepEqual(read(jaib!, 'Jaib', `${purchase}5`), [3_000_000n, undefined, 22_061_170n])
  const person = 'استلمت مبلغ 1500 YER من 770000000 رصيدك هو 258113.19'
  assert.deepEqual(read(jawali!, 'Jawali', person), [150_000n, undefined, 25_811_319n])
  assert.deepEqual(read(jawali!, 'Jawali', person.slice(0, -1)), [150_000n, undefined, undefined])
  assert.deepEqual(read(jawali!, 'Jawali', person.slice(0, -4)), [150_000n, undefined, undefined])
})

// Words that are not parts of each other, so that a sentence can be read in one way only.
const word = fc.constantFrom(
  'received',
  'مبلغ',
  'from',
  'ref',
  'حوالة',
  'at',
  'رقم',
  'via',
  'ok',
  'شكرا',
  '.',
  ':',
  '-',
)
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
const money = fc
  .tuple(fc.integer({ min: 1, max: 9_999_999 }), fc.constantFrom(0, 1, 2), fc.boolean())
  .map(([minor, decimals, grouped]) => {
    const units = Math.max(1, Math.floor(minor / 100))
    const whole = grouped ? units.toLocaleString('en-US') : String(units)
    return decimals === 0
      ? whole
      : `${whole}.${String(minor % 100)
          .padStart(2, '0')
          .slice(0, decimals)}`
  })
const slots = {
  amount: { type: 'money', value: money },
  balance: { type: 'money', value: money },
  fee: { type: 'money', value: money },
  reference: { type: 'reference', value: fc.stringMatching(/^[A-Z0-9]{3,14}[1-9]$/) },
  payer: { type: 'name', value: fc.constantFrom('علي المثال', 'Ali Example', 'JANE') },
  phone: { type: 'phone', value: fc.stringMatching(/^7[0-9X]{3}[0-9]{4}$/) },
  rest: { type: 'any', value: fc.constantFrom('x', '02/01/2026 10:15', 'ref 77', 'من') },
} as const
type Name = keyof typeof slots

/** A sentence, two texts for its samples, and one text that is not a sample. */
const anyTemplate = fc
  .tuple(
    fc.shuffledSubarray(Object.keys(slots) as Name[], { minLength: 2 }).filter((names) => names.includes('amount')),
    fc.array(text, { minLength: 9, maxLength: 9 }),
    fc.tuple(fc.boolean(), fc.boolean()),
    fc.boolean(),
  )
  .chain(([names, words, [bareStart, bareEnd], sized]) =>
    fc
      .record({
        first: fc.tuple(...names.map((name) => slots[name].value)),
        second: fc.tuple(...names.map((name) => slots[name].value)),
        unseen: fc.tuple(...names.map((name) => slots[name].value)),
      })
      .map(({ first, second, unseen }) => {
        const head = bareStart ? '' : `received YER ${words[0]} `
        const tail = bareEnd ? '' : ` ${words[1]} شكرا`
        const joined = (values: readonly string[]) =>
          `${head}${names.map((_, i) => `${i > 0 ? ` YER ${words[i + 1]} ` : ''}${values[i]}`).join('')}${tail}`
        const size = first[names.indexOf('reference')]?.length
        const slot = (name: Name) =>
          name === 'reference' && sized ? `{reference:reference:${size}}` : `{${name}:${slots[name].type}}`
        // All references of a wallet have the same length.
        const sameLength = (value: string, i: number) =>
          names[i] === 'reference' && sized ? value.padEnd(size!, '7').slice(0, size) : value
        return {
          sentence: joined(names.map(slot)),
          texts: [joined(first), joined(second)],
          unseen: joined(unseen.map(sameLength)),
        }
      }),
  )

test('property: with any template that passes the check, no part of a text is read as other money than the whole', async () => {
  const counts = { published: 0, refused: 0, partsRead: 0 }
  await fc.assert(
    fc.asyncProperty(anyTemplate, async ({ sentence, texts, unseen }) => {
      const withoutSamples: AlertTemplate = {
        id: 'one',
        providerId: 'p' as ProviderId,
        name: 'One',
        senderNames: ['S'],
        direction: 'credit',
        currency: 'YER',
        sentence,
        version: 1,
        status: 'draft',
        samples: [],
        counterSamples: [{ text: 'paid 5 YER', why: 'debit' }],
      }
      // The samples expect exactly what is read. The parts then show whether that is safe.
      const samples = texts.flatMap((sample) => {
        const reading = readAlert(withoutSamples, normalise(sample))
        if (reading === undefined) return []
        const { direction: _, currency: __, others: ___, ...fields } = reading
        const decimal = (value: unknown) =>
          typeof value === 'bigint' ? `${value / 100n}.${String(value % 100n).padStart(2, '0')}` : value
        const expect = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, decimal(value)]))
        return [{ text: sample, expect: expect as { amount: string } }]
      })
      const template = { ...withoutSamples, samples }
      if (!(await checkTemplate(template, [])).green) {
        counts.refused++
        return
      }
      counts.published++
      for (const message of [...samples.map((sample) => sample.text), unseen]) {
        const whole = readAlert(template, normalise(message))
        if (whole === undefined) continue
        const { beginnings, ends } = cutsOf(message)
        for (const cut of [...beginnings, ...ends]) {
          const part = readAlert(template, cut)
          if (part === undefined) continue
          counts.partsRead++
          assert.equal(part.amount, whole.amount, `${sentence}: ${cut}`)
          assert.ok(part.reference === undefined || part.reference === whole.reference, `${sentence}: ${cut}`)
          assert.ok(part.balance === undefined || part.balance === whole.balance, `${sentence}: ${cut}`)
        }
      }
    }),
    { numRuns: 100 },
  )
  assert.ok(Math.min(counts.published, counts.refused, counts.partsRead) > 20, JSON.stringify(counts))
})

test('the raw and the normalised text are cut, also between a letter and its accent', () => {
  const { beginnings, ends } = cutsOf('1٬5 \ud83d\ude00 e\u0301')
  assert.deepEqual(beginnings, ['1', '1,', '1,5', '1,5 \ufffd', '1,5 \ud83d\ude00', '1,5 \ud83d\ude00 e'])
  assert.ok(ends.includes('\ufffd é') && ends.includes('\u0301') && ends.includes(',5 \ud83d\ude00 é'))
})
