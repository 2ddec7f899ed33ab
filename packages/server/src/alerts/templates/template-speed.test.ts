/**
 * Reading takes linear time. The tests compare times: twice the text may take twice as long, but not four times. The absolute
 * figures are printed for the reader; no test depends on them.
 */
import '../../../test/runner/own-process.ts'
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SHIPPED_PROVIDERS } from '../shipped/shipped-templates.ts'
import { LONGEST_TEXT, normalise } from '../texts/normalise.ts'
import { compileTemplate, read, type Template } from './template.ts'
import { parseSentence } from './template-sentence.ts'

const fill = { money: '1,', reference: 'A-', phone: '7X', name: 'ع ', any: 'a1' }
const good = { money: '1,500', reference: '12345678', phone: '770000000', name: 'علي', any: 'x 1' }

/** The alert up to one of its slots, and then characters that the slot accepts: the worst case of a backtracking engine. */
const hostileTexts = (sentence: string, length: number): string[] => {
  const parsed = parseSentence(sentence)
  if (!parsed.ok) assert.fail(parsed.error.sentence)
  const { parts } = parsed
  const spell = (part: (typeof parts)[number]) =>
    part.kind === 'text' ? part.text : part.kind === 'gap' ? ' ' : good[part.type]
  const whole = parts.map(spell).join(' ')
  const stuffed = parts.flatMap((part, i) => {
    const head = parts.slice(0, i).map(spell).join(' ')
    return part.kind === 'slot' ? [`${head} ${fill[part.type].repeat(length)}`, `${head} ${'1'.repeat(length)}`] : []
  })
  return [...stuffed, `${whole} `.repeat(length), 'ا '.repeat(length), parts.map(spell).join('').repeat(length)].map(
    (text) => normalise(text.slice(0, length)),
  )
}

/** The shortest of many tries, in milliseconds: other work of the machine only adds to the time. */
const fastest = (work: () => void, tries: number): number => {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < tries; i++) {
    const start = process.hrtime.bigint()
    work()
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e6)
  }
  return best
}

/** Asserts that `long`, with twice the text, takes less than four times as long as `short`. */
const assertLinear = (t: TestContext, what: string, short: () => void, long: () => void, tries = 20): void => {
  short()
  long()
  let [single, double] = [fastest(short, tries), fastest(long, tries)]
  // On a busy machine every try of one of them may have been slow: then both are measured again.
  for (let again = 0; again < 5 && double / single >= 4; again++) {
    single = Math.min(single, fastest(short, tries))
    double = Math.min(double, fastest(long, tries))
  }
  t.diagnostic(
    `${what}: ${single.toFixed(3)} ms, twice as long ${double.toFixed(3)} ms (x ${(double / single).toFixed(1)})`,
  )
  assert.ok(double / single < 4, `${what}: ${single} ms and ${double} ms`)
}

const compiled = (sentence: string): Template => {
  const result = compileTemplate(sentence)
  return result.ok ? result.template : assert.fail(result.error.sentence)
}

test('hostile texts take linear time with every shipped template', (t) => {
  let matching_ms = 0
  let reading_ms = 0
  for (const provider of SHIPPED_PROVIDERS)
    for (const { name, sentence } of provider.templates) {
      const template = compiled(sentence)
      const [short, long] = [LONGEST_TEXT / 2, LONGEST_TEXT].map((length) => hostileTexts(sentence, length))
      // The expression itself, because `read` returns early for a text this long.
      const all = (texts: string[]) => () => {
        for (const text of texts) template.greedy.testExact(text)
      }
      assertLinear(t, `${provider.name}, ${name}, ${long!.length} texts`, all(short!), all(long!), 15)
      for (const text of long!) {
        matching_ms = Math.max(
          matching_ms,
          fastest(() => template.greedy.testExact(text), 10),
        )
        reading_ms = Math.max(
          reading_ms,
          fastest(() => read(template, normalise(text)), 10),
        )
      }
    }
  t.diagnostic(`the slowest of ${LONGEST_TEXT} characters: ${matching_ms.toFixed(3)} ms to match`)
  t.diagnostic(`the slowest of ${LONGEST_TEXT} characters: ${reading_ms.toFixed(3)} ms to normalise and read`)
})

test('the worst sentence that compiles takes linear time with the worst text for it', (t) => {
  const repeated = 'a'.repeat(80)
  const sentence = `received {amount:money} YER {x:any} ${repeated} {y:any} ${repeated} {z:any} ${repeated}`
  const template = compiled(sentence)
  const text = (length: number) => `received 5 YER ${'a'.repeat(length)}`.slice(0, length)
  const [short, long] = [text(template.longest >> 1), text(template.longest)]
  assert.ok(template.greedy.testExact(short) && template.greedy.testExact(long))
  const thrice = (message: string) => () => {
    for (let i = 0; i < 3; i++) read(template, message)
  }
  assertLinear(t, `${long.length >> 1} characters, three times`, thrice(short), thrice(long), 10)
})

test('an ordinary alert is read by one template of its provider', (t) => {
  for (const provider of SHIPPED_PROVIDERS.slice(0, 2)) {
    const templates = provider.templates.map(({ sentence }) => compiled(sentence))
    const { text } = provider.templates[0]!.samples[0]!
    const all = () => {
      for (let i = 0; i < 100; i++) for (const template of templates) read(template, normalise(text))
    }
    all()
    assert.equal(templates.filter((template) => read(template, normalise(text)) !== undefined).length, 1)
    t.diagnostic(`${provider.name}, ${templates.length} templates: ${(fastest(all, 10) * 10).toFixed(1)} us`)
  }
})

test('normalising takes linear time', (t) => {
  for (const [what, unit] of [
    ['letters', 'أ'],
    ['digits', '٣'],
    ['white space', ' \n'],
    ['marks', '\u200f'],
    ['characters of eighteen', '\ufdfa'],
    ['accents out of order', '\u0315\u0300\u0316'],
    ['half characters', '\ud83d'],
  ] as const) {
    const text = (length: number) => unit.repeat(length).slice(0, length)
    const [short, long] = [text(LONGEST_TEXT / 2), text(LONGEST_TEXT)]
    const fiveTimes = (message: string) => () => {
      for (let i = 0; i < 5; i++) normalise(message)
    }
    assertLinear(t, `${what}, five times`, fiveTimes(short), fiveTimes(long))
  }
})
