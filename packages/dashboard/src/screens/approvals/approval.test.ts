import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from '../../words/catalogue.ts'
import type { Translate } from '../../words/language.ts'
import type { approvalsWords } from '../../words/screens/approvals.ts'
import { type Approval, shownChanges } from './approval.ts'

const shown = (language: 'ar' | 'en', field: string, before: string | null, after: string | null) => {
  const t = ((key: string, values = {}) => textOf(language, key, values)) as Translate<typeof approvalsWords>
  const approval = { kind: 'wallet.update', lists: [], changes: [{ field, before, after }] } as unknown as Approval
  const [change] = shownChanges(approval, t, language)
  return change !== undefined && 'text' in change ? change.text.replaceAll(/[\u2066-\u2069]/g, '') : undefined
}

test('an owner reads the amounts of an approval with groups of digits, and other values as they are', () => {
  assert.equal(shown('en', 'low_trust_limit', '0.00', '500000.00'), '0.00 becomes 500,000.00')
  assert.equal(shown('ar', 'review_above', '90000.00', null), 'من 90,000.00 إلى لا شيء')
  assert.equal(shown('en', 'sender_name', 'Jawali', '967777000001'), 'Jawali becomes 967777000001')
  assert.equal(shown('en', 'review_broken_chains', 'true', 'false'), 'on becomes off')
  assert.equal(shown('en', 'something_else', 'a', 'b'), undefined)
})
