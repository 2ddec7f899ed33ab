/**
 * The headers of a call that is passed on to another cell, and of its answer. Pure. Headers that belong to one connection are left out in
 * both directions (RFC 9110, 7.6.1); what a client says of proxies before us is replaced by what this server knows.
 */

/** Names and values in turn, as Node and undici have them. */
export type RawHeaders = readonly string[]

const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** Written anew for the other cell. The body was received whole, so nothing is expected of it any more. */
const replaced = [
  'host',
  'content-length',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
]

function* pairsOf(headers: RawHeaders): Generator<readonly [name: string, value: string]> {
  for (let i = 0; i + 1 < headers.length; i += 2) yield [headers[i]!, headers[i + 1]!]
}

/** Without those that belong to the connection, by their name or because `Connection` names them. */
const endToEnd = (headers: RawHeaders, others: readonly string[]): (readonly [name: string, value: string])[] => {
  const all = [...pairsOf(headers)]
  const named = all
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((one) => one.trim().toLowerCase()))
  const left = new Set([...ofConnection, ...named, ...others])
  return all.filter(([name]) => !left.has(name.toLowerCase()))
}

/** What this server knows of a call that it passes on. */
export type Passing = {
  /** The origin of the other cell. */
  readonly to: string
  /** This cell's own origin, as a browser names it. */
  readonly ownOrigin: string
  /** The address of the client. */
  readonly address: string
  readonly requestId: string
  /** The value of `forwardedHeader`. */
  readonly stamp: string
}

/** Says that another cell has forwarded the call, for whom, and how often it was forwarded (forward-stamp.ts). */
export const forwardedHeader = 'x-sanad-forwarded'

/** The one cookie that forwarded calls need: of the page that sets up a phone. A browser sends all cookies of this host, also of a session
 *  in the dashboard of another account. */
const setupCookie = /^sanad_setup=/

const cookiesFor = (cookies: string): string =>
  cookies
    .split(';')
    .map((one) => one.trim())
    .filter((one) => setupCookie.test(one))
    .join('; ')

const headerFor = (name: string, value: string, { to, ownOrigin }: Passing): readonly string[] => {
  const lower = name.toLowerCase()
  if (lower === 'origin' && value === ownOrigin) return [name, to]
  if (lower !== 'cookie') return [name, value]
  const cookies = cookiesFor(value)
  return cookies === '' ? [] : [name, cookies]
}

/**
 * The headers that the other cell gets. A page of this cell that calls its own origin is one of the other cell's there; any other origin
 * stays, and is refused there as it would be here. The address that the client asked is not passed on, so that links in answers are those
 * of the other cell, also where it knows its address from the request alone.
 */
export const headersFor = (sent: RawHeaders, passing: Passing): string[] => {
  const { to, address, requestId, stamp } = passing
  const { host, protocol } = new URL(to)
  const passed = endToEnd(sent, [...replaced, forwardedHeader]).flatMap(([name, value]) =>
    headerFor(name, value, passing),
  )
  return [
    ...passed,
    ...['x-forwarded-for', address],
    ...['x-forwarded-host', host],
    ...['x-forwarded-proto', protocol.slice(0, -1)],
    ...['x-request-id', requestId],
    ...[forwardedHeader, stamp],
  ]
}

/** The headers of the answer, for the client. */
export const answerHeaders = (answered: RawHeaders): string[] => endToEnd(answered, []).flat()

/** The path with its query, as it was sent: a phone signs it. A client may also send the whole address. */
export const pathOf = (url: string): string => {
  if (url.startsWith('/')) return url
  const path = /^[a-z]+:\/\/[^/?#]*([/?].*)?$/i.exec(url)?.[1] ?? '/'
  return path.startsWith('/') ? path : `/${path}`
}
