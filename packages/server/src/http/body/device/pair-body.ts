/**
 * Reads the body of `POST /pair`: the one-time code as it was typed, and facts about the phone. wallets/phones decides
 * whether the code is valid.
 */
import type { AboutPhone } from '../../../wallets/pairing/pair-phone.ts'
import { object, type Reading, readBody, required, text, withDefault } from '../fields.ts'
import type { Json } from '../json.ts'

const phoneFact = withDefault(text({ max: 100, blank: true }), '')
const body = object({
  code: required(text({ max: 100 })),
  agent: phoneFact,
  version: phoneFact,
  model: phoneFact,
  android: phoneFact,
})

export const readPair = (sent: Json): Reading<{ code: string; about: AboutPhone }> => {
  const reading = readBody(body, sent)
  if (reading.kind === 'no') return reading
  const { code, ...about } = reading.value
  return { kind: 'ok', value: { code, about } }
}
