/** The headers that a merchant adds to deliveries: which are allowed, changes of them, and what is shown of them. Pure. */

const longestHeader = 1024

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const printable = /^[\t\x20-\x7e]*$/
const reserved =
  /^(host|content-.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|expect|accept-encoding|user-agent|x-service-.*)$/i

export type HeaderFault = { readonly code: string; readonly detail: string }

export const headerNameFault = (name: string): HeaderFault | undefined => {
  if (name.length > 100 || !token.test(name))
    return { code: 'invalid', detail: `${JSON.stringify(name.slice(0, 100))} is not the name of a header.` }
  if (reserved.test(name)) return { code: 'header_reserved', detail: `The header ${name} is reserved.` }
  return undefined
}

export const headerValueFault = (value: string): HeaderFault | undefined => {
  if (value.length > longestHeader)
    return { code: 'max_length', detail: `Ensure this field has no more than ${longestHeader} characters.` }
  if (value !== value.trim() || !printable.test(value))
    return { code: 'invalid', detail: 'A header holds printable ASCII, without spaces at its ends.' }
  return undefined
}

/** Changes of headers: a value sets, null removes, a header that is not listed stays. */
export type HeaderChanges = ReadonlyMap<string, string | null>

/** Names are compared without case; a header is sent as it was last written. */
export const changedHeaders = (
  before: Readonly<Record<string, string>>,
  changes: HeaderChanges,
): Record<string, string> => {
  const after = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), { name, value }]))
  for (const [name, value] of changes) {
    if (value === null) after.delete(name.toLowerCase())
    else after.set(name.toLowerCase(), { name, value })
  }
  return Object.fromEntries([...after.values()].map(({ name, value }) => [name, value]))
}

const serviceHeader = /^(content-type|user-agent|x-service-.*)$/i
export const hidden = '(hidden)'

/** The values of the merchant's custom headers in a request. */
export const customHeaderValues = (sent: Readonly<Record<string, string>>): string[] =>
  Object.entries(sent).flatMap(([name, value]) => (serviceHeader.test(name) ? [] : [value]))

/** The headers of a request as the dashboard shows them. Custom headers often contain a password: their values are hidden. */
export const shownHeaders = (sent: Readonly<Record<string, string>>): Record<string, string> => {
  const shown: Record<string, string> = {}
  for (const name of Object.keys(sent)) shown[name] = serviceHeader.test(name) ? sent[name]! : hidden
  return shown
}
