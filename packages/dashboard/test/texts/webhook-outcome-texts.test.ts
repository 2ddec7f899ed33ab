/** Every outcome of a webhook attempt that the service knows has a text in both languages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../../server/src/webhooks/calling/read-answer.ts'
import type { FailureReason } from '../../../server/src/webhooks/sending/schedule.ts'
import { outcomeText } from '../../src/screens/webhooks/outcome-text.ts'
import { all } from '../../src/words/all.ts'
import { textOf } from '../../src/words/catalogue.ts'
import type { Translate } from '../../src/words/language.ts'
import type { webhooksWords } from '../../src/words/screens/webhooks.ts'

// A new outcome causes a type error here until it is listed.
const outcomes: Readonly<Record<Outcome | FailureReason | 'lapsed', true>> = {
  ok: true,
  status: true,
  redirect: true,
  timeout: true,
  network: true,
  refused: true,
  tls: true,
  dns: true,
  gone: true,
  misconfigured: true,
  busy: true,
  failed: true,
  blocked: true,
  unsent: true,
  lapsed: true,
}

test('every outcome has a text; an unknown one shows the service’s text', () => {
  const say =
    (language: 'ar' | 'en'): Translate<typeof webhooksWords> =>
    (key) =>
      textOf(language, key)
  assert.ok(Object.keys(all.ar).length > 0)
  for (const outcome of Object.keys(outcomes)) {
    const attempt = { outcome, error: 'The receiver answered 500.' }
    assert.match(outcomeText(attempt, say('ar')), /\p{Script=Arabic}/u, outcome)
    assert.match(outcomeText(attempt, say('en')), /^It|^What/, outcome)
  }
  assert.equal(outcomeText({ outcome: 'new', error: 'As it came.' }, say('ar')), 'As it came.')
})
