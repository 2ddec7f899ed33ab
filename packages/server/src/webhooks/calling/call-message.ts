/** The messages to the worker thread that calls receivers, and back from it. Pure. */
import type { Bounds, CallerOptions, CallRequest, CallResult, Timeouts } from './call-receiver.ts'
import { resultOf } from './read-answer.ts'

export type ThreadOptions = Pick<CallerOptions, 'development' | 'allow' | 'keptPerOrigin' | 'keptInAll'> & {
  readonly timeouts: Timeouts
  readonly bounds: Bounds
  /** Empty: the name servers of the machine. */
  readonly nameServers: readonly string[]
}

export type ThreadCall = readonly [
  callNumber: number,
  url: string,
  headers: CallRequest['headers'],
  body: CallRequest['body'],
]
export type ThreadResult =
  | readonly [callNumber: number, result: ResultMessage]
  | readonly [callNumber: number, none: undefined, why: string]

/** A result as a flat list, because nested objects are slow to clone between threads. Only headers, if any, are nested. */
type ResultMessage = readonly [
  outcome: CallResult['outcome'],
  status: number | undefined,
  error: string | undefined,
  headers: CallResult['headers'] | undefined,
  body: string,
  whole: boolean,
  dns_ms: number | null,
  connect_ms: number | null,
  first_byte_ms: number | null,
  total_ms: number,
  address: string | undefined,
]

export const toMessage = (result: CallResult): ResultMessage => {
  const { outcome, status, error, headers, body, whole, took, address } = result
  const nonEmptyHeaders = Object.keys(headers).length === 0 ? undefined : headers
  const { dns_ms, connect_ms, first_byte_ms, total_ms } = took
  return [outcome, status, error, nonEmptyHeaders, body, whole, dns_ms, connect_ms, first_byte_ms, total_ms, address]
}

export const fromMessage = (result: ResultMessage): CallResult => {
  const [outcome, status, error, headers = {}, body, whole, dns_ms, connect_ms, first_byte_ms, total_ms, address] =
    result
  return {
    outcome,
    result: resultOf(outcome, error ?? '', status, headers),
    headers,
    body,
    whole,
    took: { dns_ms, connect_ms, first_byte_ms, total_ms },
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    ...(address === undefined ? {} : { address }),
  }
}
