/** The bodies of adding and changing a phone, and of letting a forwarding app in. */
import {
  choice,
  type Field,
  flag,
  object,
  optional,
  orNull,
  type Reading,
  readBody,
  required,
  text,
} from '../fields.ts'
import type { Json } from '../json.ts'

const name = text({ max: 100 })

const newPhone = object({ name: required(name) })

export const readNewPhone = (sent: Json): Reading<{ name: string }> => readBody(newPhone, sent)

const changes = object({ name: optional(name), switched_on: optional(flag()) })

export const readPhoneChanges = (sent: Json): Reading<{ name: string | undefined; switched_on: boolean | undefined }> =>
  readBody(changes, sent)

export const apps = ['sms-to-url', 'smsgate', 'sms-forwarder', 'text'] as const
export type AppName = (typeof apps)[number]

// As it stands in the app: a space at its end would be part of it.
const key = text({ max: 200, trim: false })

const access = object({ app: required(choice(apps)), signing_key: orNull(key) })

/** `signing_key` left out: a new one for apps that can sign. */
export const readAppAccess = (sent: Json): Reading<{ app: AppName; signing_key: string | null | undefined }> =>
  readBody(access, sent)

/** Null is a choice here, and must be made. */
const chosenKey: Field<string | null> = (value, attr) =>
  value === null ? { kind: 'ok', value } : required(key)(value, attr)

const signing = object({ signing_key: chosenKey })

export const readSigningKey = (sent: Json): Reading<{ signing_key: string | null }> => readBody(signing, sent)
