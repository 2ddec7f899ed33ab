/** The body of marking a notice as seen. */
import { flag, object, type Reading, readBody, withDefault } from '../fields.ts'
import type { Json } from '../json.ts'

const seen = object({ older: withDefault(flag(), false) })

export const readSeen = (sent: Json): Reading<{ older: boolean }> => readBody(seen, sent)
