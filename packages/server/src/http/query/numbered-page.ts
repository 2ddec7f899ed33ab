/**
 * Pages that a list numbers from 1, as the dialect does: the page that a request asks for, and the links to its
 * neighbours. A page that does not exist is answered with 404.
 */
import { noSuchPage } from '../answers.ts'
import { withPage } from './parameters.ts'

export type NumberedPage = { readonly page: number; readonly last: number; readonly offset: number }

/** The page in a list of `count` rows. An empty list has one page. */
export const numberedPage = (requested: number | 'last', count: number, size: number): NumberedPage => {
  const last = Math.max(1, Math.ceil(count / size))
  const page = requested === 'last' ? last : requested
  if (page > last) throw noSuchPage()
  return { page, last, offset: (page - 1) * size }
}

/** `url`: the request, whose other parameters the links keep. */
export const pageLinks = (address: string, url: string, { page, last }: NumberedPage) => ({
  next: page < last ? withPage(address, url, page + 1) : null,
  previous: page > 1 ? withPage(address, url, page - 1) : null,
})
