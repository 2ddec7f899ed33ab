/** The two headers for developers, which every answer of the merchant, checkout and developer APIs may have. */
import { Type } from 'typebox'
import type { Parameters } from '../operation.ts'

export const hintHeaders: Parameters = {
  'X-Service-Hint': {
    description:
      'For developers: one sentence in English that says how to repair the request, or which value was not used as it was sent. ' +
      'Left out where the body says enough. Its words may change: programs decide by `code`.',
    schema: Type.String({ maxLength: 300 }),
    example: 'order_id is not a field of this call: did you mean external_order_id?',
  },
  'X-Service-Ignored': {
    description:
      'For developers: the names of fields, parameters and headers that were sent and had no effect, at most ten, separated by ' +
      'commas. Characters other than letters, digits and `-_.*` are written as `%XX`.',
    schema: Type.String({ maxLength: 640 }),
    example: 'order_id, items.0.sku',
  },
}
