/** The page of a list of the checkout API. */
import { Type } from 'typebox'
import { numberedPages, pageField, pageSizeField } from '../query.ts'

const { usual, largest } = numberedPages

export const pageQuery = (what: string) => ({
  page_size: {
    description: `${what} per page, ${largest} at most, ${usual} by default.`,
    schema: pageSizeField(numberedPages),
    published: Type.Integer(),
  },
  page: {
    description: 'Number of the page, from 1; `last` is the last one.',
    schema: pageField(),
    published: Type.String(),
  },
})
