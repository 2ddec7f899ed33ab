/**
 * What a receiver's answer, or a missing answer, means: the outcome, and a sentence for the delivery log. Pure. schedule.ts
 * decides what follows from an outcome (retry, disable).
 */
export const HEAD_BYTES = 16 * 1024

/** `refused`: nothing was sent, because our guard refused the URL or address, or the request could not be formed. `network`:
 *  the connection failed before the whole HTTP answer had arrived. */
export type Outcome = 'ok' | 'status' | 'redirect' | 'timeout' | 'network' | 'refused' | 'tls' | 'dns'

/** How one attempt ended. `network`: no complete answer in time, for whatever reason. */
export type AttemptResult =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly location?: string | undefined
      readonly retryAfter?: string | undefined
    }
  | { readonly kind: 'network'; readonly error: string }
  /** The address guard refused the URL or an address, or the request could not be formed. */
  | { readonly kind: 'blocked'; readonly error: string }
  /** A fault of the service prevented the call. */
  | { readonly kind: 'unsent'; readonly error: string }

export type Failure = { readonly outcome: Outcome; readonly error: string }

/** PostgreSQL cannot store NUL in a text. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd')

// With `stream`, a character that was cut at the end is left out, not replaced.
export const textOf = (chunks: readonly Buffer[]): string =>
  withoutNul(new TextDecoder().decode(Buffer.concat(chunks), { stream: true }))

const LOGGED_HEADERS = ['content-type', 'content-encoding', 'retry-after', 'location'] as const

/** The headers of an answer that the log stores. */
export const loggedHeadersOf = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    LOGGED_HEADERS.flatMap((name) => {
      const value = headers[name]
      const first = Array.isArray(value) ? value[0] : value
      return first === undefined ? [] : [[name, withoutNul(first.slice(0, 2048))]]
    }),
  )

export const outcomeOf = (
  status: number,
  location?: string,
): { readonly outcome: Outcome; readonly error?: string } => {
  if (status < 300) return { outcome: 'ok' }
  if (status >= 400) return { outcome: 'status', error: `The receiver answered ${status}.` }
  const where = location === undefined ? '' : ` to ${location}`
  const error = `The receiver answered ${status}, a redirect${where}. Redirects are not followed: set the final address.`
  return { outcome: 'redirect', error }
}

export const resultOf = (
  outcome: Outcome,
  error: string,
  status: number | undefined,
  head: Readonly<Record<string, string>>,
): AttemptResult => {
  if (outcome === 'refused') return { kind: 'blocked', error }
  if (outcome !== 'ok' && outcome !== 'status' && outcome !== 'redirect') return { kind: 'network', error }
  return { kind: 'answer', status: status!, location: head.location, retryAfter: head['retry-after'] }
}

const codeOf = (fault: Error): string => (fault as NodeJS.ErrnoException).code ?? ''

/** The receiver closed the connection. */
export const wasClosed = (fault: Error): boolean => ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(fault))

export const failureOf = (fault: Error, answering: boolean): Failure => {
  const code = codeOf(fault)
  const when = answering ? 'in the middle of its answer' : 'before it answered'
  const network = (error: string): Failure => ({ outcome: 'network', error })
  if (code === 'UND_ERR_SOCKET') return network(`The receiver closed the connection ${when}.`)
  if (code === 'ECONNRESET' || code === 'EPIPE') return network(`The receiver reset the connection ${when}.`)
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return network(`The receiver sent more than ${HEAD_BYTES / 1024} KiB of headers.`)
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return network('The answer was shorter or longer than announced.')
  if (fault.name === 'HTTPParserError') return network('The receiver answered with something that is not HTTP.')
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED')
    return { outcome: 'refused', error: `The request could not be formed: ${fault.message}.` }
  return network(`The connection failed ${when} (${code === '' ? fault.name : code}).`)
}
