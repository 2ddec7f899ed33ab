/**
 * One POST to a receiver, and its result. The only place with outgoing HTTP calls. Whatever a receiver does (stalls, floods,
 * sends nonsense or closes the connection), there is a result within the total time and in bounded memory; a call never throws.
 * Redirects are not followed, cookies not kept, compressed answers not decompressed. Signing, the schedule and the number of
 * concurrent calls are left to others; receiver-connections.ts opens and keeps the connections.
 */
import { LRUCache } from 'lru-cache'
import type { Dispatcher } from 'undici'
import type { Cidr } from '../../core/cidr.ts'
import { type WebhookSettings, webhookDefaults } from '../settings.ts'
import type { Stages } from './connect-guarded.ts'
import { guardUrl, type Resolve } from './guard-url.ts'
import type { AttemptResult } from './read-answer.ts'
import {
  type Failure,
  failureOf,
  loggedHeadersOf,
  type Outcome,
  outcomeOf,
  resultOf,
  textOf,
  wasClosed,
} from './read-answer.ts'
import {
  ConnectError,
  type Connection,
  NO_STAGES,
  type ReceiverConnections,
  receiverConnections,
} from './receiver-connections.ts'
import { nameResolver } from './resolve-names.ts'

export type Timeouts = {
  readonly dns_ms: number
  /** Connecting and the TLS handshake. */
  readonly connect_ms: number
  /** From the request to the complete head of the answer. */
  readonly first_byte_ms: number
  /** The whole call, with the body of the answer. */
  readonly total_ms: number
}

/** How much of an answer is read, and how much of that is stored for the log. */
export type Bounds = Pick<WebhookSettings, 'read_bytes' | 'kept_bytes'>

export type CallerOptions = {
  readonly development: boolean
  readonly allow: readonly Cidr[]
  readonly timeouts?: Partial<Timeouts>
  readonly bounds?: Bounds
  readonly resolve?: Resolve
  /** Certificate authorities instead of the machine's. */
  readonly ca?: string
  /** Connections kept open between calls. */
  readonly keptPerOrigin?: number
  readonly keptInAll?: number
}

export type CallRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A text is sent as UTF-8. */
  readonly body: string | Uint8Array
}

export type CallResult = {
  readonly outcome: Outcome
  /** The outcome in the terms of schedule.ts. */
  readonly result: AttemptResult
  /** Set also after a time-out or a broken connection, if the head of the answer had arrived. */
  readonly status?: number
  /** The content-type, content-encoding, retry-after and location of the answer, as far as it has them. */
  readonly headers: Readonly<Record<string, string>>
  /** The body of the answer as text, without NUL; bytes that are not UTF-8 are replaced. */
  readonly body: string
  /** False if `body` is only the beginning of the answer's body. */
  readonly whole: boolean
  /** Null: that stage was not reached, or the connection was open already. */
  readonly took: Stages & { readonly first_byte_ms: number | null; readonly total_ms: number }
  /** A sentence for users; present whenever the outcome is not ok. */
  readonly error?: string
  /** The address that was called. For the operator only: a refused address may reveal the internal network. */
  readonly address?: string
}

export type CallReceiver = (request: CallRequest) => Promise<CallResult>

export type ReceiverCaller = {
  readonly call: CallReceiver
  /** Closes the kept connections. Calls under way go on to their end. */
  readonly close: () => void
}

/** The result of an exchange, with as much of the head and the body as had arrived. */
type Exchange = {
  readonly status: number | undefined
  readonly head: Readonly<Record<string, string>>
  readonly body: string
  readonly whole: boolean
  readonly first_byte_ms: number | null
  readonly failure?: Failure
  /** A kept connection was closed before an answer, most likely before the request arrived: the call is repeated once. */
  readonly stale: boolean
}

type Caller = {
  readonly timeouts: Timeouts
  readonly bounds: Bounds
  readonly connections: ReceiverConnections
}

/** One request over one connection, which is kept if the answer ended well, and closed otherwise. */
const exchange = (
  { timeouts, bounds, connections }: Caller,
  connection: Connection,
  url: URL,
  request: CallRequest,
  left_ms: number,
): Promise<Exchange> =>
  new Promise((done) => {
    const chunks: Buffer[] = []
    let read = 0
    let sentAt: number | undefined
    let first_byte_ms: number | null = null
    let status: number | undefined
    let head: Readonly<Record<string, string>> = {}
    let firstByte: NodeJS.Timeout | undefined
    let ended = false

    const end = (ending: { readonly failure?: Failure; readonly cut?: boolean; readonly stale?: boolean }): void => {
      if (ended) return
      ended = true
      clearTimeout(firstByte)
      clearTimeout(total)
      const { failure, cut = false, stale = false } = ending
      if (failure === undefined && !cut) connections.keep(url, connection)
      else connections.close(connection)
      const body = textOf(chunks)
      const whole = failure === undefined && !cut && read <= bounds.kept_bytes
      done({ status, head, body, whole, first_byte_ms, stale, ...(failure === undefined ? {} : { failure }) })
    }
    const endLate = (error: string): void => end({ failure: { outcome: 'timeout', error } })
    const total = setTimeout(() => {
      const delay =
        sentAt === undefined ? 'was not reached' : `did not ${status === undefined ? '' : 'finish its '}answer`
      endLate(`The receiver ${delay} within ${timeouts.total_ms / 1000} s in all.`)
    }, left_ms)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {
        if (ended) return
        sentAt = performance.now()
        clearTimeout(firstByte)
        firstByte = setTimeout(
          () => endLate(`The receiver did not answer within ${timeouts.first_byte_ms / 1000} s.`),
          timeouts.first_byte_ms,
        )
      },
      onResponseStart(_controller, code, headers) {
        // A status below 200 is provisional: the answer is still to come.
        if (ended || code < 200) return
        clearTimeout(firstByte)
        first_byte_ms = Math.round(performance.now() - (sentAt ?? performance.now()))
        status = code
        head = loggedHeadersOf(headers)
      },
      onResponseData(_controller, chunk) {
        if (ended) return
        const left_bytes = bounds.kept_bytes - read
        // A copy: the chunk is a view of a much larger buffer.
        if (left_bytes > 0) chunks.push(Buffer.from(chunk.subarray(0, left_bytes)))
        read += chunk.length
        // The status alone decides the outcome. The rest of a long body is not read: the connection is closed.
        if (read > bounds.read_bytes) end({ cut: true })
      },
      onResponseEnd() {
        end({})
      },
      onResponseError(_controller, fault) {
        const stale = connection.reused && status === undefined && wasClosed(fault)
        end({
          failure: fault instanceof ConnectError ? fault.failure : failureOf(fault, status !== undefined),
          stale,
        })
      },
    }
    const { pathname, search } = url
    connection.client.dispatch(
      {
        path: `${pathname}${search}`,
        method: 'POST',
        headers: headersOf(request.headers),
        body: Buffer.from(request.body),
      },
      handler,
    )
  })

export const receiverCaller = (options: CallerOptions): ReceiverCaller => {
  const { development, allow, keptPerOrigin = 8, keptInAll = 256 } = options
  const timeouts: Timeouts = { ...webhookDefaults, ...options.timeouts }
  const resolve = options.resolve ?? nameResolver({ within_ms: timeouts.dns_ms })
  const ca = options.ca === undefined ? {} : { ca: options.ca }
  const connections = receiverConnections({ ...timeouts, resolve, allow, ...ca }, { keptPerOrigin, keptInAll })
  const caller: Caller = { timeouts, bounds: options.bounds ?? webhookDefaults, connections }

  /** Caches the check of a URL's text, which never changes. The name in the URL is resolved again for every new connection. */
  const checkedUrls = new LRUCache<string, ReturnType<typeof guardUrl>>({ max: 2_000 })
  const guardOnce = (text: string): ReturnType<typeof guardUrl> => {
    const known = checkedUrls.get(text)
    if (known !== undefined) return known
    const checked = guardUrl(text, { development, allow })
    checkedUrls.set(text, checked)
    return checked
  }

  const call: CallReceiver = async (request) => {
    const began = performance.now()
    const guarded = guardOnce(request.url)
    if (!guarded.ok) {
      const error = guarded.detail
      const took = { ...NO_STAGES, first_byte_ms: null, total_ms: 0 }
      return { outcome: 'refused', result: { kind: 'blocked', error }, error, headers: {}, body: '', whole: true, took }
    }
    let connection = connections.take(guarded.url)
    let exchanged = await exchange(caller, connection, guarded.url, request, timeouts.total_ms)
    const left_ms = timeouts.total_ms - (performance.now() - began)
    if (exchanged.stale && left_ms > 0) {
      // The other kept connections to this receiver are likely to be closed as well.
      connection = connections.open(guarded.url)
      exchanged = await exchange(caller, connection, guarded.url, request, left_ms)
    }
    const { status, head, body, whole, first_byte_ms } = exchanged
    const { outcome, error } = exchanged.failure ?? outcomeOf(status!, head.location)
    return {
      outcome,
      result: resultOf(outcome, error ?? '', status, head),
      headers: head,
      body,
      whole,
      took: { ...connection.stages, first_byte_ms, total_ms: Math.round(performance.now() - began) },
      ...(status === undefined ? {} : { status }),
      ...(error === undefined ? {} : { error }),
      ...(connection.address === undefined ? {} : { address: connection.address }),
    }
  }

  return { call, close: connections.closeAll }
}

/** Headers that belong to the connection: custom headers must not change them. */
const CONNECTION_HEADERS =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding)$/

/** If the names of two headers differ only in case, the last header counts: with two signatures a receiver could use the wrong
 *  one. */
const headersOf = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const sent: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    if (!CONNECTION_HEADERS.test(lower)) sent[lower] = headers[name]!
  }
  sent['accept-encoding'] = 'identity'
  return sent
}
