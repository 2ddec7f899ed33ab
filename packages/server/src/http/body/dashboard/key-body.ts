/** The bodies of making, renaming and rotating an API key. */
import { longestOverlap_s } from '../../../accounts/keys/account-keys.ts'
import { object, type Reading, readBody, required, text, wholeNumber } from '../fields.ts'
import type { Json } from '../json.ts'

const named = object({ name: required(text({ max: 100 })) })

export const readKeyName = (sent: Json): Reading<{ name: string }> => readBody(named, sent)

// Not left to a default: how long a secret that may have leaked lives on is for its owner to say.
const rotation = object({ overlap_s: required(wholeNumber({ min: 0, max: longestOverlap_s })) })

export const readKeyRotation = (sent: Json): Reading<{ overlap_s: number }> => readBody(rotation, sent)
