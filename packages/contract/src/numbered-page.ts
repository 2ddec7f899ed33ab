/** One page of a list whose pages are numbered. */
import { type TSchema, Type } from 'typebox'
import { numberedPages } from './query.ts'
import { closed, orNull } from './schema.ts'

const pageUrl = (which: string) =>
  orNull(
    Type.String({ format: 'uri' }),
    `Absolute URL of the ${which} page, with the same filters; null when there is none.`,
  )

export const numberedPageOf = <Element extends TSchema>(
  element: Element,
  described: { readonly count: string; readonly results: string; readonly page: string },
) =>
  closed(described.page, {
    count: Type.Integer({ minimum: 0, description: described.count }),
    next: pageUrl('next'),
    previous: pageUrl('previous'),
    results: Type.Array(element, { maxItems: numberedPages.largest, description: described.results }),
  })
