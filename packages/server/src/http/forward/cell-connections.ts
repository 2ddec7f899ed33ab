/**
 * Calls to other cells: the connections, and the time limits. The origin is from the operator's own setting, so it may be of a private
 * network. Nothing is tried twice: what the caller sent may have been done, and the caller knows whether to send it again.
 */
import type { Readable } from 'node:stream'
import type { Agent } from 'undici'
import { minute_ms } from '../../core/duration.ts'

export type CellCall = {
  readonly origin: string
  readonly path: string
  readonly method: string
  /** Names and values in turn. */
  readonly headers: string[]
  readonly body: Buffer
  readonly signal: AbortSignal
}

export type CellAnswer = { readonly status: number; readonly headers: string[]; readonly body: Readable }

export type CellConnections = {
  /** Resolves when the head of the answer is here. Rejects with `CellAway` if the request did not leave. */
  send(call: CellCall): Promise<CellAnswer>
  close(): Promise<void>
}

export type CellTimes = {
  readonly connect_ms: number
  /** From the request to the head of the answer. */
  readonly head_ms: number
  /** Between two parts of the answer. Streams of events send something in this time. */
  readonly pause_ms: number
}

/** The head comes later than any call of this service takes, and before callers give up. */
export const cellTimes: CellTimes = { connect_ms: 3_000, head_ms: 20_000, pause_ms: minute_ms }

/** No connection could be opened: nothing was sent. */
export class CellAway extends Error {}

const unconnected = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

const isUnconnected = (fault: unknown): boolean => {
  const { code = '', errors } = fault as { code?: string; errors?: readonly { code?: string }[] }
  // A host with several addresses: one error for each.
  return unconnected.has(code) || (errors?.length ? errors.every((one) => unconnected.has(one.code ?? '')) : false)
}

export const cellConnections = (times: CellTimes = cellTimes): CellConnections => {
  let agent: Promise<Agent> | undefined
  // Loaded with the first call: most installations have one cell.
  const open = async (): Promise<Agent> => {
    const { Agent: HttpAgent } = await import('undici')
    return new HttpAgent({
      connect: { timeout: times.connect_ms },
      headersTimeout: times.head_ms,
      bodyTimeout: times.pause_ms,
      keepAliveTimeout: 10_000,
      // One call at a time on a connection: none waits behind another. How many there are is bounded by forward-room.ts.
      pipelining: 1,
    })
  }
  return {
    async send({ origin, path, method, headers, body, signal }) {
      agent ??= open()
      try {
        const answer = await (await agent).request({
          origin,
          path,
          method: method as 'GET',
          headers,
          body: body.length === 0 ? null : body,
          signal,
          responseHeaders: 'raw',
        })
        return { status: answer.statusCode, headers: answer.headers as unknown as string[], body: answer.body }
      } catch (fault) {
        throw isUnconnected(fault) ? new CellAway('the cell cannot be reached', { cause: fault }) : fault
      }
    },
    async close() {
      await (await agent)?.destroy()
    },
  }
}
