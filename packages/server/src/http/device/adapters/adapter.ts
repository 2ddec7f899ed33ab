/**
 * An adapter turns the requests of one forwarding app into reports. It is pure and total: it has a result for any
 * bytes. A body that it cannot read is kept as a report without a sender, with the body as its text.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Report } from '../../../alerts/alert.ts'
import type { Instant } from '../../../core/clock.ts'
import type { Zone } from '../../../core/zone.ts'
import type { Health } from '../../../wallets/phones/heartbeat.ts'
import { isObject, type JsonObject, parseJson } from '../../body/json.ts'
import { derivedId, reportOf } from '../report.ts'

export type SentMessage = {
  readonly bytes: Uint8Array
  /** The Content-Type as it was sent. */
  readonly type: string
  readonly query: ReadonlyMap<string, string>
  /** The zone for times without an offset. */
  readonly zone: Zone
  readonly now: Instant
}

export type AdapterReading = {
  readonly reports: readonly Report[]
  readonly health?: Health
  /** The app sends this at regular intervals: it is a heartbeat. */
  readonly isPing?: boolean
}

export type Adapter = {
  readonly name: string
  /** The signed parts of the request, and the signature that the app sent, as hex. Undefined: the app cannot sign. */
  readonly signature?: (
    bytes: Uint8Array,
    headers: IncomingHttpHeaders,
  ) => { readonly over: readonly (string | Uint8Array)[]; readonly hex: string }
  readonly read: (sent: SentMessage) => AdapterReading
}

export const noReports: AdapterReading = { reports: [] }

const BOM = '\ufeff'

/** Bytes that are not UTF-8 become replacement characters. */
export const textOf = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  return text.startsWith(BOM) ? text.slice(1) : text
}

/** The body as a JSON object; undefined: it is not a JSON object. */
export const jsonObject = (bytes: Uint8Array): JsonObject | undefined => {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const reading = parseJson(bom ? bytes.subarray(3) : bytes)
  return reading.kind === 'ok' && isObject(reading.value) ? reading.value : undefined
}

/** A report whose text is the unread body, for a member to look at. An empty body is no report. */
export const unreadReport = (adapter: string, sent: SentMessage): AdapterReading => {
  const text = textOf(sent.bytes)
  if (text.trim() === '') return noReports
  const message = { sender: '', text, sentAt: null, phoneReceivedAt: null }
  return { reports: [reportOf({ ...message, clientId: derivedId(adapter, message, sent.now) })] }
}

export const headerValue = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : ''
}
