import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatMinor, LARGEST_AMOUNT, type Minor, minor } from '../../core/money.ts'
import { normalise } from '../texts/normalise.ts'
import { SHAPES } from './slot.ts'
import { compileStored, compileTemplate, type Fields, read } from './template.ts'
import { type Part, parseSentence } from './template-sentence.ts'

const compiled = (sentence: string) => {
  const result = compileTemplate(sentence)
  if (!result.ok) assert.fail(`${sentence}: ${result.error.sentence}`)
  return result.template
}
const readIn = (sentence: string, text: string): Fields | undefined => read(compiled(sentence), normalise(text))
const fault = (sentence: string): { at: number; sentence: string } => {
  const result = compileTemplate(sentence)
  return result.ok ? assert.fail(`it compiles: ${sentence}`) : result.error
}

test('a sentence with slots reads an alert', () => {
  const sentence = 'استلمت مبلغ {amount:money} YER من {payer:phone} رصيدك هو {balance:money}'
  assert.deepEqual(readIn(sentence, 'استلمت مبلغ 1500 YER من 770000000 رصيدك هو 258113.19'), {
    amount: 150000n,
    payer: '770000000',
    balance: 25811319n,
    others: {},
  })
})

test('white space may be missing, or be added beside a slot, but not inside a word', () => {
  const sentence = 'مبلغ {amount:money}ر.ي من {payer:name}-{phone:phone}'
  for (const text of [
    'مبلغ 500ر.ي من علي-770000000',
    'مبلغ500 ر.ي من علي - 770000000',
    'مبلغ\n500\nر.يمنعلي-770000000',
  ])
    assert.deepEqual(readIn(sentence, text), { amount: 50000n, payer: 'علي', phone: '770000000', others: {} }, text)
  assert.equal(readIn(sentence, 'مب لغ 500ر.ي من علي-770000000'), undefined)
})

test('interchangeable letters are one letter in the text, but not in the slots', () => {
  const sentence = 'أضيف إلى حوالة {amount:money} من {payer:name}'
  const text = 'اضيف الي حواله 5 من أسامة على'
  assert.equal(readIn(sentence, text)?.payer, 'أسامة على')
  assert.equal(readIn(sentence, text.replace('حواله', 'حوالت')), undefined)
})

test('the sentence is normalised like the alert', () => {
  assert.equal(readIn('ﺍﺳﺘﻠﻤﺖ\u200f ＹＥＲ {\u200famount:money\u200e} رقم ٧٧', 'استلمت YER 5 رقم 77')?.amount, 500n)
})

test('braces and backslashes can be escaped', () => {
  assert.equal(readIn('received \\{\\\\\\} {amount:money} YER', 'received {\\} 5 YER')?.amount, 500n)
})

test('special characters of expressions are taken literally', () => {
  assert.equal(readIn('got (a.b)*+?|^$[x]: {amount:money} YER', 'got (a.b)*+?|^$[x]: 5 YER')?.amount, 500n)
  assert.equal(readIn('got (a.b) {amount:money} YER', 'got (axb) 5 YER'), undefined)
})

test('money is read exactly, or not at all', () => {
  for (const [spelled, amount] of [
    ['30000', '30000.00'],
    ['50,000.00', '50000.00'],
    ['220611.7', '220611.70'],
    ['1,500', '1500.00'],
    ['12,345,678.9', '12345678.90'],
    ['0.05', '0.05'],
    ['٥٬٠٠٠٫٢٥', '5000.25'],
    ['999,999,999,999.99', '999999999999.99'],
  ] as const)
    assert.equal(formatMinor(readIn('received {amount:money} YER', `received ${spelled} YER`)!.amount), amount, spelled)
  for (const spelled of [
    '1,00,0',
    '1,00,000',
    '10,00',
    '1500,000',
    ',500',
    '500,',
    '1.500,00',
    '1.500',
    '5.',
    '.5',
    '5.5.5',
    '0500',
    '00',
    '-5',
    '+5',
    '5e3',
    '1 500',
    '0',
    '0.00',
    '1000000000000',
    '9'.repeat(40),
  ])
    assert.equal(readIn('received {amount:money} YER', `received ${spelled} YER`), undefined, spelled)
})

test('each slot type accepts only its own shape', () => {
  const fits = (slot: string, text: string) =>
    readIn(`got {amount:money} YER, ${slot} ;`, `got 5 YER, ${text} ;`) !== undefined
  const table: [string, string[], string[]][] = [
    ['{reference:reference}', ['1234', 'AB-12cd', '1'.repeat(64)], ['123', '1'.repeat(65), '12 34', 'AB_12', 'أبجد']],
    [
      '{phone:phone}',
      ['770000000', '+967770000000', '7XX***123'],
      ['770 000', 'XXXX', '123', '77+0000', '7'.repeat(25)],
    ],
    [
      '{payer:name}',
      ['علي', 'ع*** ص.', "Al-Sabri O'Neil", 'ALI EX...', '****', 'سُعاد'],
      ['علي 7', 'a:b', '...', 'a,b', 'x'.repeat(81), '٧'],
    ],
    ['{note:any}', ['x', 'a 1 : 2', '7'.repeat(200)], ['', 'x'.repeat(201), 'lost \ud83d']],
  ]
  for (const [slot, yes, no] of table) {
    for (const text of yes) assert.ok(fits(slot, text), `${slot} ${text}`)
    for (const text of no) assert.ok(!fits(slot, text), `${slot} ${text}`)
  }
})

test('a placeholder is not a reference: the money is read without one', () => {
  const middle = 'got {amount:money} YER ref {reference:reference} from {payer:name}'
  const end = 'got {amount:money} YER ref {reference:reference:4}'
  for (const nothing of [
    '----',
    'null',
    'NULL',
    'None',
    'N/A',
    'n/a',
    '0000',
    '0',
    '00-00',
    '-',
    '—',
    '––',
    'nil',
    'NA',
    'unknown',
  ])
    for (const [sentence, text] of [
      [middle, `got 5 YER ref ${nothing} from Ali`],
      [end, `got 5 YER ref ${nothing}`],
    ] as const) {
      const fields = readIn(sentence, text)
      assert.equal(fields?.amount, 500n, text)
      assert.equal(fields.reference, undefined, text)
    }
  for (const reference of ['0001', 'A000', 'null1', '1000', '0-01'])
    assert.equal(readIn(middle, `got 5 YER ref ${reference} from Ali`)?.reference, reference)
  for (const none of ['x/a1', '12/a', '12—34', 'a/b'])
    assert.equal(readIn(middle, `got 5 YER ref ${none} from Ali`), undefined, none)
})

test('a reference at the beginning or the end of the text needs its length in the template', () => {
  const end = 'got {amount:money} YER ref {reference:reference:6}'
  const start = '{reference:reference:6} got {amount:money} YER'
  for (const [reference, read] of [
    ['AB1234', 'AB1234'],
    ['AB123', undefined],
    ['A', undefined],
    ['AB12345', undefined],
    ['000000', undefined],
    ['------', undefined],
  ] as const)
    for (const fields of [readIn(end, `got 5 YER ref ${reference}`), readIn(start, `${reference} got 5 YER`)]) {
      assert.equal(fields?.amount, 500n, reference)
      assert.equal(fields.reference, read, reference)
    }
  // A length is allowed elsewhere too.
  const middle = 'got {amount:money} YER ref { reference : reference : ٦ } ok'
  assert.equal(readIn(middle, 'got 5 YER ref AB1234 ok')?.reference, 'AB1234')
  assert.equal(readIn(middle, 'got 5 YER ref AB12345 ok')?.reference, undefined)
})

test('money at the end of a text is read only with both decimals', () => {
  const balance = 'got {amount:money} YER, balance {balance:money}'
  for (const [spelled, read] of [
    ['1,234.50', 123_450n],
    ['1,234.5', undefined],
    ['1,234', undefined],
    ['1', undefined],
  ] as const) {
    assert.equal(readIn(balance, `got 5 YER, balance ${spelled}`)?.amount, 500n)
    assert.equal(readIn(balance, `got 5 YER, balance ${spelled}`)?.balance, read, spelled)
    // The full stop may be a decimal point.
    assert.equal(readIn(`${balance}.`, `got 5 YER, balance ${spelled}.`)?.balance, read, spelled)
    assert.equal(readIn('you got YER {amount:money}', `you got YER ${spelled}`)?.amount, read, spelled)
  }
  assert.equal(readIn(`${balance} YER`, 'got 5 YER, balance 1,234 YER')?.balance, 123_400n)
})

test('a sentence older than reference lengths is read without values that may be cut', () => {
  const stored = (sentence: string, length: number | undefined, text: string) => {
    const compiled = compileStored(sentence, length)
    assert.ok(compiled.ok)
    return read(compiled.template, normalise(text))
  }
  const end = 'got {amount:money} YER ref {reference:reference}'
  assert.equal(stored(end, 6, 'got 5 YER ref AB1234')?.reference, 'AB1234')
  assert.equal(stored(end, 6, 'got 5 YER ref AB12')?.amount, 500n)
  assert.equal(stored(end, 6, 'got 5 YER ref AB12')?.reference, undefined)
  assert.equal(stored(end, undefined, 'got 5 YER ref AB1234')?.reference, undefined)
  const first = '{balance:money} YER is left, {amount:money} YER came'
  assert.equal(stored(first, undefined, '900.00 YER is left, 5 YER came')?.balance, undefined)
  assert.equal(stored('{amount:money} YER came', undefined, '900.00 YER came'), undefined)
})

test('slots with other names are returned in `others`', () => {
  const fields = readIn('got {amount:money} from {agent:name} on {date:any}.', 'got 5 from Ali on 2/1/26 10:15.')
  assert.deepEqual(fields, { amount: 500n, others: { agent: 'Ali', date: '2/1/26 10:15' } })
})

test('a text that can be read in two ways is not read', () => {
  const sentence = 'note {note:any} amount {amount:money} YER {more:any}'
  assert.equal(readIn(sentence, 'note tea amount 5 YER thanks')?.amount, 500n)
  assert.equal(readIn(sentence, 'note tea amount 900 YER x amount 5 YER thanks'), undefined)
  // The longest and the shortest reading have the amount 5; another one has 900.
  assert.equal(readIn(sentence, 'note a amount 5 YER b amount 900 YER c amount 5 YER d'), undefined)
})

test('a payer cannot put an amount into an alert through a name', () => {
  const sentence = 'استلمت حوالة من {payer:name} بمبلغ {amount:money} ر.ي'
  assert.equal(readIn(sentence, 'استلمت حوالة من علي بمبلغ 9000 ر.ي بمبلغ 5 ر.ي'), undefined)
})

test('a text that is too long is cut, and not read', () => {
  const sentence = 'received {amount:money} YER {rest:any}'
  assert.equal(readIn(sentence, `received 5 YER ok${' '.repeat(5000)}void`), undefined)
})

test('a faulty sentence gives the position and the reason', () => {
  const table: [string, number, RegExp][] = [
    ['received {amount:mony}', 9, /no slot type "mony".*money, reference/],
    ['received {amount}', 9, /is not a slot/],
    ['received {Amount:money}', 9, /small letters/],
    ['received {amount:name}', 9, /\{amount\} cannot be of the type name; it can be money/],
    ['received {amount:money} of {points:money}', 27, /\{points\} cannot be of the type money/],
    ['received {amount:money} or {amount:money}', 27, /stands twice/],
    ['received {amount:money} ref {reference:reference}', 28, /ends the sentence.*\{reference:reference:12\}/],
    ['{reference:reference} received {amount:money} YER', 0, /begins the sentence.*\{reference:reference:12\}/],
    ['received {amount:money} ref {reference:reference:3} ok', 28, /4 to 64 characters, not 3/],
    ['received {amount:money} ref {reference:reference:65} ok', 28, /4 to 64 characters, not 65/],
    ['received {amount:money} from {payer:name:5}', 29, /only a reference can have one/],
    ['{amount:money} YER received', 0, /\{amount:money\} begins the sentence/],
    ['. {amount:money} YER received', 2, /\{amount:money\} begins the sentence/],
    ['{balance:money} YER left, {amount:money} YER received', 0, /\{balance:money\} begins the sentence/],
    ['received, balance: YER {amount:money} now', 23, /tells the balance/],
    ['received {payer:name}', 0, /no \{amount:money\}/],
    ['received {amount:money', 9, /never closed/],
    ['received } {amount:money}', 9, /closes nothing/],
    ['received \\n {amount:money}', 9, /backslash/],
    [`${'x'.repeat(2000)}{amount:money}`, 2000, /at most 2000/],
    ['{amount:money}', 0, /hardly any words/],
    ['{amount:money} $', 0, /hardly any words/],
    ['received \ufffd {amount:money}', 0, /lost on its way/],
    ['received {amount:money} from {payer:name}{phone:phone}', 41, /touch/],
    ['received {amount:money} from {payer:name}\u200f{phone:phone}', 42, /touch/],
    ['received {amount:money} from {payer:name} {agent:name}', 42, /cannot be told apart/],
    ['received {amount:money} from {payer:name} {rest:any}', 42, /cannot be told apart/],
    ['received {note:any} {amount:money}', 20, /cannot be told apart/],
    ['received 1{amount:money}', 10, /before \{amount:money\} could be part/],
    ['received 1 {amount:money}', 11, /before \{amount:money\} could be part/],
    ['received {amount:money}0 YER', 23, /after \{amount:money\} could be part/],
    ['received {amount:money},{balance:money}', 23, /after \{amount:money\} could be part/],
    ['received {amount:money} . 5 YER', 23, /after \{amount:money\} could be part/],
    [`received {amount:money} ${'abcdefghijkl'.replace(/./g, '{$&:phone} and ')}`, 178, /13 slots; at most 12/],
    [
      `received {amount:money} ${'abcdefgh'.replace(/./g, 'and then {$&:any} ')}`,
      0,
      /too long for all that its slots leave open/,
    ],
    [`received {amount:money} ${'x'.repeat(900)}`, 0, /too long for all that its slots leave open/],
  ]
  for (const [sentence, at, words] of table) {
    const error = fault(sentence)
    assert.match(error.sentence, words, sentence)
    assert.equal(error.at, at, `${sentence}: ${error.sentence}`)
  }
})

test('sentences whose slots can be told apart compile', () => {
  for (const sentence of [
    'Tk.{amount:money}. Balance {balance:money}.',
    'paid {amount:money} {balance:money} YER',
    'paid {payer:name} {amount:money}',
    'paid {payer:name} {phone:phone} {amount:money}',
    'paid to {constructor:any}: {amount:money}',
  ])
    compiled(sentence)
})

const amounts = fc.bigInt({ min: 1n, max: LARGEST_AMOUNT }).map((units) => minor(units))
const grouped = (amount: Minor): string => formatMinor(amount).replace(/\B(?=(\d{3})+\.)/g, ',')

test('property: an amount is read the same with and without separators and trailing zeros', () => {
  const template = compiled('received {amount:money} YER')
  fc.assert(
    fc.property(amounts, (amount) => {
      const plain = formatMinor(amount)
      const short = plain.replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros.replace(/0+$/, '')))
      for (const spelled of [plain, grouped(amount), short])
        assert.equal(read(template, `received ${spelled} YER`)?.amount, amount, spelled)
    }),
  )
})

// A slow reference model: all ways to split a text into the parts of a sentence.
const ways = (parts: readonly Part[], text: string, before?: Part): string[][] => {
  const [part, ...rest] = parts
  if (part === undefined) return text === '' ? [[]] : []
  if (part.kind === 'gap') return text.startsWith(' ') ? ways(rest, text.slice(1), part) : []
  const edges = before !== undefined && before.kind !== 'gap' && text.startsWith(' ') ? ['', ' '] : ['']
  return edges.flatMap((edge) => {
    const remaining = text.slice(edge.length)
    if (part.kind === 'text')
      return remaining.startsWith(part.text) ? ways(rest, remaining.slice(part.text.length), part) : []
    const shape = new RegExp(`^(?:${SHAPES[part.type].expression.replaceAll('\\x{', '\\u{')})$`, 'u')
    const found: string[][] = []
    for (let end = 1; end <= remaining.length; end++) {
      const slot = remaining.slice(0, end)
      if (shape.test(slot)) found.push(...ways(rest, remaining.slice(end), part).map((slots) => [slot, ...slots]))
    }
    return found
  })
}

test('property: the longest and the shortest reading of a text differ exactly if there is more than one reading', () => {
  const sentences = [
    '{s0:any}a{s1:any}',
    '{s0:any} ab {s1:any} ab {s2:any}',
    '{s0:name}a{s1:name}b{s2:any}',
    '{reference:reference}-{s1:phone}1{s2:any}',
    '{reference:reference}a{s1:phone}-{s2:name}',
    '{s0:any} {s1:phone}a{s2:name}',
    '{s0:name} {s1:phone}',
  ].map((tail) => {
    const parsed = parseSentence(`zzz{amount:money}z${tail}`)
    assert.ok(parsed.ok)
    return { parts: parsed.parts, template: compiled(`zzz{amount:money}z${tail}`) }
  })
  const tails = fc
    .array(fc.constantFrom('a', 'ab', 'b', '1', '-', ' '), { minLength: 1, maxLength: 12 })
    .map((pieces) => pieces.join(''))
  const counts = { none: 0, one: 0, more: 0 }
  fc.assert(
    fc.property(fc.constantFrom(...sentences), tails, ({ parts, template }, tail) => {
      const text = normalise(`zzz5z${tail}`)
      const all = new Set(ways(parts, text).map((slots) => slots.join('|')))
      counts[all.size === 0 ? 'none' : all.size === 1 ? 'one' : 'more']++
      assert.equal(template.greedy.testExact(text), all.size > 0)
      if (all.size === 0) return
      const [longest, shortest] = [template.greedy, template.lazy].map((expression) => {
        const matcher = expression.matcher(text)
        assert.ok(matcher.matches())
        return template.slots.map((_, i) => matcher.group(i + 1)).join('|')
      })
      assert.ok(all.has(longest!) && all.has(shortest!))
      assert.equal(longest === shortest, all.size === 1)
    }),
    { numRuns: 2000 },
  )
  // So that every case was really checked.
  assert.ok(Math.min(counts.none, counts.one, counts.more) > 50, JSON.stringify(counts))
})
