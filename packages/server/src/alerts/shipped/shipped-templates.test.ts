import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkTemplate } from '../../../test/support/pure/check-template.ts'
import type { ProviderId } from '../../core/ids.ts'
import { formatMinor, LARGEST_AMOUNT, type Minor, minor } from '../../core/money.ts'
import { type AlertTemplate, type Reading, readAlert, readText } from '../templates/alert-template.ts'
import { type Part, parseSentence } from '../templates/template-sentence.ts'
import { normalise } from '../texts/normalise.ts'
import { alertTemplatesOf } from './shipped-provider.ts'
import { SHIPPED_PROVIDERS } from './shipped-templates.ts'

const shipped = SHIPPED_PROVIDERS.flatMap((provider) =>
  alertTemplatesOf(provider, provider.name as ProviderId, (template) => `${provider.name}: ${template.name}`),
)
/** All templates as if they were published. */
const published = shipped.map((template): AlertTemplate => ({ ...template, status: 'active' }))
const samples = published.flatMap((template) => template.samples.map(({ text }) => ({ template, text })))
const sample = fc.constantFrom(...samples)
const readBy = (template: AlertTemplate, text: string): Reading | undefined => readAlert(template, normalise(text))
const partsOf = (template: AlertTemplate): readonly Part[] => {
  const parsed = parseSentence(template.sentence)
  return parsed.ok ? parsed.parts : assert.fail(parsed.error.sentence)
}

test('every shipped template passes its check beside all others', async () => {
  for (const template of published)
    assert.deepEqual(await checkTemplate(template, published), { green: true }, template.id)
})

test('every provider can be stored and is unique', () => {
  for (const provider of SHIPPED_PROVIDERS) {
    assert.match(provider.name, /^[a-z0-9-]+$/)
    assert.match(provider.themeColor, /^#[0-9A-F]{6}$/)
    assert.match(provider.displayNameArabic, /^[\p{Script=Arabic} ]+$/u)
    const why = provider.never.map((counter) => counter.why).join()
    for (const kind of ['one-time code', 'promotion', 'other currency']) assert.ok(why.includes(kind), provider.name)
  }
  for (const key of ['name', 'displayName', 'themeColor'] as const)
    assert.equal(new Set(SHIPPED_PROVIDERS.map((provider) => provider[key])).size, SHIPPED_PROVIDERS.length, key)
  assert.equal(new Set(shipped.map((template) => template.id)).size, shipped.length)
})

test('the Yemeni wallets are active from the start, the others are drafts', () => {
  const active = SHIPPED_PROVIDERS.filter((provider) => provider.activeByDefault)
  assert.deepEqual(
    active.map((provider) => provider.name),
    ['jaib', 'jawali', 'floosak', 'kuraimi', 'mfloos', 'one-cash'],
  )
  assert.ok(active.every((provider) => provider.currency === 'YER'))
  for (const template of shipped) assert.equal(template.status, template.currency === 'YER' ? 'active' : 'draft')
})

test('each publicly known wording is read, with the reference if there is one', () => {
  const table: [string, string, string, string | undefined][] = [
    ['Jaib', 'اضيف 500ر.ي تحويل مشترك رص:5680ر.ي من علي المثال-770000000', '500.00', undefined],
    ['Jaib', 'أضيف 30000ر.ي مشتريات رص:220611.7ر.ي من 1234567 م:12345678901234', '30000.00', '12345678901234'],
    ['Jawali', 'استلمت مبلغ 1500 YER من 770000000 رصيدك هو 258113.19', '1500.00', undefined],
    ['Jawali', 'لقد استلمت 36000 YER كقيمة مشتريات بمرجع 123456789012 من علي المثال', '36000.00', '123456789012'],
    ['Floosak', 'استلمت حوالة من علي المثال بمبلغ 250.00 ر.ي رصيدك 250.00 ر.ي', '250.00', undefined],
    ['KuraimiMB', 'أودع/علي المثال لحسابك50,000.00\n51,245.30YERرصيدك', '50000.00', undefined],
    ['MFloos', 'تم إيداع مبلغ 300.00 YER من: علي المثال المرجع:123456789', '300.00', '123456789'],
    ['ONE Cash', 'استلمت 500.00\nمن علي المثال\nرصيدك500.00 ر.ي', '500.00', undefined],
  ]
  for (const [sender, text, amount, reference] of table) {
    const result = readText(shipped, { sender, text })
    assert.ok(result.kind === 'read', text)
    const { reading } = result
    assert.deepEqual(
      [reading.direction, formatMinor(reading.amount), reading.currency, reading.reference],
      ['credit', amount, 'YER', reference],
    )
  }
})

test('no counter-sample is read as a credit by any template of its sender', () => {
  for (const template of published)
    for (const { text, why } of template.counterSamples) {
      if (template.direction === 'debit' && why === 'credit') continue
      for (const sender of template.senderNames) {
        const result = readText(published, { sender, text })
        const credit = result.kind === 'ambiguous' || (result.kind === 'read' && result.reading.direction === 'credit')
        assert.ok(!credit, `${why}: ${text}`)
      }
    }
})

const marks = [
  ...'\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\u00ad',
]

test('invisible marks change nothing, wherever they are', () => {
  const inserts = fc.array(fc.tuple(fc.nat(300), fc.constantFrom(...marks)), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(sample, inserts, ({ template, text }, at) => {
      const characters = [...text]
      for (const [place, mark] of at) characters.splice(place % (characters.length + 1), 0, mark)
      const reading = readBy(template, characters.join(''))
      assert.ok(reading)
      assert.deepEqual(reading, readBy(template, text))
    }),
  )
})

test('digits and separators of any script are read alike', () => {
  const scripts = ['٠', '۰', '０', '०', '০', '\u{1d7ce}'].map((zero) => zero.codePointAt(0)!)
  fc.assert(
    fc.property(
      sample,
      fc.array(fc.constantFrom(undefined, ...scripts), { minLength: 1 }),
      ({ template, text }, used) => {
        let i = 0
        const other = text
          .replace(/[0-9]/g, (digit) => {
            const zero = used[i++ % used.length]
            return zero === undefined ? digit : String.fromCodePoint(zero + Number(digit))
          })
          .replace(/(?<=\p{Nd})\.(?=\p{Nd})/gu, '٫')
          .replace(/(?<=\p{Nd}),(?=\p{Nd})/gu, '٬')
        assert.deepEqual(readBy(template, other), readBy(template, text))
      },
    ),
  )
})

test('line breaks and wide spaces are read as spaces', () => {
  fc.assert(
    fc.property(
      sample,
      fc.constantFrom('\n', '\r\n', '\t', '\u00a0', '\u2003 \u2028', '   '),
      ({ template, text }, space) => {
        assert.deepEqual(readBy(template, text.replaceAll(' ', space)), readBy(template, text))
      },
    ),
  )
})

const grouped = (amount: Minor): string => formatMinor(amount).replace(/\B(?=(\d{3})+\.)/g, ',')
const amounts = fc.bigInt({ min: 1n, max: LARGEST_AMOUNT }).map(minor)

test('every template reads every amount and balance, with and without separators and spaces', () => {
  const words = { reference: '98765432', phone: '770000000', name: 'علي المثال', any: 'x 1' }
  fc.assert(
    fc.property(
      fc.constantFrom(...published),
      amounts,
      amounts,
      fc.boolean(),
      fc.boolean(),
      (template, amount, balance, commas, glue) => {
        const spell = commas ? grouped : formatMinor
        const text = partsOf(template)
          .map((part) => {
            if (part.kind === 'gap') return '\n'
            if (part.kind === 'text') return glue ? part.text : ` ${part.text} `
            if (part.type === 'money') return spell(part.name === 'amount' ? amount : balance)
            return words[part.type]
          })
          .join('')
        const reading = readBy(template, text)
        assert.ok(reading, text)
        assert.equal(reading.amount, amount)
        if (template.sentence.includes('{balance:')) assert.equal(reading.balance, balance)
      },
    ),
  )
})

test('property: text added before or after an alert makes it unread, or extends a slot at the edge and changes nothing else', () => {
  const strange = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom('0', '9', '.', ',', ' ', 'ر', 'ي', 'A', '-', '\n', ':'),
      minLength: 1,
      maxLength: 12,
    }),
    sample.map(({ text }) => text),
  )
  fc.assert(
    fc.property(sample, strange, fc.boolean(), ({ template, text }, extra, first) => {
      // An added text before may be a whole alert, and then the template reads that one.
      const before = first && !samples.some((known) => known.text === extra)
      const forged = before ? extra + text : text + extra
      if (normalise(forged) === normalise(text)) return
      const reading = readBy(template, forged)
      if (reading === undefined) return
      const edge = partsOf(template).at(before ? 0 : -1)!
      assert.ok(edge.kind === 'slot', forged)
      // A debit may have a slot of free text in its middle, which reads more. A debit verifies nothing.
      if (template.direction === 'debit') return assert.equal(reading.amount, readBy(template, text)!.amount)
      const without = (all: Reading) => ({ ...all, others: { ...all.others, [edge.name]: '' }, [edge.name]: '' })
      assert.deepEqual(without(reading), without(readBy(template, text)!), forged)
    }),
    { numRuns: 2000 },
  )
})

test('property: the beginning of an alert is read only if the cut is in its last slot, and with the same amount', () => {
  fc.assert(
    fc.property(sample, fc.nat(), ({ template, text }, place) => {
      const plain = normalise(text)
      const cut = plain.slice(0, place % plain.length)
      const reading = readAlert(template, cut)
      if (reading === undefined) return
      // Only the slot at the end of the text can be cut without notice, and a full stop can be a decimal point.
      const edge = partsOf(template).findLast((part) => part.kind !== 'text' || part.text !== '.')!
      assert.ok(edge.kind === 'slot' && edge.name !== 'amount', cut)
      assert.equal(reading.amount, readAlert(template, plain)!.amount)
    }),
  )
})
