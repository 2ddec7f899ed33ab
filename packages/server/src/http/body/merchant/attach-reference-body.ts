/**
 * The body of `PATCH /intents/{id}/`: the reference that the wallet showed the buyer, trimmed and otherwise as sent. One of
 * invisible characters alone is blank. Whether another payment has it, and whether the intent still waits for one, is
 * decided by matching.
 *
 * Written by hand, not made from the contract's schema: its errors are fixed by the contract's test cases, and it refuses
 * numbers that a client may have rounded, which no other body does.
 */
import { referenceKey } from '../../../core/reference-key.ts'
import { object, type Reading, readBody, required, text } from '../fields.ts'
import type { Json } from '../json.ts'

const body = object({ reference: required(text({ max: 128, exactNumbers: true })) })

export const readAttachReference = (sent: Json): Reading<{ reference: string }> => {
  const reading = readBody(body, sent)
  if (reading.kind === 'no' || referenceKey(reading.value.reference) !== '') return reading
  return { kind: 'no', errors: [{ attr: 'reference', code: 'blank', detail: 'This field may not be blank.' }] }
}
