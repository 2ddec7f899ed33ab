/** The parts that all calls of phones share: they are counted, and refusals have one format. */
import type { FastifyRequest } from 'fastify'
import type { Clock, Instant } from '../../core/clock.ts'
import { Problem, throttled } from '../answers.ts'
import { addressKey } from '../limits/address-key.ts'
import { takeCall } from '../limits/count-call.ts'
import type { Bucket, Limits, Rules, Verdict } from '../limits/rule.ts'

export type PhoneRouteDeps = {
  readonly clock: Clock
  readonly limits: Limits
  /** Null: no limits at all. */
  readonly rules: Rules | null
  /** Called with a fault that the answer does not show. */
  readonly onFault: (fault: unknown) => void
}

export const take = async (deps: PhoneRouteDeps, bucket: Bucket, key: string, now: Instant): Promise<Verdict> =>
  takeCall(deps, bucket, key, now)

const unauthorised = (code: string, detail: string, extraFields?: Record<string, unknown>): Problem =>
  new Problem(
    401,
    'client_error',
    [{ code, detail, attr: null }],
    { 'www-authenticate': 'Device realm="device"' },
    extraFields,
  )

export const notSigned = (): Problem =>
  unauthorised('not_authenticated', 'Authentication credentials were not provided.')

export const wrongSignature = (detail = 'Incorrect authentication credentials.'): Problem =>
  unauthorised('authentication_failed', detail)

export const clockSkew = (now: Instant): Problem =>
  unauthorised('clock_skew', 'The timestamp is more than 300 seconds off. Sign again by the time of the server.', {
    server_time: seconds(now),
  })

/** Counts an unauthenticated call against its address. Returns `problem` (401), or 429 above the limit. */
export const countedRefusal = async (
  deps: PhoneRouteDeps,
  request: FastifyRequest,
  problem: Problem,
  now: Instant,
): Promise<Problem> => {
  const verdict = await take(deps, 'ingest_failure', addressKey(request.ip), now)
  return verdict.allowed ? problem : throttled(verdict.retryAfterS)
}

/** Unix seconds: the unit of the timestamps that phones sign. */
export const seconds = (now: Instant): number => Math.floor(now / 1000)

export const bytesOf = (request: FastifyRequest): Uint8Array =>
  request.body instanceof Uint8Array ? request.body : new Uint8Array()

/** The value of a header; undefined: missing or empty. */
export const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
