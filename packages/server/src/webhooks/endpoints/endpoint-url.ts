/**
 * The address of an endpoint in two parts. Its query often contains a password, so it is stored sealed and shown to those only who
 * may read secrets. An earlier version stored the whole address in one part. Pure.
 */

/** What stands in place of a query that is not shown. */
const hiddenQuery = '?…'

export type UrlParts = { readonly url: string /** With its question mark; `''`: none. */; readonly query: string }

export const splitUrl = (whole: string): UrlParts => {
  const at = whole.indexOf('?')
  return at === -1 ? { url: whole, query: '' } : { url: whole.slice(0, at), query: whole.slice(at) }
}

/** The address for everybody who may see that the endpoint exists. `sealed`: its query is stored apart. */
export const shownUrl = (stored: string, sealed: boolean): string => {
  const { url, query } = splitUrl(stored)
  return sealed || query !== '' ? `${url}${hiddenQuery}` : url
}

/** Whether the text names the address, written in full or as it is shown. */
export const isSameUrl = (text: string, whole: string): boolean => {
  const { query } = splitUrl(whole)
  return URL.parse(text)?.href === whole || (query !== '' && text.trim() === shownUrl(whole, false))
}

/** The values of the query, which a receiver's answer may repeat. */
export const queryValues = (whole: string): string[] => [...new URLSearchParams(splitUrl(whole).query).values()]
