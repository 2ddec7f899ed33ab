import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerName, providerOptions } from './provider-name.ts'

const provider = (id: string, country: string, display_name_ar = '') => ({
  id,
  country,
  display_name: `name of ${id}`,
  display_name_ar,
})

test('a provider is shown by its Arabic name in Arabic; one without an Arabic name keeps its only name', () => {
  assert.equal(providerName(provider('jaib', 'YE', 'جيب'), 'ar'), 'جيب')
  assert.equal(providerName(provider('jaib', 'YE', 'جيب'), 'en'), 'name of jaib')
  assert.equal(providerName(provider('own', ''), 'ar'), 'name of own')
})

test('providers are grouped by country in the given order; those without one come first', () => {
  const all = [provider('jaib', 'YE', 'جيب'), provider('own', ''), provider('bkash', 'BD'), provider('jawali', 'YE')]
  assert.deepEqual(providerOptions(all, 'en'), [
    { value: 'own', label: 'name of own' },
    {
      group: 'Yemen',
      items: [
        { value: 'jaib', label: 'name of jaib' },
        { value: 'jawali', label: 'name of jawali' },
      ],
    },
    { group: 'Bangladesh', items: [{ value: 'bkash', label: 'name of bkash' }] },
  ])
})

test('providers of a single country are a plain list', () => {
  assert.deepEqual(providerOptions([provider('jaib', 'YE'), provider('own', '')], 'en'), [
    { value: 'jaib', label: 'name of jaib' },
    { value: 'own', label: 'name of own' },
  ])
})
