/**
 * The body of `PATCH /intents/{id}/`: the reference the wallet showed the buyer, trimmed and otherwise as sent.
 * Whether another payment holds it, and whether the intent still waits for one, is decided elsewhere.
 */
import { object, type Reading, readBody, required, text } from './fields.ts'
import type { Json } from './json.ts'

const body = object({ reference: required(text({ max: 128, exactNumbers: true })) })

export const readAttachReference = (sent: Json): Reading<{ reference: string }> => readBody(body, sent)
