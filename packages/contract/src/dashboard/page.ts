/** One page of a long list: its results, and where the next page begins. */
import { type TSchema, Type } from 'typebox'

export const pageOf = <Element extends TSchema>(element: Element, description: string) =>
  Type.Object(
    {
      next: Type.Union([Type.String(), Type.Null()], {
        description: 'Send it as `after` for the next page; null: this was the last.',
      }),
      results: Type.Array(element),
    },
    { additionalProperties: false, description },
  )

export const pageQuery = {
  after: { description: 'The `next` of the page before.', schema: Type.String({ maxLength: 1000 }) },
  page_size: { description: 'How many, at most 200.', schema: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) },
}
