/**
 * Reads the body of `PATCH /intents/{id}/`: the reference that the wallet showed the buyer, trimmed and otherwise as sent. A
 * reference of invisible characters only is blank. Matching decides whether another payment has the reference, and whether
 * the intent still waits for one.
 *
 * Written by hand and not built from the contract's schema: the contract's test cases fix its errors, and it alone refuses
 * numbers that a client may have rounded.
 */
import { errorOf } from '@sanad/contract/error-sentences'
import { intentLimits } from '@sanad/contract/intent'
import { referenceKey } from '../../../core/reference-key.ts'
import { object, type Reading, readBody, required, text } from '../fields.ts'
import type { Json } from '../json.ts'

const body = object({ reference: required(text({ max: intentLimits.reference, exactNumbers: true })) })

export const readAttachReference = (sent: Json): Reading<{ reference: string }> => {
  const reading = readBody(body, sent)
  if (reading.kind === 'no' || referenceKey(reading.value.reference) !== '') return reading
  return { kind: 'no', errors: [{ attr: 'reference', ...errorOf('blank') }] }
}
