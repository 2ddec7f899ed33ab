/**
 * A number beside the noun that it counts has a form of the noun for each plural form of the language: two in English, six in
 * Arabic (`3 رسائل`, `11 رسالة`, `رسالتان`). A text without such forms writes the number after a colon, in brackets, or as `n of m`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { all } from '../../src/words/all.ts'

/** The values that are numbers. All others are texts: names, amounts, times. */
const numbers =
  'all|count|credits|days|done|endpoints|factors|monthly|more|ms|n|number|p50|p95|percent|phones|seconds|templates|total|tried|used|without'

const forms = {
  en: ['one', 'other'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
} as const

/** Texts in which a number stands before a noun without forms, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'amounts.arrived': 'days: a constant of the service, 30',
  'amounts.templates': 'n of m: English says "1 of 3 templates"',
  'calls.ms': 'a unit is not counted',
  'phones.seconds': 'a unit is not counted',
  'seen.after': 'a unit is not counted',
  'webhooks.latencyText': 'a unit is not counted',
  'webhooks.took': 'a unit is not counted',
  'webhooks.testOk': 'a unit is not counted',
  'webhooks.successRate': 'n of m: English says "1 of 3 attempts"',
  'account.quotaUsed': 'n of m: English says "1 of 3 payment requests"',
  'refused.logo_bytes': 'a unit is not counted',
  'refused.logo_pixels': 'a unit is not counted',
  'webhooks.missedMore': 'more than a constant, 1000',
  'hidden.othersMore': 'more than a constant, 1000',
}

/** A limit is a constant of the service and more than one: English needs one form. */
const isLimit = (text: string): boolean =>
  /[Aa]t most \{\{n\}\}|quota of \{\{n\}\}|\{\{n\}\} characters at least/.test(text)

/** What may follow a number that counts nothing: the end, punctuation, or a word that joins. */
const countsNothing =
  /^(?:$|[\s]*[).,:;…!?،؛؟%٪»)(]|\s(?:of|more|at|is|are|was|waiting|sent|arrived|paid|later|من|غيرها|بانتظار)(?![\p{L}\p{M}]))/u

const baseOf = (key: string): string => key.replace(/_(?:zero|one|two|few|many|other)$/, '')

for (const language of ['en', 'ar'] as const) {
  const texts: Readonly<Record<string, string>> = all[language]
  const isPlural = (key: string): boolean => baseOf(key) !== key && `${baseOf(key)}_other` in texts

  test(`a number before its noun has the plural forms of the language, ${language}`, () => {
    const found = Object.entries(texts).flatMap(([key, text]) => {
      if (isPlural(key) || baseOf(key) in exceptions || isLimit(text)) return []
      return [...text.matchAll(new RegExp(`\\{\\{(?:${numbers})\\}\\}`, 'g'))]
        .filter(({ 0: value, index }) => !countsNothing.test(text.slice(index + value.length)))
        .map(() => `${key}: ${text}`)
    })
    assert.deepEqual(found, [])
  })

  test(`every plural has all forms of the language, and the value that selects them, ${language}`, () => {
    const bases = new Set(Object.keys(texts).filter(isPlural).map(baseOf))
    assert.ok(bases.size > 20, `only ${bases.size} plurals were found`)
    const missing = [...bases].flatMap((base) =>
      forms[language].map((form) => `${base}_${form}`).filter((key) => !(key in texts)),
    )
    assert.deepEqual(missing, [])
    // The form for a hundred is the one for every large number: without its number it would say nothing.
    const silent = [...bases].filter((base) => !texts[`${base}_other`]!.includes('{{count}}'))
    assert.deepEqual(silent, [])
  })

  test(`an exception is still needed and still exists, ${language}`, () => {
    const gone = Object.keys(exceptions).filter((key) => !(key in texts))
    assert.deepEqual(gone, [])
  })
}

test('the form of three to ten differs from that of eleven in Arabic, wherever a noun follows the number', () => {
  const same = Object.keys(all.ar)
    .filter((key) => key.endsWith('_few'))
    .filter((key) => {
      const texts: Readonly<Record<string, string>> = all.ar
      const few = texts[key]!
      const noun = /\{\{count\}\} ([\p{Script=Arabic}\p{M}]+)/u.exec(few)?.[1]
      if (noun === undefined || few !== texts[key.replace(/_few$/, '_many')]) return false
      // A verb or a preposition, not a noun: `3 فشلت`, `3 بلا رقم عملية`.
      return !/^(?:بلا|فشلت|منها|بانتظار|ستُقرأ|مسجّلة)$/.test(noun)
    })
  assert.deepEqual(same, [])
})
