/** Every template that comes with the service has a name in Arabic; the name of an account's own template is not changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHIPPED_PROVIDERS } from '../../../server/src/alerts/shipped/shipped-templates.ts'
import { SHIPPED_TEST } from '../../../server/src/alerts/shipped/shipped-test.ts'
import { templateName } from '../../src/screens/templates/template-name.ts'
import { textOf } from '../../src/words/catalogue.ts'
import type { Translate } from '../../src/words/language.ts'
import type { templatesWords } from '../../src/words/screens/templates.ts'
import '../../src/words/all.ts'

const say =
  (language: 'ar' | 'en'): Translate<typeof templatesWords> =>
  (key) =>
    textOf(language, key)

test('templates that are shipped have Arabic names, each one its own', () => {
  const templates = [...SHIPPED_PROVIDERS, SHIPPED_TEST].flatMap((provider) => provider.templates)
  assert.ok(templates.length >= 15)
  const names = new Map<string, string>()
  for (const { name } of templates) {
    const arabic = templateName({ name, shared: true }, say('ar'))
    assert.match(arabic, /^[\p{Script=Arabic}\p{M}\s،]+$/u, name)
    assert.equal(templateName({ name, shared: true }, say('en')), name)
    names.set(name, arabic)
  }
  assert.equal(new Set(names.values()).size, names.size)
})

test('a template of the account keeps the name that a member gave it', () => {
  assert.equal(templateName({ name: 'Deposit', shared: false }, say('ar')), 'Deposit')
  assert.equal(templateName({ name: 'toString', shared: true }, say('ar')), 'toString')
})
