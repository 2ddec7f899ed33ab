/** Each finding of the operator's page names the same values in both languages, and has a cure in both or in none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findingTexts } from '@sanad/contract/finding-texts'
import { findingWords } from '../../src/words/findings.ts'

test('an Arabic finding names the values of the English one', () => {
  const valuesOf = (text: string): string[] => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!).sort()
  const keys = Object.keys(findingTexts) as (keyof typeof findingTexts)[]
  assert.ok(keys.length > 50)
  for (const key of keys) assert.deepEqual(valuesOf(findingWords.ar[key]), valuesOf(findingTexts[key]), key)
})

test('a cure belongs to a finding', () => {
  for (const key of Object.keys(findingTexts))
    if (key.startsWith('cure.')) assert.ok(Object.hasOwn(findingTexts, key.replace('cure.', 'finding.')), key)
})
