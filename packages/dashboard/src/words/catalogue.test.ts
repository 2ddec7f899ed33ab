/** Plural forms in both languages, and values inside a text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasText, textOf, words } from './catalogue.ts'

const fruit = words(
  { 'fruit.eaten_one': '{{who}} ate one', 'fruit.eaten_other': '{{who}} ate {{count}}', 'fruit.name': 'Date' },
  {
    'fruit.eaten_zero': 'لا شيء',
    'fruit.eaten_one': 'واحدة',
    'fruit.eaten_two': 'اثنتان',
    'fruit.eaten_few': '{{count}} تمرات',
    'fruit.eaten_many': '{{count}} تمرة',
    'fruit.eaten_other': '{{count}} تمرة كاملة',
    'fruit.name': 'تمر',
  },
)

test('a plural has two forms in English and six in Arabic', () => {
  const textsIn = (language: 'ar' | 'en') =>
    [0, 1, 2, 3, 11, 100].map((count) => textOf(language, 'fruit.eaten', { who: '$&', count }))
  assert.deepEqual(textsIn('en'), ['$& ate 0', '$& ate one', '$& ate 2', '$& ate 3', '$& ate 11', '$& ate 100'])
  assert.deepEqual(textsIn('ar'), ['لا شيء', 'واحدة', 'اثنتان', '3 تمرات', '11 تمرة', '100 تمرة كاملة'])
})

test('a number selects its plural form and is inserted as it is formatted', () => {
  const shown = (value: string | number): string => `<${value}>`
  assert.equal(textOf('ar', 'fruit.eaten', { count: 3 }, shown), '<3> تمرات')
})

test('a key without a text is shown as it is', () => {
  assert.ok(hasText(fruit, 'fruit.name'))
  assert.ok(!hasText(fruit, 'fruit.colour'))
  assert.equal(textOf('ar', 'fruit.colour'), 'fruit.colour')
})
