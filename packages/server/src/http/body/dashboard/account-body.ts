/** The bodies that change an account, by its people or by an operator. */
import {
  type Field,
  type Kind,
  object,
  optional,
  type Reading,
  readBody,
  required,
  text,
  wholeNumber,
} from '../fields.ts'
import type { Json } from '../json.ts'
import { timeZone } from './time-zone.ts'

const line = text({ max: 200 })
// Names go into letters: one with line breaks or a link would be a letter of somebody else's.
const LETTER = /[\p{Cc}\p{Zl}\p{Zp}]|:\/\/|\bwww\./iu

const name: Kind<string> = (value, attr) => {
  const reading = line(value, attr)
  if (reading.kind === 'no' || !LETTER.test(reading.value)) return reading
  return { kind: 'no', errors: [{ attr, code: 'invalid', detail: 'A name is one line, without a link.' }] }
}

const quotaNumber = wholeNumber({ min: 0, max: 2_000_000_000 })

const changes = object({ name: optional(name), time_zone: optional(timeZone) })

export type AccountChanges = { readonly name: string | undefined; readonly timeZone: string | undefined }

export const readAccountChanges = (sent: Json): Reading<AccountChanges> => {
  const reading = readBody(changes, sent)
  if (reading.kind === 'no') return reading
  return { kind: 'ok', value: { name: reading.value.name, timeZone: reading.value.time_zone } }
}

/** Null lifts it, and is not the same as left out. */
const quota: Field<number | null> = (value, attr) =>
  value === null ? { kind: 'ok', value: null } : required(quotaNumber)(value, attr)

const optionalQuota: Field<number | null> = (value, attr) =>
  value === undefined ? { kind: 'ok', value: null } : quota(value, attr)

const fresh = object({ name: required(name), monthly_intent_quota: optionalQuota, time_zone: optional(timeZone) })

export type NewAccountBody = {
  readonly name: string
  readonly quota: number | null
  readonly timeZone: string | undefined
}

export const readNewAccount = (sent: Json): Reading<NewAccountBody> => {
  const reading = readBody(fresh, sent)
  if (reading.kind === 'no') return reading
  const { name, monthly_intent_quota, time_zone } = reading.value
  return { kind: 'ok', value: { name, quota: monthly_intent_quota, timeZone: time_zone } }
}

const quotaBody = object({ monthly_intent_quota: quota })

export const readQuota = (sent: Json): Reading<{ monthly_intent_quota: number | null }> => readBody(quotaBody, sent)
