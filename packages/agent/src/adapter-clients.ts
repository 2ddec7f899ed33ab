/**
 * The requests of the forwarding apps, byte for byte: for each app the request it makes from a message, signed where
 * the app can sign. They use the phone's token, and most send no message id: a retry is the same body again. Pure;
 * post.ts sends.
 */
import { createHash, createHmac } from 'node:crypto'
import type { PostRequest } from './post.ts'

export type ForwardedMessage = {
  /** Used by the one app that sends message ids. */
  readonly clientId: string
  readonly sender: string
  readonly text: string
  readonly simSlot: '' | 'SIM1' | 'SIM2'
  /** Set by the SMS centre, in Unix milliseconds. */
  readonly sentAt: number
  readonly receivedAt: number
}

export type AppAccess = {
  readonly origin: string
  readonly token: string
  /** Null: the app does not sign. */
  readonly signingKey: string | null
}

export const adapterNames = ['sms-to-url', 'smsgate', 'sms-forwarder', 'text'] as const
export type AdapterName = (typeof adapterNames)[number]

const json = { 'content-type': 'application/json; charset=utf-8' }
const urlOf = (adapter: AdapterName, { origin, token }: AppAccess): string => `${origin}/ingest/${adapter}/${token}`
const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex')

/** `now`: the time of the request, in Unix milliseconds. */
export const forwardRequest = (
  adapter: AdapterName,
  access: AppAccess,
  message: ForwardedMessage,
  now: number,
): PostRequest => builders[adapter](access, message, now)

type RequestBuilder = (access: AppAccess, message: ForwardedMessage, now: number) => PostRequest

/** The app "Incoming SMS to URL Forwarder", with the template of its default rule. */
const smsToUrl: RequestBuilder = (access, { sender, text, sentAt, receivedAt, simSlot }) => {
  const body = `{
  "from":${JSON.stringify(sender)},
  "text":${JSON.stringify(text)},
  "sentStamp":${sentAt},
  "receivedStamp":${receivedAt},
  "sim":"${simSlot === '' ? 'undetected' : simSlot.toLowerCase()}"
}`
  const signed = access.signingKey === null ? {} : { 'x-signature': hmac(access.signingKey, body) }
  return { url: urlOf('sms-to-url', access), headers: { ...json, ...signed }, body }
}

/** The app "SMS Gateway for Android": each attempt has a new timestamp, which is signed. */
const smsgateEvent = (access: AppAccess, event: Record<string, unknown>, now: number): PostRequest => {
  const body = JSON.stringify(event).replace(/['=<>&]/g, escaped)
  const timestamp = String(Math.floor(now / 1000))
  const signed =
    access.signingKey === null
      ? {}
      : { 'x-timestamp': timestamp, 'x-signature': hmac(access.signingKey, body + timestamp) }
  return { url: urlOf('smsgate', access), headers: { ...json, ...signed }, body }
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const smsgate: RequestBuilder = (access, { clientId, sender, text, sentAt, simSlot }, now) =>
  smsgateEvent(
    access,
    {
      id: clientId,
      webhookId: 'sanad',
      event: 'sms:received',
      deviceId: 'simulated',
      payload: {
        // A 32-bit hash: it does not identify a message.
        messageId: createHash('sha256').update(text).digest('hex').slice(0, 8),
        message: text,
        sender,
        recipient: '+967770000001',
        ...(simSlot === '' ? {} : { simNumber: simSlot === 'SIM1' ? 1 : 2 }),
        receivedAt: localTime(sentAt, 'T', '.000+03:00'),
        phoneNumber: sender,
      },
    },
    now,
  )

/** The heartbeat of SMS Gateway for Android. */
export const smsgatePing = (access: AppAccess, id: string, battery: number, now: number): PostRequest => {
  const check = (observedValue: number, observedUnit: string) => ({
    status: 'pass',
    observedValue,
    observedUnit,
    description: '',
  })
  const checks = {
    'battery:level': check(battery, 'percent'),
    'battery:charging': check(0, 'flags'),
    'connection:status': check(1, 'boolean'),
  }
  const payload = { health: { status: 'pass', checks } }
  return smsgateEvent(access, { id, webhookId: 'sanad', event: 'system:ping', deviceId: 'simulated', payload }, now)
}

/** The app "SmsForwarder" with a JSON template; its `sign` covers only the timestamp. */
const smsForwarder: RequestBuilder = (access, { sender, text, receivedAt, simSlot }, now) => ({
  url: urlOf('sms-forwarder', access),
  headers: json,
  body: JSON.stringify({
    from: sender,
    org_content: text,
    card_slot: simSlot === '' ? '' : `${simSlot}_Yemen Mobile`,
    receive_time: localTime(receivedAt, ' ', ''),
    timestamp: String(now),
    sign: access.signingKey === null ? '' : hmac(access.signingKey, `${now}\n${access.signingKey}`),
  }),
})

/** Programs that can send any text, such as MacroDroid, Tasker and curl. */
const text: RequestBuilder = (access, { sender, text: body, receivedAt, simSlot }) => {
  const query = new URLSearchParams({
    from: sender,
    ...(simSlot === '' ? {} : { sim: simSlot }),
    at: String(receivedAt),
  })
  return {
    url: `${urlOf('text', access)}?${query}`,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body,
  }
}

const builders: Readonly<Record<AdapterName, RequestBuilder>> = {
  'sms-to-url': smsToUrl,
  smsgate,
  'sms-forwarder': smsForwarder,
  text,
}

const aden_ms = 3 * 3_600_000

/** The local time of a phone in Aden, to the second. */
const localTime = (instant: number, separator: string, offset: string): string => {
  const local = new Date(instant + aden_ms).toISOString()
  return `${local.slice(0, 10)}${separator}${local.slice(11, 19)}${offset}`
}
