/** Lists that can grow: a page at a time, with a cursor that only we can read. */
import { type TSchema, Type } from 'typebox'
import type { QueryParameter } from './operation.ts'

export const usualPageSize = 50
export const largestPageSize = 200

export const pageOf = <const S extends TSchema>(of: S, description: string) =>
  Type.Object(
    {
      next: Type.Union([Type.String(), Type.Null()], {
        description: 'To send as `after` for the following page; null: this is the last.',
      }),
      results: Type.Array(of),
    },
    { additionalProperties: false, description },
  )

export const afterQuery: QueryParameter = {
  description: 'The `next` of the page before.',
  schema: Type.String({ maxLength: 200 }),
}

export const pageSizeQuery: QueryParameter = {
  description: `How many at most, ${usualPageSize} unless you say, never more than ${largestPageSize}.`,
  schema: Type.Integer({ minimum: 1, maximum: largestPageSize, default: usualPageSize }),
}
