/**
 * The query of a request as form data. A repeated parameter: the last wins. `a[b]` has no meaning: it is a name like any
 * other.
 */
const pairsOf = (url: string): [string, string][] => {
  const at = url.indexOf('?')
  // The ampersand keeps a second question mark: at the very beginning it would be dropped.
  return at < 0 ? [] : [...new URLSearchParams(`&${url.slice(at + 1)}`)]
}

export const lastValues = (url: string): ReadonlyMap<string, string> => new Map(pairsOf(url))

const quotePlus = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The same address with another page: parameters sorted by name, page 1 written as no page at all. */
export const withPage = (address: string, url: string, page: number): string => {
  if (!url.includes('?')) return page === 1 ? address : `${address}?page=${page}`
  const values = new Map<string, string[]>()
  for (const [name, value] of pairsOf(url)) values.set(name, [...(values.get(name) ?? []), value])
  if (page === 1) values.delete('page')
  else values.set('page', [String(page)])
  const query = [...values.keys()]
    .sort(byCodePoint)
    .flatMap((name) => values.get(name)!.map((value) => `${quotePlus(name)}=${quotePlus(value)}`))
    .join('&')
  return query === '' ? address : `${address}?${query}`
}
