/**
 * SMS Gateway for Android. Each call has one event, with an `id` that stays the same over retries (`messageId` does not
 * identify a message). The call is signed by an HMAC-SHA256 over the body's bytes followed by `X-Timestamp`, which is new
 * at each attempt: repetitions are recognised by the id, not by the time. The app's pings are heartbeats.
 */
import { createHash } from 'node:crypto'
import type { Health } from '../../../wallets/phones/heartbeat.ts'
import { instantIn } from '../../body/instant.ts'
import { isList, isObject, type Json, JsonNumber, type JsonObject } from '../../body/json.ts'
import { derivedId, reportOf, slotIn, textIn } from '../report.ts'
import {
  type Adapter,
  type AdapterReading,
  headerValue,
  jsonObject,
  noReports,
  type SentMessage,
  unreadReport,
} from './adapter.ts'

export const smsgate: Adapter = {
  name: 'smsgate',
  signature: (bytes, headers) => ({
    over: [bytes, headerValue(headers, 'x-timestamp')],
    hex: headerValue(headers, 'x-signature'),
  }),
  read(sent) {
    const body = jsonObject(sent.bytes)
    const payload = body && objectIn(body.get('payload'))
    if (body === undefined || payload === undefined) return unreadReport(smsgate.name, sent)
    const event = textIn(body.get('event')) ?? ''
    if (event === 'sms:received') return readReceived(body, payload, sent)
    if (event === 'system:ping') return { reports: [], health: pingIn(payload), isPing: true }
    if (event === 'app:started') return { reports: [], health: simsIn(payload) }
    // These events concern messages that the phone sent: they report no incoming money.
    if (/^sms:(?:sent|delivered|failed|cancelled)$/.test(event)) return noReports
    return unreadReport(smsgate.name, sent)
  },
}

const readReceived = (body: JsonObject, payload: JsonObject, sent: SentMessage): AdapterReading => {
  const text = textIn(payload.get('message'))
  if (text === undefined) return unreadReport(smsgate.name, sent)
  const message = {
    // Before early 2026 there was only `phoneNumber`.
    sender: textIn(payload.get('sender')) ?? textIn(payload.get('phoneNumber')) ?? '',
    text,
    simSlot: slotIn(payload.get('simNumber')),
    // Despite its name, `receivedAt` is the time of the SMS centre.
    sentAt: instantIn(payload.get('receivedAt'), sent.zone),
    phoneReceivedAt: null,
  }
  return { reports: [reportOf({ ...message, clientId: idOf(body) ?? derivedId(smsgate.name, message, sent.now) })] }
}

const idOf = (body: JsonObject): string | undefined => {
  const id = textIn(body.get('id'))
  if (id === undefined || id.trim() === '') return undefined
  const plain = /^[!-~]{1,100}$/.test(id) ? id : createHash('sha256').update(id).digest('hex')
  return `${smsgate.name}:${plain}`
}

const objectIn = (value: Json | undefined): JsonObject | undefined =>
  value !== undefined && isObject(value) ? value : undefined

const pingIn = (payload: JsonObject): Health => {
  const checks = objectIn(objectIn(payload.get('health'))?.get('checks'))
  const observed = (name: string): number | undefined => {
    const value = objectIn(checks?.get(name))?.get('observedValue')
    const number = value instanceof JsonNumber ? Number(value.source) : Number.NaN
    return Number.isFinite(number) ? number : undefined
  }
  const [level, charging, connection] = ['battery:level', 'battery:charging', 'connection:status'].map(observed)
  return {
    ...(level === undefined ? {} : { battery: Math.min(Math.max(Math.round(level), 0), 100) }),
    // Bit flags: the lowest is set while the phone charges, the others name the power source.
    ...(charging === undefined ? {} : { charging: Math.trunc(charging) % 2 === 1 }),
    ...(connection === undefined ? {} : { network: connection === 0 ? 'disconnected' : 'connected' }),
  }
}

const simsIn = (payload: JsonObject): Health => {
  const cards = payload.get('simCards')
  if (cards === undefined || !isList(cards)) return {}
  const textOrEmpty = (value: Json | undefined): string => (textIn(value) ?? '').replaceAll('\0', '').toWellFormed()
  const sims = cards.slice(0, 8).flatMap((card) => {
    const sim = objectIn(card)
    if (sim === undefined) return []
    const slot = slotIn(sim.get('simNumber'))
    // Only the last digits of the card's number are stored: they tell two cards apart, and identify no subscriber.
    return [
      {
        slot,
        carrier: textOrEmpty(sim.get('carrierName')).slice(0, 100).toWellFormed(),
        iccid_tail: textOrEmpty(sim.get('iccid')).slice(-4),
      },
    ]
  })
  return { sims }
}
