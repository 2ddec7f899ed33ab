/**
 * The bodies of the dashboard's webhook calls: an endpoint to create or to change, a rotation, a test, a range to replay.
 * Whether an address may be reached and a wallet is the account's is decided elsewhere.
 */
import type { Instant } from '../../../core/clock.ts'
import type { WalletId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import { URL_LENGTH } from '../../../webhooks/calling/guard-url.ts'
import {
  defaultKinds,
  eventKinds,
  type HeaderChanges,
  headerNameFault,
  headerValueFault,
} from '../../../webhooks/endpoints/endpoint.ts'
import type { EndpointChanges, NewEndpoint } from '../../../webhooks/endpoints/manage-endpoints.ts'
import type { EventKind } from '../../../webhooks/event.ts'
import type { WebhookSettings } from '../../../webhooks/settings.ts'
import { type FieldError, inside, NON_FIELD } from '../field-error.ts'
import {
  choice,
  type Field,
  flag,
  type Kind,
  list,
  object,
  optional,
  type Reading,
  readBody,
  required,
  text,
  uuid,
  wholeNumber,
  withDefault,
} from '../fields.ts'
import { instant } from '../instant.ts'
import { isObject, type Json } from '../json.ts'
import { typeName } from '../python-value.ts'

const url = text({ max: URL_LENGTH })

/** At least one, each once. */
const kinds: Kind<EventKind[]> = (value, attr) => {
  const reading = list(choice(eventKinds), { max: 30 })(value, attr)
  if (reading.kind === 'no') return reading
  if (reading.value.length > 0) return { kind: 'ok', value: [...new Set(reading.value)] }
  return {
    kind: 'no',
    errors: [{ attr: inside(attr, NON_FIELD), code: 'empty', detail: 'This list may not be empty.' }],
  }
}

/** Null means every wallet, and is not the same as left out. */
const wallet: Field<WalletId | null | undefined> = (value, attr) =>
  value === null ? { kind: 'ok', value: null } : optional(uuid<WalletId>())(value, attr)

const mostSent = 50

/** Names and values. Null as a value removes that header, where there is something to remove from. */
const headers: Kind<HeaderChanges> = (value, attr) => {
  const no = (code: string, detail: string): Reading<never> => ({
    kind: 'no',
    errors: [{ attr: inside(attr, NON_FIELD), code, detail }],
  })
  if (!isObject(value)) return no('invalid', `Expected a dictionary, but got ${typeName(value)}.`)
  if (value.size > mostSent) return no('max_length', `Ensure this field has no more than ${mostSent} elements.`)
  const errors: FieldError[] = []
  const read = new Map<string, string | null>()
  const names = new Set<string>()
  for (const [name, said] of value) {
    const fault =
      headerNameFault(name) ??
      (names.has(name.toLowerCase()) ? { code: 'invalid', detail: `The header ${name} is there twice.` } : undefined) ??
      (said === null
        ? undefined
        : typeof said === 'string'
          ? headerValueFault(said)
          : { code: 'invalid', detail: 'Not a valid string.' })
    names.add(name.toLowerCase())
    if (fault !== undefined) errors.push({ attr: inside(attr, name.slice(0, 100)), ...fault })
    else if (said === null || typeof said === 'string') read.set(name, said)
  }
  return errors.length === 0 ? { kind: 'ok', value: read } : { kind: 'no', errors }
}

const newEndpoint = object({
  url: required(url),
  wallet,
  kinds: withDefault(kinds, defaultKinds),
  headers: optional(headers),
  enabled: withDefault(flag(), true),
})

/** As they were sent: nobody has judged the address yet. */
export type SentEndpoint = Omit<NewEndpoint, 'url'> & { readonly url: string }
export type SentChanges = Omit<EndpointChanges, 'url'> & { readonly url?: string | undefined }

export const readNewEndpoint = (sent: Json): Reading<SentEndpoint> => {
  const reading = readBody(newEndpoint, sent)
  if (reading.kind === 'no') return reading
  const { url, wallet, kinds, headers, enabled } = reading.value
  const set = [...(headers ?? [])].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return { kind: 'ok', value: { url, walletId: wallet ?? null, kinds, headers: Object.fromEntries(set), enabled } }
}

const changes = object({
  url: optional(url),
  wallet,
  kinds: optional(kinds),
  headers: optional(headers),
  enabled: optional(flag()),
})

export const readEndpointChanges = (sent: Json): Reading<SentChanges> => {
  const reading = readBody(changes, sent)
  if (reading.kind === 'no') return reading
  const { wallet, ...more } = reading.value
  return { kind: 'ok', value: { ...more, walletId: wallet } }
}

export const rotationReader = (settings: WebhookSettings): ((sent: Json) => Reading<{ overlap_s: number }>) => {
  const overlap_s = withDefault(wholeNumber({ min: 0, max: settings.overlap_most_s }), settings.overlap_s)
  const body = object({ overlap_s })
  return (sent) => readBody(body, sent)
}

const test = object({ kind: optional(choice(eventKinds)) })

export const readTest = (sent: Json): Reading<{ kind: EventKind | undefined }> => readBody(test, sent)

export type ReplayBody = {
  readonly from: Instant
  readonly until: Instant | undefined
  readonly kinds: readonly EventKind[] | undefined
  readonly only_undelivered: boolean
}

export const replayReader = (zone: Zone): ((sent: Json) => Reading<ReplayBody>) => {
  const body = object({
    from: required(instant(zone)),
    until: optional(instant(zone)),
    kinds: optional(kinds),
    only_undelivered: withDefault(flag(), false),
  })
  return (sent) => readBody(body, sent)
}
