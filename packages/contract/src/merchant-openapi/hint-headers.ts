/** The two headers for developers, which every answer of the merchant, checkout and developer APIs may have. */
import type { Header } from './answers.ts'

/** For `components.headers` of a document. */
export const hintHeaders: Readonly<Record<string, Header>> = {
  'X-Service-Hint': {
    description:
      'For developers: one sentence in English that says how to repair the request, or which value was not used as it was sent. ' +
      'Left out where the body says enough. Its words may change: programs decide by `code`.',
    schema: { type: 'string', maxLength: 300 },
    example: 'order_id is not a field of this call: did you mean external_order_id?',
  },
  'X-Service-Ignored': {
    description:
      'For developers: the names of fields, parameters and headers that were sent and had no effect, at most ten, separated by ' +
      'commas. Characters other than letters, digits and `-_.*` are written as `%XX`.',
    schema: { type: 'string', maxLength: 640 },
    example: 'order_id, items.0.sku',
  },
}

const references = Object.fromEntries(
  Object.keys(hintHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

type Described = { readonly $ref?: string; readonly headers?: object }

/** The answers by their status or name, each with the two headers; one that refers to another answer is left as it is. */
export const withHintHeaders = <Answers extends Readonly<Record<string, unknown>>>(answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => {
      const { $ref, headers } = answer as Described
      return [name, $ref === undefined ? { ...(answer as object), headers: { ...headers, ...references } } : answer]
    }),
  ) as Answers
