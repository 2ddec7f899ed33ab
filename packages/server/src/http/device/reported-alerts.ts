/**
 * Reads the body of `POST /alerts`. A body without a list, or with a list that is too long, is refused; an invalid element
 * does not affect the others.
 *
 * An element is invalid without a client id of 1 to 128 characters, or if its text is not a string. Every other field is
 * read as far as possible. The text of an element without a valid client id is stored too, under an id of `derivedId`: a
 * message that an authenticated phone reports is never lost.
 */
import { longestClientId, mostAlerts } from '@sanad/contract/device/operations'
import type { Report } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import { codePoints, strip } from '../../core/python-text.ts'
import type { Zone } from '../../core/zone.ts'
import { elements, forbidden, object, type Reading, readBody, required } from '../body/fields.ts'
import { instantIn } from '../body/instant.ts'
import { isObject, type Json } from '../body/json.ts'
import { derivedId, reportOf, slotIn, textIn } from './report.ts'

export type ReportedAlert = {
  /** As it was sent; null: missing. */
  readonly clientId: string | null
  readonly valid: boolean
  /** The report to record; undefined: the element has no text. */
  readonly report: Report | undefined
}

const body = object({ alerts: required(elements({ max: mostAlerts })) })

export const readAlerts = (sent: Json, zone: Zone, now: Instant): Reading<ReportedAlert[]> => {
  const reading = readBody(body, sent)
  if (reading.kind === 'no') return reading
  return { kind: 'ok', value: reading.value.alerts.map((element) => readAlert(element, zone, now)) }
}

const isUsableId = (id: string | undefined): id is string =>
  id !== undefined && strip(id) !== '' && codePoints(id) <= longestClientId && forbidden(id, '').length === 0

const readAlert = (sent: Json, zone: Zone, now: Instant): ReportedAlert => {
  if (!isObject(sent)) return { clientId: null, valid: false, report: undefined }
  const clientId = textIn(sent.get('client_id'))
  const text = sent.get('text')
  const withId = { clientId: clientId ?? null }
  if (typeof text !== 'string') return { ...withId, valid: false, report: undefined }
  const value = {
    kind: kindOf(sent.get('kind'), sent.get('package')),
    sender: textIn(sent.get('sender')) ?? '',
    package: textIn(sent.get('package')) ?? '',
    title: textIn(sent.get('title')) ?? '',
    text,
    simSlot: slotIn(sent.get('sim_slot')),
    sentAt: instantIn(sent.get('sent_at'), zone),
    phoneReceivedAt: instantIn(sent.get('received_at'), zone),
  }
  if (isUsableId(clientId)) return { ...withId, valid: true, report: reportOf({ ...value, clientId }) }
  const report = reportOf({ ...value, clientId: derivedId('unnamed', value, now) })
  return { ...withId, valid: false, report }
}

const kindOf = (kind: Json | undefined, packageName: Json | undefined): Report['kind'] => {
  if (kind === 'sms' || kind === 'notification') return kind
  return packageName === undefined || packageName === null || packageName === '' ? 'sms' : 'notification'
}
