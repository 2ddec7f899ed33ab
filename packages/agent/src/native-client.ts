/**
 * The phone's side of the native protocol: it connects with a one-time code, signs its requests, and reports alerts and
 * its health. A phone with a wrong clock gets the service's time and signs again with it. The caller keeps unsent
 * alerts: an alert is done when `results` contains it.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { type Patience, type PostAnswer, type PostRequest, patient, post, refusalIn } from './post.ts'

export type DeviceKey = { readonly deviceId: string; readonly secret: string }

export type AgentConfig = {
  readonly version: number
  readonly heartbeat_s: number
  readonly alerts_per_request: number
  readonly senders: readonly { readonly name: string; readonly sim_slot: string }[]
  /** The apps whose notifications matter, each with the sender of its wallet. Left out by older services. */
  readonly packages?: readonly { readonly name: string; readonly sender: string }[]
}

export type Paired = {
  readonly device_id: string
  readonly secret: string
  readonly secret_version: number
  readonly server_time: number
  readonly config: AgentConfig
}

export type NativeAlert = {
  readonly client_id: string
  readonly kind: 'sms' | 'notification'
  readonly sender: string
  readonly package?: string
  readonly title?: string
  readonly text: string
  readonly sim_slot?: string
  /** Unix milliseconds, as are all times in alerts and in `Health`. The service's answers have seconds. */
  readonly sent_at?: number
  readonly received_at: number
}

export type AlertStatus = 'accepted' | 'duplicate' | 'held' | 'invalid'

export type AlertsAnswer = {
  readonly results: readonly { readonly client_id: string | null; readonly status: AlertStatus }[]
  readonly server_time: number
  readonly switched_on: boolean
  readonly config_version: number
}

export type Health = {
  readonly battery?: number
  readonly charging?: boolean
  readonly network?: string
  readonly signal?: number
  readonly app_version?: string
  readonly os_version?: string
  readonly queue_depth?: number
  readonly oldest_unsent_at?: number
  readonly sims?: readonly { readonly slot: string; readonly carrier: string; readonly iccid_tail: string }[]
  /** What does not work on the phone, as short codes; at most eight. */
  readonly problems?: readonly string[]
}

export type HeartbeatAnswer = Omit<AlertsAnswer, 'results'> & {
  readonly config: AgentConfig
  /** When the open self-test ends, in Unix seconds; null: none is open. Left out by older services. */
  readonly self_test_until?: number | null
}

export type NativeClient = {
  alerts(alerts: readonly NativeAlert[]): Promise<AlertsAnswer>
  heartbeat(health: Health): Promise<HeartbeatAnswer>
}

const base = '/api/v1/device'
const json = { 'content-type': 'application/json; charset=utf-8' }

/** Exchanges the one-time code for the phone's secret. The service returns the secret only here. */
export const pair = async (
  origin: string,
  code: string,
  about: { readonly agent: string; readonly version: string; readonly model: string; readonly android: string },
  patience: Patience = patient,
): Promise<Paired> => {
  const request = { url: `${origin}${base}/pair`, headers: json, body: JSON.stringify({ code, ...about }) }
  return readAnswer<Paired>(await post(() => request, patience))
}

/** `v1=<hex>` over the method, the path, the phone's id, the request id, the time and the hash of the body. */
export const signature = (
  key: DeviceKey,
  signed: { readonly path: string; readonly requestId: string; readonly timestamp: string; readonly body: string },
): string => {
  const hash = createHash('sha256').update(signed.body).digest('hex')
  const text = ['v1', 'POST', signed.path, key.deviceId, signed.requestId, signed.timestamp, hash].join('\n')
  return `v1=${createHmac('sha256', key.secret).update(text).digest('hex')}`
}

export const nativeClient = (options: {
  readonly origin: string
  readonly key: DeviceKey
  /** The phone's own clock, right or wrong. */
  readonly now: () => number
  readonly patience?: Patience
  /** How far the service's clock is ahead of this phone's, if it is known from before. */
  readonly ahead_ms?: number
  readonly onSkew?: (ahead_ms: number) => void
}): NativeClient => {
  const { origin, key, now, patience = patient, onSkew } = options
  let ahead_ms = options.ahead_ms ?? 0

  const signedRequest = (url: URL, requestId: string, body: string): PostRequest => {
    const timestamp = String(Math.floor((now() + ahead_ms) / 1000))
    return {
      url: url.href,
      body,
      headers: {
        ...json,
        'x-service-device': key.deviceId,
        'x-service-request-id': requestId,
        'x-service-timestamp': timestamp,
        'x-service-device-signature': signature(key, { path: url.pathname, requestId, timestamp, body }),
      },
    }
  }

  const send = async <T>(path: string, content: unknown): Promise<T> => {
    const url = new URL(`${origin}${base}${path}`)
    const body = JSON.stringify(content)
    // One request id for all attempts: the service answers a repeated request as before and processes nothing twice.
    const requestId = randomUUID()
    const buildRequest = () => signedRequest(url, requestId, body)
    const answer = await post(buildRequest, patience)
    const time = skewIn(answer)
    if (time === undefined) return readAnswer<T>(answer)
    ahead_ms = time * 1000 - now()
    onSkew?.(ahead_ms)
    return readAnswer<T>(await post(buildRequest, patience))
  }

  return {
    alerts: (alerts) => send('/alerts', { alerts }),
    heartbeat: (health) => send('/heartbeat', { ...health, clock: now() }),
  }
}

const readAnswer = <T>(answer: PostAnswer): T => {
  if (answer.status !== 200) throw refusalIn(answer)
  return JSON.parse(answer.text) as T
}

/** The service's time in seconds, if it refused the request because of the phone's clock. */
const skewIn = ({ status, text }: PostAnswer): number | undefined => {
  if (status !== 401 || !text.includes('clock_skew')) return undefined
  const { server_time: time } = JSON.parse(text) as { server_time?: unknown }
  return typeof time === 'number' ? time : undefined
}
