/** One page of a long list: its results, and where the next page begins. */
import { type TSchema, Type } from 'typebox'
import { afterField, type CursorPart, cursorPages, pageSizeField } from '../query.ts'
import { closed, orNull } from '../schema.ts'

export const pageOf = <Element extends TSchema>(element: Element, description: string) =>
  closed(description, {
    next: orNull(Type.String(), 'Send it as `after` for the next page; null: this was the last.'),
    results: Type.Array(element),
  })

/** `parts`: what the list is sorted by; none: by its ids. */
export const pageQuery = <const Parts extends readonly CursorPart[]>(...parts: Parts) => ({
  after: { description: 'The `next` of the page before.', schema: afterField(parts) },
  page_size: {
    description: `How many, at most ${cursorPages.largest}.`,
    schema: pageSizeField(cursorPages),
    published: {
      type: 'integer',
      minimum: 1,
      maximum: cursorPages.largest,
      description: `Left out: \`${cursorPages.usual}\`.`,
    },
  },
})
