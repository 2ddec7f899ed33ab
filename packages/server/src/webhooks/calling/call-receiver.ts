/**
 * One POST to a receiver, and its result. The only place with outgoing HTTP calls. Whatever a receiver does (stalls, floods,
 * sends nonsense or closes the connection), there is a result within the total time and in bounded memory; it never throws.
 * Redirects are not followed, cookies not kept, compressed answers not decompressed. Signing, the schedule and the number of
 * concurrent calls are left to others.
 *
 * A connection serves one call at a time and is then kept for the next call to the same origin, for a minute at most. It stays
 * with the address that was checked when it was opened: a later change of DNS cannot redirect it, and every new connection is
 * checked again (connect-guarded.ts).
 */
import { LRUCache } from 'lru-cache'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import type { AttemptResult } from '../sending/schedule.ts'
import { type WebhookSettings, webhookDefaults } from '../settings.ts'
import type { Cidr } from './address.ts'
import { connectGuarded, type Stages, type Unconnected } from './connect-guarded.ts'
import { guardUrl, type Resolve } from './guard-url.ts'
import {
  type Failure,
  failureOf,
  HEAD_BYTES,
  headOf,
  judgementOf,
  type Outcome,
  resultOf,
  textOf,
  wasHungUp,
} from './read-answer.ts'
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
  readonly body: string
}

export type CallResult = {
  readonly outcome: Outcome
  /** The same in the terms of schedule.ts. */
  readonly result: AttemptResult
  /** Also with a time-out or a broken connection, if the head of the answer had come. */
  readonly status?: number
  /** Those of content-type, content-encoding, retry-after and location that were sent. */
  readonly headers: Readonly<Record<string, string>>
  /** As text, never with a NUL; bytes that are not UTF-8 are replaced. */
  readonly body: string
  /** False if `body` is only the beginning. */
  readonly whole: boolean
  /** Null: that stage was not reached, or the connection was open already. */
  readonly took: Stages & { readonly first_byte_ms: number | null; readonly total_ms: number }
  /** A sentence for users; present whenever the outcome is not ok. */
  readonly error?: string
  /** The address that was called. For the operator only: if it was refused, it may reveal the internal network. */
  readonly address?: string
}

export type CallReceiver = (request: CallRequest) => Promise<CallResult>

export type ReceiverCaller = {
  readonly call: CallReceiver
  /** Closes the kept connections. Calls under way go on to their end. */
  readonly close: () => void
}

/** A connection, open or opening. Undici reconnects a client by itself: each time through its guarded connector. */
type Line = {
  readonly client: Client
  readonly stop: AbortController
  readonly openedAt: number
  reused: boolean
  address: string | undefined
  /** The stages of the last connect, if the running call had to wait for it. */
  stages: Stages
}

const LINE_AGE_MS = 60_000
const NO_STAGES: Stages = { dns_ms: null, connect_ms: null }

/** The connector's error, passed through undici to the call. Its code must be none of undici's: undici retries those for ever. */
class ConnectError extends Error {
  readonly failure: Unconnected
  constructor(failure: Unconnected) {
    super(failure.error)
    this.failure = failure
  }
}

/** The result of an exchange, with as much of the head and the body as had arrived. */
type Exchange = {
  readonly status: number | undefined
  readonly head: Readonly<Record<string, string>>
  readonly body: string
  readonly whole: boolean
  readonly first_byte_ms: number | null
  readonly failure?: Failure
  /** The other side had closed the kept connection: the request was not processed, so it may be tried again. */
  readonly stale: boolean
}

export const receiverCaller = (options: CallerOptions): ReceiverCaller => {
  const { development, allow, keptPerOrigin = 8, keptInAll = 256 } = options
  const timeouts: Timeouts = { ...webhookDefaults, ...options.timeouts }
  const resolve = options.resolve ?? nameResolver({ within_ms: timeouts.dns_ms })
  const { read_bytes, kept_bytes } = options.bounds ?? webhookDefaults
  const kept = new Map<string, Line[]>()
  let keptCount = 0
  let closed = false

  /** The check of a URL's text does not change; its name is resolved at every connection. */
  const judged = new LRUCache<string, ReturnType<typeof guardUrl>>({ max: 2_000 })
  const guardedOnce = (text: string): ReturnType<typeof guardUrl> => {
    const known = judged.get(text)
    if (known !== undefined) return known
    const verdict = guardUrl(text, { development, allow })
    judged.set(text, verdict)
    return verdict
  }

  const newLine = (url: URL): Line => {
    const stop = new AbortController()
    const connect: buildConnector.connector = ({ hostname, port, protocol }, answer) => {
      const secure = protocol === 'https:'
      const target = { hostname, port: Number(port || (secure ? 443 : 80)), secure }
      const ca = options.ca === undefined ? {} : { ca: options.ca }
      connectGuarded(target, { ...timeouts, resolve, allow, ...ca, signal: stop.signal }).then(
        (result) => {
          line.stages = { dns_ms: result.dns_ms, connect_ms: result.connect_ms }
          line.address = result.address
          if (result.ok) answer(null, result.socket)
          else answer(new ConnectError(result), null)
        },
        (fault: Error) => answer(fault, null),
      )
    }
    const client = new Client(url.origin, {
      connect,
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: HEAD_BYTES,
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 30_000,
      // Our own timers: undici's are coarse, and have no limit for the whole call.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const line: Line = {
      client,
      stop,
      openedAt: performance.now(),
      reused: false,
      address: undefined,
      stages: NO_STAGES,
    }
    client.on('disconnect', () => {
      if (unkeep(url.origin, line)) drop(line)
    })
    return line
  }

  const drop = (line: Line): void => {
    line.stop.abort()
    void line.client.destroy()
  }

  const unkeep = (origin: string, line: Line): boolean => {
    const lines = kept.get(origin)
    const at = lines?.indexOf(line) ?? -1
    if (lines === undefined || at < 0) return false
    lines.splice(at, 1)
    if (lines.length === 0) kept.delete(origin)
    keptCount -= 1
    return true
  }

  const takeLine = (url: URL): Line => {
    for (let line = kept.get(url.origin)?.at(-1); line !== undefined; line = kept.get(url.origin)?.at(-1)) {
      unkeep(url.origin, line)
      if (performance.now() - line.openedAt < LINE_AGE_MS) {
        line.reused = true
        line.stages = NO_STAGES
        return line
      }
      drop(line)
    }
    return newLine(url)
  }

  const keepLine = (url: URL, line: Line): void => {
    const lines = kept.get(url.origin) ?? []
    if (closed || lines.length >= keptPerOrigin || keptCount >= keptInAll) {
      drop(line)
      return
    }
    lines.push(line)
    kept.set(url.origin, lines)
    keptCount += 1
  }

  /** One request over one connection. It is kept if the answer ended well, and closed otherwise. */
  const exchange = (line: Line, url: URL, request: CallRequest, left_ms: number): Promise<Exchange> =>
    new Promise((done) => {
      const chunks: Buffer[] = []
      let read = 0
      let sentAt: number | undefined
      let first_byte_ms: number | null = null
      let status: number | undefined
      let head: Readonly<Record<string, string>> = {}
      let firstByte: NodeJS.Timeout | undefined
      let over = false

      const endOnce = (): boolean => {
        if (over) return false
        over = true
        clearTimeout(firstByte)
        clearTimeout(total)
        return true
      }
      const end = (how: { readonly failure?: Failure; readonly cut?: boolean; readonly stale?: boolean }): void => {
        if (!endOnce()) return
        const { failure, cut = false, stale = false } = how
        if (failure === undefined && !cut) keepLine(url, line)
        else drop(line)
        const body = textOf(chunks)
        const whole = failure === undefined && !cut && read <= kept_bytes
        done({ status, head, body, whole, first_byte_ms, stale, ...(failure === undefined ? {} : { failure }) })
      }
      const total = setTimeout(() => {
        const what =
          sentAt === undefined ? 'was not reached' : `did not ${status === undefined ? '' : 'finish its '}answer`
        const error = `The receiver ${what} within ${timeouts.total_ms / 1000} s in all.`
        end({ failure: { outcome: 'timeout', error } })
      }, left_ms)

      const handler: Dispatcher.DispatchHandler = {
        onRequestStart() {
          if (over) return
          sentAt = performance.now()
          clearTimeout(firstByte)
          firstByte = setTimeout(() => {
            const error = `The receiver did not answer within ${timeouts.first_byte_ms / 1000} s.`
            end({ failure: { outcome: 'timeout', error } })
          }, timeouts.first_byte_ms)
        },
        onResponseStart(_controller, code, headers) {
          // Below 200 the answer is still to come.
          if (over || code < 200) return
          clearTimeout(firstByte)
          first_byte_ms = Math.round(performance.now() - (sentAt ?? performance.now()))
          status = code
          head = headOf(headers)
        },
        onResponseData(_controller, chunk) {
          if (over) return
          const left_bytes = kept_bytes - read
          // A copy: the chunk is a view of a much larger buffer.
          if (left_bytes > 0) chunks.push(Buffer.from(chunk.subarray(0, left_bytes)))
          read += chunk.length
          // The status decides; if the receiver sends more, the connection is closed.
          if (read > read_bytes) end({ cut: true })
        },
        onResponseEnd() {
          end({})
        },
        onResponseError(_controller, fault) {
          const stale = line.reused && status === undefined && wasHungUp(fault)
          end({
            failure: fault instanceof ConnectError ? fault.failure : failureOf(fault, status !== undefined),
            stale,
          })
        },
      }
      const { pathname, search } = url
      line.client.dispatch(
        {
          path: `${pathname}${search}`,
          method: 'POST',
          headers: headersOf(request.headers),
          body: Buffer.from(request.body),
        },
        handler,
      )
    })

  const call: CallReceiver = async (request) => {
    const began = performance.now()
    const guarded = guardedOnce(request.url)
    if (!guarded.ok) {
      const error = guarded.detail
      const took = { ...NO_STAGES, first_byte_ms: null, total_ms: 0 }
      return { outcome: 'refused', result: { kind: 'blocked', error }, error, headers: {}, body: '', whole: true, took }
    }
    let line = takeLine(guarded.url)
    let went = await exchange(line, guarded.url, request, timeouts.total_ms)
    const left_ms = timeouts.total_ms - (performance.now() - began)
    if (went.stale && left_ms > 0) {
      // The other kept connections to this receiver are likely to be closed as well.
      line = newLine(guarded.url)
      went = await exchange(line, guarded.url, request, left_ms)
    }
    const { status, head, body, whole, first_byte_ms } = went
    const { outcome, error } = went.failure ?? judgementOf(status!, head.location)
    return {
      outcome,
      result: resultOf(outcome, error ?? '', status, head),
      headers: head,
      body,
      whole,
      took: { ...line.stages, first_byte_ms, total_ms: Math.round(performance.now() - began) },
      ...(status === undefined ? {} : { status }),
      ...(error === undefined ? {} : { error }),
      ...(line.address === undefined ? {} : { address: line.address }),
    }
  }

  const close = (): void => {
    closed = true
    for (const line of [...kept.values()].flat()) drop(line)
    kept.clear()
    keptCount = 0
  }

  return { call, close }
}

/** Headers of the connection are ours: custom headers must not change them. */
const OURS =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding)$/

/** Of names that differ only in case the last one counts: with two signatures a receiver could use the wrong one. */
const headersOf = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const sent: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    if (!OURS.test(lower)) sent[lower] = headers[name]!
  }
  sent['accept-encoding'] = 'identity'
  return sent
}
