/**
 * The query of a request, read as form data. The last of repeated parameters counts. `a[b]` is an ordinary name, without a
 * special meaning.
 */
export const pairsOf = (url: string): [string, string][] => {
  const at = url.indexOf('?')
  // URLSearchParams drops a question mark at the very beginning; the ampersand before it prevents that.
  return at < 0 ? [] : [...new URLSearchParams(`&${url.slice(at + 1)}`)]
}

export const lastValues = (url: string): ReadonlyMap<string, string> => new Map(pairsOf(url))

const quotePlus = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The same address with another page. Parameters are sorted by name; page 1 is written without `page`. */
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
