/** Reads the body of `POST /heartbeat`: what a phone reports about itself. Only its clock is required. */
import type { Instant } from '../../../core/clock.ts'
import type { Zone } from '../../../core/zone.ts'
import type { Health } from '../../../wallets/phones/heartbeat.ts'
import {
  flag,
  list,
  object,
  optional,
  type Reading,
  readBody,
  required,
  text,
  wholeNumber,
  withDefault,
} from '../fields.ts'
import { instant } from '../instant.ts'
import type { Json } from '../json.ts'

const optionalText = (max: number) => optional(text({ max, blank: true }))

const sim = object({
  slot: required(text({ max: 16 })),
  carrier: withDefault(text({ max: 100, blank: true }), ''),
  iccid_tail: withDefault(text({ max: 32, blank: true }), ''),
})

const heartbeat = (zone: Zone) =>
  object({
    battery: optional(wholeNumber({ min: 0, max: 100 })),
    charging: optional(flag()),
    network: optionalText(64),
    // Per cent, bars or dBm: the unit differs between phones.
    signal: optional(wholeNumber({ min: -200, max: 200 })),
    app_version: optionalText(64),
    os_version: optionalText(64),
    queue_depth: optional(wholeNumber({ min: 0, max: 2147483647 })),
    oldest_unsent_at: optional(instant(zone)),
    sims: optional(list(sim, { max: 8 })),
    // Short codes of problems on the phone, such as `sms_refused`.
    problems: optional(list(text({ max: 40 }), { max: 8 })),
    clock: required(instant(zone)),
  })

/** Times are stored as ISO 8601 in UTC; beside the phone's clock its difference from the service's clock is stored. */
export const heartbeatReader = (zone: Zone): ((sent: Json, now: Instant) => Reading<Health>) => {
  const body = heartbeat(zone)
  return (sent, now) => {
    const reading = readBody(body, sent)
    if (reading.kind === 'no') return reading
    const { clock, oldest_unsent_at: oldest, ...rest } = reading.value
    const health: Record<string, unknown> = {
      ...rest,
      clock: iso(clock),
      clock_off_s: Math.round((clock - now) / 1000),
    }
    if (oldest !== undefined) health.oldest_unsent_at = iso(oldest)
    return { kind: 'ok', value: health }
  }
}

const iso = (when: Instant): string => new Date(when).toISOString()
