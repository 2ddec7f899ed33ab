/**
 * A slot for a name takes names and no sentences, in every shipped credit that has one: more than three hundred things that a
 * message may say beside the payer's name are never read as a payment that can be matched; thousands of made-up names are.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertTemplatesOf } from '../../src/alerts/shipped/shipped-provider.ts'
import { SHIPPED_PROVIDERS } from '../../src/alerts/shipped/shipped-templates.ts'
import { type AlertTemplate, readText, type TextReading } from '../../src/alerts/templates/alert-template.ts'
import { parseSentence } from '../../src/alerts/templates/template-sentence.ts'
import { deniesItself } from '../../src/alerts/texts/denies-itself.ts'
import type { ProviderId } from '../../src/core/ids.ts'
import { madeUpNames, nameParts } from './made-up-names.ts'
import { arabicWords, englishWords, sentenceTails } from './sentence-tails.ts'

const templates = SHIPPED_PROVIDERS.flatMap((provider) =>
  alertTemplatesOf(provider, provider.name as ProviderId, ({ name }) => `${provider.name}: ${name}`),
).map((template): AlertTemplate => ({ ...template, status: 'active' }))
/** Credits with a slot for a name or for free text, each as a function from that slot's text to the message. */
const messages = templates.flatMap((template) => {
  const parsed = parseSentence(template.sentence)
  assert.ok(parsed.ok)
  const slots = parsed.parts.filter((part) => part.kind === 'slot')
  const words = { money: '1,500.00', reference: '1234567890', phone: '770000000', name: 'علي المثال', any: '10:15' }
  return template.direction === 'debit'
    ? []
    : slots
        .filter(({ type }) => type === 'name' || type === 'any')
        .map((slot) => ({
          template,
          slot,
          message: (filling: string): string =>
            parsed.parts
              .map((part) => {
                if (part.kind === 'gap') return '\n'
                if (part.kind === 'text') return ` ${part.text} `
                if (part.type === 'reference')
                  return words.reference.padEnd(part.length ?? 10, '7').slice(0, part.length ?? 10)
                return part === slot ? filling : words[part.type]
              })
              .join(''),
        }))
})
const nameSlots = messages.filter(({ slot }) => slot.type === 'name')
const freeTexts = messages.filter(({ slot }) => slot.type === 'any')

const reading = ({ template }: { template: AlertTemplate }, text: string): TextReading =>
  readText(templates, { sender: template.senderNames[0]!, text })
/** Whether the service may match the text: a credit that does not deny itself and has no unexpected words. */
const isMatchable = (slot: { template: AlertTemplate }, text: string): boolean => {
  const read = reading(slot, text)
  return (
    read.kind === 'read' && read.reading.direction === 'credit' && read.unexpected === undefined && !deniesItself(text)
  )
}

const payers = ['علي صالح المثال', 'عبدالله المثال', 'شركة المثال للتجارة', 'ALI EXAMPLE', 'ع*** المثال']
/** The sentence after every payer, and in other places beside the first. */
const fillings = (tail: string): readonly string[] => [
  ...payers.map((payer) => `${payer} ${tail}`),
  tail,
  `${tail} ${payers[0]}`,
  payers[0]!.replace(' ', ` ${tail} `),
  `${payers[0]}\n${tail}`,
  `${payers[0]} (${tail})`,
  `${payers[0]} - ${tail}`,
  `${payers[0]}. ${tail}.`,
]

test('the corpus has enough of both', () => {
  assert.ok(new Set(sentenceTails).size >= 300)
  assert.deepEqual(
    [...new Set(nameSlots.map(({ template }) => template.senderNames[0]))],
    ['Jaib', 'Jawali', 'Floosak', 'KuraimiMB', 'MFloos', 'ONE Cash', 'MPESA', 'VF-Cash'],
  )
})

test('a sentence beside a name is never read as a payment that can be matched, in every shipped credit', () => {
  const matched: string[] = []
  let tried = 0
  for (const slot of nameSlots)
    for (const tail of sentenceTails)
      for (const filling of fillings(tail)) {
        tried++
        const text = slot.message(filling)
        if (isMatchable(slot, text)) matched.push(`${slot.template.id}: ${text}`)
      }
  assert.ok(tried >= 30_000, String(tried))
  assert.deepEqual(matched, [])
})

test('a word or two after a name are never read as a part of it, in every shipped credit', () => {
  assert.ok(arabicWords.length > 400 && englishWords.length > 300)
  const after = [
    ...arabicWords.flatMap((words) => [`علي صالح المثال ${words}`, `فاطمة المثال - ${words}`]),
    ...arabicWords.filter((words) => !words.includes(' ')).map((word) => `عبدالله المثال و${word}`),
    ...englishWords.flatMap((words) => [`Ali Saleh Example ${words}`, `ALI EXAMPLE (${words.toUpperCase()})`]),
  ]
  for (const slot of nameSlots)
    assert.deepEqual(
      after.filter((filling) => isMatchable(slot, slot.message(filling))),
      [],
    )
})

const spread = (word: string, mark: string): string => word.replace(/(?<=\p{L})(?=\p{L})/gu, mark)
const spellings: Readonly<Record<string, (tail: string) => string>> = {
  'without hamza': (tail) => tail.replace(/[أإآ]/g, 'ا').replace(/[ؤئء]/g, ''),
  'ه for ة': (tail) => tail.replaceAll('ة', 'ه').replaceAll('ى', 'ي'),
  capitals: (tail) => tail.toUpperCase(),
  'vowel signs': (tail) => spread(tail, '\u064e'),
  tatweel: (tail) => spread(tail, 'ـ'),
  'invisible marks': (tail) => spread(tail, '\u200b'),
  'and before it': (tail) => `و${tail}`,
  'letter by letter': (tail) => spread(tail, '.'),
  'with accents': (tail) => spread(tail, '\u0301'),
  'Cyrillic letters': (tail) => tail.replaceAll('a', 'а').replaceAll('e', 'е').replaceAll('o', 'о'),
}

test('other spellings of a sentence beside a name are found too', () => {
  const [slot] = nameSlots
  const matched: string[] = []
  for (const [spelling, spell] of Object.entries(spellings))
    for (const tail of sentenceTails) {
      const payer = /[a-z]/i.test(tail) ? 'ALI EXAMPLE' : 'علي صالح المثال'
      const text = slot!.message(`${payer} ${spell(tail)}`)
      if (isMatchable(slot!, text)) matched.push(`${spelling}: ${text}`)
    }
  assert.deepEqual(matched, [])
})

test('a sentence in a slot of free text is not read as a payment that can be matched, if it changes what the message says', () => {
  assert.equal(freeTexts.length, 3)
  for (const slot of freeTexts)
    for (const tail of [
      'will be credited tomorrow',
      'you sent',
      'reversed',
      'if you confirm',
      'تم سحب المبلغ',
      'طلب دفع',
    ]) {
      const text = slot.message(`2/1/26 ${tail}`)
      assert.ok(!isMatchable(slot, text), text)
    }
  for (const slot of freeTexts) assert.ok(isMatchable(slot, slot.message('2/1/26 10:15 AM')))
})

test('of four thousand made-up names at most 0.2 % wait, in every shipped credit', (t) => {
  const names = madeUpNames(4_000, 56)
  assert.ok(new Set(names).size > 3_500)
  for (const slot of nameSlots) {
    const waiting = names.filter((name) => !isMatchable(slot, slot.message(name)))
    t.diagnostic(`${slot.template.id}: ${waiting.length} of ${names.length} wait (${waiting.slice(0, 5).join('; ')})`)
    assert.ok(waiting.length <= names.length * 0.002, `${slot.template.id}: ${waiting.join('; ')}`)
  }
})

test('every part of the made-up names is a name by itself', () => {
  const [slot] = nameSlots
  for (const part of nameParts) assert.ok(isMatchable(slot!, slot!.message(part)), part)
})

test('the payers of the shipped samples are names', () => {
  for (const template of templates)
    for (const { text } of template.samples) {
      const read = readText(templates, { sender: template.senderNames[0]!, text })
      assert.ok(read.kind === 'read' && read.unexpected === undefined, text)
    }
})
