/** Reads the body that moves a claimed reference: the reference as in `PATCH /intents/{id}/`, and the intent that has it. */
import { takeReference } from '@sanad/contract/dashboard/money/intents'
import type { Reading } from '../fields.ts'
import type { Json } from '../json.ts'
import { readAttachReference } from '../merchant/attach-reference-body.ts'
import { bodyReader } from '../schema-reader.ts'

const readFields = bodyReader(takeReference.body)

export const readTakeReference = (sent: Json): Reading<{ reference: string; from: string }> => {
  const fields = readFields(sent)
  if (fields.kind === 'no') return fields
  const reading = readAttachReference(sent)
  return reading.kind === 'no' ? reading : { kind: 'ok', value: { ...reading.value, from: fields.value.from } }
}
