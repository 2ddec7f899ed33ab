import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatMinor } from '../../core/money.ts'
import { SHIPPED_PROVIDERS } from '../shipped/shipped-templates.ts'
import { normalise } from '../texts/normalise.ts'
import { expectedOf, type Mark, type MarkedSentence, sentenceFromMarks } from './mark-template.ts'
import { isPlaceholder, slotValue } from './slot.ts'
import { compileTemplate, read } from './template.ts'

/** Pieces of a text; a pair is a marked piece and its slot. */
const marked = (...pieces: (string | readonly [slot: string, text: string])[]): { text: string; marks: Mark[] } => {
  let text = ''
  const marks: Mark[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else {
      marks.push({ from: text.length, to: text.length + piece[1].length, slot: piece[0] })
      text += piece[1]
    }
  }
  return { text, marks }
}

const whyNot = (result: MarkedSentence): string => (result.ok ? '' : `${result.sentence}: ${result.error.sentence}`)

const sentenceOfPieces = (...pieces: Parameters<typeof marked>) => {
  const { text, marks } = marked(...pieces)
  return sentenceFromMarks(text, marks)
}

test('marked pieces of a text become slots, and the other pieces the text of the sentence', () => {
  const sentence = sentenceOfPieces('استلمت مبلغ ', ['amount', '1500'], ' YER من ', ['payer', '771234567'], ' رصيدك ', [
    'balance',
    '258,113.19',
  ])
  assert.ok(sentence.ok)
  assert.equal(sentence.sentence, 'استلمت مبلغ {amount:money} YER من {payer:phone} رصيدك {balance:money}')
  assert.deepEqual(expectedOf(sentence.fields), { amount: '1500.00', payer: '771234567', balance: '258113.19' })
})

test('a reference that is marked at the edge of the text gets its length', () => {
  const sentenceOf = (...pieces: Parameters<typeof marked>) => {
    const sentence = sentenceOfPieces(...pieces)
    assert.ok(sentence.ok, whyNot(sentence))
    return sentence.sentence
  }
  assert.equal(
    sentenceOf('received ', ['amount', '5'], ' YER ref ', ['reference', '١٢٣٤٥٦']),
    'received {amount:money} YER ref {reference:reference:6}',
  )
  assert.equal(
    sentenceOf('\u200f ', ['reference', ' QAB1C2 '], ' Confirmed: ', ['amount', '5'], ' YER'),
    '\u200f {reference:reference:6} Confirmed: {amount:money} YER',
  )
  assert.equal(
    sentenceOf('received ', ['amount', '5'], ' YER ref ', ['reference', '123456'], '\u200f.'),
    'received {amount:money} YER ref {reference:reference}\u200f.',
  )
})

test('a mark that could not be read safely is refused, with advice', () => {
  const why = (...pieces: Parameters<typeof marked>): string => {
    const sentence = sentenceOfPieces(...pieces)
    assert.ok(!sentence.ok)
    return sentence.error.sentence
  }
  const whole = /\{balance\} ends the text without two decimals.*Mark it as other text/
  assert.match(why('received ', ['amount', '5'], ' YER, left ', ['balance', '1,234']), whole)
  assert.match(why('received ', ['amount', '5'], ' YER, left ', ['balance', '1,234.5'], '.'), whole)
  assert.match(why('received YER ', ['amount', '1,234']), /\{amount\} ends the text without two decimals/)
  assert.match(why(['amount', '5.00'], ' YER received'), /\{amount:money\} begins the sentence/)
  assert.match(why('received ', ['amount', '5'], ' YER ref ', ['reference', '----']), /no reference/)
  assert.match(why('received ', ['amount', '5'], ' YER ref ', ['reference', 'None'], ' ok'), /no reference/)
  assert.match(why('received 5 YER, balance ', ['amount', '900'], ' YER'), /tells the balance/)
  assert.ok(sentenceOfPieces('received ', ['amount', '5'], ' YER, left ', ['balance', '1,234.50']).ok)
})

test('a mark gets the narrowest type that fits, or the type that it names', () => {
  const typed = (slot: string, text: string): string => {
    const sentence = sentenceOfPieces('received ', ['amount', '5'], ' YER from ', [slot, text], ' thank you')
    return sentence.ok ? (/\{(?:payer|shop):(\w+)\}/.exec(sentence.sentence)?.[1] ?? '') : sentence.error.sentence
  }
  assert.equal(typed('payer', '771234567'), 'phone')
  assert.equal(typed('payer', 'علي صالح'), 'name')
  assert.equal(typed('payer', 'shop 12, left'), 'any')
  assert.equal(typed('shop:any', 'Saleh'), 'any')
  assert.equal(typed('payer:phone', 'Saleh'), 'What is marked is no phone.')
})

test('a text with braces, backslashes, line breaks, Arabic digits and invisible marks gives a sentence that reads it', () => {
  const text = marked(
    '{\\received}\n',
    ['amount', '\u200e١٬٥٠٠٫٥٠'],
    'YER ref ',
    ['reference', ' AB-12345 '],
    '\u202b.',
  )
  const sentence = sentenceFromMarks(text.text, text.marks)
  assert.ok(sentence.ok, whyNot(sentence))
  assert.deepEqual(expectedOf(sentence.fields), { amount: '1500.50', reference: 'AB-12345' })
})

test('marks that are empty, overlap, exceed the text, or do not fit their type are refused with a reason', () => {
  const text = 'received 1500 YER ref 12345.'
  const why = (...marks: Mark[]): string => {
    const sentence = sentenceFromMarks(text, marks)
    assert.ok(!sentence.ok)
    return sentence.error.sentence
  }
  assert.match(why({ from: 9, to: 9, slot: 'amount' }), /must hold some/)
  assert.match(why({ from: 9, to: 900, slot: 'amount' }), /must hold some/)
  assert.match(why({ from: 9, to: 13, slot: 'amount' }, { from: 11, to: 20, slot: 'payer' }), /overlap/)
  assert.match(why({ from: 0, to: 8, slot: 'amount' }), /no money/)
  assert.match(why({ from: 9, to: 13, slot: '{' }), /no name of a slot/)
  assert.match(why({ from: 9, to: 11, slot: 'amount' }), /could be part of its number/)
  assert.match(why(), /no \{amount:money\}/)
})

const words = fc.array(
  fc.constantFrom('استلمت', 'مبلغ', 'من', 'received', 'YER', 'حسابك', '{x}', '\\', '؛', '\u200f', 'ر.ي'),
  {
    minLength: 1,
    maxLength: 4,
  },
)
const gap = fc.constantFrom(' ', '  ', '\n', ' \u200b ')
const number = fc
  .tuple(fc.integer({ min: 1, max: 9_999_999 }), fc.boolean(), fc.boolean())
  .map(([units, grouped, arabic]) => {
    const plain = grouped ? units.toLocaleString('en-US') : String(units)
    return arabic ? plain.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!).replaceAll(',', '٬') : plain
  })
const reference = fc.stringMatching(/^[A-Z0-9]{6,14}$/).filter((spelled) => !isPlaceholder(spelled))

test('property: the sentence reads the alert that it was made from, each slot with the marked text', () => {
  fc.assert(
    fc.property(
      words,
      number,
      words,
      reference,
      words,
      number,
      words,
      gap,
      (a, amount, b, ref, c, balance, d, space) => {
        const join = (words: string[]): string => `${space}${words.join(space)}${space}`
        const { text, marks } = marked(
          `تم ${join(a)}`,
          ['amount', amount],
          join(b),
          ['reference', ref],
          join(c),
          ['balance', balance],
          join(d),
          'شكرا',
        )
        const sentence = sentenceFromMarks(text, marks)
        assert.ok(sentence.ok, `${text}: ${whyNot(sentence)}`)
        const compiled = compileTemplate(sentence.sentence)
        assert.ok(compiled.ok)
        const fields = read(compiled.template, normalise(text))
        assert.ok(fields)
        assert.equal(fields.amount, slotValue({ type: 'money' }, normalise(amount)))
        assert.equal(fields.reference, ref)
        assert.equal(fields.balance, slotValue({ type: 'money' }, normalise(balance)))
      },
    ),
    { numRuns: 500 },
  )
})

test('property: for any marks in any text, the sentence reads the marked values or a reason is returned', () => {
  const mark = fc.record({
    from: fc.integer({ min: 0, max: 40 }),
    to: fc.integer({ min: 0, max: 44 }),
    slot: fc.constantFrom(
      'amount',
      'reference',
      'payer',
      'phone',
      'balance',
      'fee',
      'shop',
      'x:any',
      'y:name',
      'no:no',
      '',
    ),
  })
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 44 }),
    fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '1', '5', '.', ',', 'ا', '{', '}', '\\', '\n', '\ud83d', '\u0301'),
      maxLength: 44,
    }),
  )
  fc.assert(
    fc.property(texts, fc.array(mark, { maxLength: 5 }), (text, marks) => {
      const sentence = sentenceFromMarks(text, marks)
      if (!sentence.ok) return assert.notEqual(sentence.error.sentence, '')
      const compiled = compileTemplate(sentence.sentence)
      assert.ok(compiled.ok)
      assert.deepEqual(read(compiled.template, normalise(text)), sentence.fields)
    }),
    { numRuns: 2_000 },
  )
})

test('a sentence can be made from every shipped sample', () => {
  for (const provider of SHIPPED_PROVIDERS)
    for (const { samples } of provider.templates)
      for (const { text, expect } of samples) {
        const plain = normalise(text)
        const marks: Mark[] = []
        for (const [slot, value] of Object.entries(expect)) {
          const isMoney = slot === 'amount' || slot === 'balance' || slot === 'fee'
          const found = isMoney
            ? [...plain.matchAll(/[0-9](?:[0-9.,]*[0-9])?/g)].find(
                ([spelled, ...rest]) =>
                  rest.length === 0 &&
                  money(spelled) === value &&
                  !marks.some(({ from, to }) => from <= plain.indexOf(spelled) && plain.indexOf(spelled) < to),
              )
            : undefined
          const from = isMoney ? (found?.index ?? -1) : plain.lastIndexOf(value)
          const spelled = isMoney ? (found?.[0] ?? '') : value
          if (from >= 0 && !marks.some((mark) => mark.from < from + spelled.length && from < mark.to))
            marks.push({ from, to: from + spelled.length, slot })
        }
        const sentence = sentenceFromMarks(plain, marks)
        assert.ok(sentence.ok, `${plain}: ${whyNot(sentence)} ${JSON.stringify(marks)}`)
        assert.equal(formatMinor(sentence.fields.amount), expect.amount)
      }
})

const money = (spelled: string): string | undefined => {
  const value = slotValue({ type: 'money' }, spelled)
  return typeof value === 'bigint' ? formatMinor(value) : undefined
}
