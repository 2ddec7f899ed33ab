/**
 * The parameters of webhooks: every number that decides when, how often and how long, with its default and its limits. Reads the
 * operator's changes, and promises that the numbers fit each other: a lease is longer than its call. What each parameter does is
 * documented where it is used.
 */

import { day_ms, day_s, minute_ms } from '../core/duration.ts'

type Parameter = { readonly value: number; readonly least: number; readonly most: number; readonly whole: boolean }

const whole = (value: number, least: number, most: number): Parameter => ({ value, least, most, whole: true })
const fraction = (value: number, least: number, most: number): Parameter => ({ value, least, most, whole: false })

const table = {
  /** How many rows one claim takes: of one endpoint, and in all. */
  claim_per_endpoint: whole(4, 1, 1_000),
  claim_most: whole(128, 1, 10_000),
  /** How many results are recorded together, and how long the first of them waits for others. */
  finish_most: whole(64, 1, 1_000),
  finish_ms: whole(5, 1, 1_000),
  /** How long a claim belongs to a worker, and how often expired claims are returned to the queue. */
  lease_ms: whole(30_000, 11_000, 15 * minute_ms),
  reap_ms: whole(5_000, 100, 10 * minute_ms),
  /** How often other nodes are woken at most, and how often each node polls without being woken. */
  notify_ms: whole(50, 1, 10_000),
  poll_ms: whole(1_000, 10, 10 * minute_ms),
  /** Calls at once: of this process, to one endpoint, the share of one account, the share kept for first attempts. */
  calls: whole(256, 1, 4_096),
  calls_per_endpoint: whole(8, 1, 1_000),
  account_share: fraction(0.25, 0.001, 1),
  first_share: fraction(0.5, 0, 1),
  /** From this many concurrent requests on the sender yields: per answered request and per second it may begin so many calls. */
  busy_requests: whole(2, 1, 1_000_000),
  busy_share: fraction(0.05, 0, 1_000),
  busy_per_s: whole(100, 1, 1_000_000),
  dns_ms: whole(2_000, 1, minute_ms),
  connect_ms: whole(5_000, 1, minute_ms),
  first_byte_ms: whole(10_000, 1, 10 * minute_ms),
  total_ms: whole(15_000, 1_000, 10 * minute_ms),
  read_bytes: whole(64 * 1024, 0, 16 * 1024 * 1024),
  kept_bytes: whole(16 * 1024, 0, 1024 * 1024),
  retry_jitter: fraction(0.2, 0, 10),
  retry_after_most_s: whole(12 * 3600, 0, 30 * day_s),
  /** Network failures in a row that open the breaker; its first pause and its longest. */
  breaker_failures: whole(5, 1, 1_000),
  breaker_first_ms: whole(30_000, 10, day_ms),
  breaker_slowest_ms: whole(5 * minute_ms, 10, day_ms),
  /** After the breaker closes: how many deliveries at once at first, and the factor by which each answer increases them. */
  breaker_start: whole(1, 1, 1_000),
  breaker_growth: whole(2, 2, 1_000),
  disable_after_s: whole(5 * day_s, 1, 3_650 * day_s),
  disable_failures: whole(20, 1, 1_000_000),
  warn_after_s: whole(3 * day_s, 0, 3_650 * day_s),
  warn_failures: whole(10, 1, 1_000_000),
  warn_ahead_s: whole(day_s, 0, 3_650 * day_s),
  secret_bytes: whole(32, 16, 128),
  overlap_s: whole(day_s, 0, 365 * day_s),
  overlap_most_s: whole(7 * day_s, 0, 365 * day_s),
  /** How far back events can be sent again, and how many of a range each second. */
  replay_days: whole(30, 1, 3_650),
  replay_per_s: whole(10, 1, 1_000),
  bodies_days: whole(30, 1, 3_650),
  attempts_days: whole(30, 1, 3_650),
  ends_days: whole(90, 1, 3_650),
  headers_most: whole(10, 0, 50),
  endpoints_most: whole(20, 1, 10_000),
} as const satisfies Record<string, Parameter>

type Name = keyof typeof table

export type WebhookSettings = Readonly<Record<Name, number>> & {
  /** How long each attempt waits after the end of the one before; the first one does not wait. */
  readonly retry_waits_s: readonly number[]
}

const names = Object.keys(table) as Name[]

/** Fourteen attempts over three days: 0, 5 s, 30 s, 2 m, 10 m, 30 m, then hours. */
const defaultWaits_s: readonly number[] = [
  0,
  5,
  30,
  120,
  600,
  1_800,
  ...[1, 2, 4, 8, 12, 12, 12, 24].map((hours) => hours * 3_600),
]

export const webhookDefaults: WebhookSettings = Object.freeze({
  ...(Object.fromEntries(names.map((name) => [name, table[name].value])) as Record<Name, number>),
  retry_waits_s: defaultWaits_s,
})

/** How old an event may be to be sent again. */
export const replayLife_ms = ({ replay_days }: WebhookSettings): number => replay_days * day_ms

/** `error` is a sentence without the setting's name, with an example. */
export type SettingsRead =
  | { readonly ok: true; readonly settings: WebhookSettings }
  | { readonly ok: false; readonly error: string }

const example = 'Example: {"total_ms": 10000, "calls": 512, "retry_waits_s": [0, 5, 60, 3600]}'
const invalid = (sentence: string): SettingsRead => ({ ok: false, error: `${sentence} ${example}` })
const isName = (name: string): name is Name => Object.hasOwn(table, name)
const quoted = (name: string): string => JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)

/** Reads the operator's setting: absent or empty keeps every default, JSON replaces single parameters. */
export const readWebhookSettings = (setting: string | undefined): SettingsRead => {
  const text = setting?.trim() ?? ''
  if (text === '') return { ok: true, settings: webhookDefaults }
  let changes: unknown
  try {
    changes = JSON.parse(text)
  } catch {
    return invalid('It is not JSON.')
  }
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes))
    return invalid('It must be an object of parameters.')
  const numbers: Partial<Record<Name, number>> = {}
  let retry_waits_s = defaultWaits_s
  for (const [name, value] of Object.entries(changes)) {
    if (name === 'retry_waits_s') {
      if (!areWaits(value))
        return invalid(
          '"retry_waits_s" must be a list of 1 to 50 whole seconds, each 30 days at most, the first of them 0.',
        )
      retry_waits_s = value
    } else if (!isName(name)) {
      return invalid(`There is no parameter ${quoted(name)}; there are ${[...names, 'retry_waits_s'].join(', ')}.`)
    } else if (!fits(table[name], value)) {
      const { least, most, whole } = table[name]
      return invalid(`${quoted(name)} must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}.`)
    } else numbers[name] = value
  }
  const settings: WebhookSettings = Object.freeze({ ...webhookDefaults, ...numbers, retry_waits_s })
  const contradiction = contradictionIn(settings)
  return contradiction === undefined ? { ok: true, settings } : invalid(contradiction)
}

const fits = ({ least, most, whole }: Parameter, value: unknown): value is number =>
  typeof value === 'number' && value >= least && value <= most && (!whole || Number.isSafeInteger(value))

const areWaits = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length >= 1 &&
  value.length <= 50 &&
  value[0] === 0 &&
  value.every((wait) => Number.isSafeInteger(wait) && wait >= 0 && wait <= 30 * day_s)

/** How much longer than its call a lease must be, to leave time for recording the result. */
export const leaseSpare_ms = 10_000

/** A sentence about two values that contradict each other. */
const contradictionIn = (settings: WebhookSettings): string | undefined => {
  if (settings.lease_ms < settings.total_ms + leaseSpare_ms)
    return `"lease_ms" is ${settings.lease_ms}, but must be at least 10 s more than "total_ms" (${settings.total_ms}): a lease that ends before its call would send twice.`
  const over = (small: Name, large: Name): string | undefined =>
    settings[small] > settings[large]
      ? `"${small}" (${settings[small]}) must not be more than "${large}" (${settings[large]}).`
      : undefined
  const pairs: [Name, Name][] = [
    ['kept_bytes', 'read_bytes'],
    ['breaker_first_ms', 'breaker_slowest_ms'],
    ['overlap_s', 'overlap_most_s'],
    ['replay_days', 'bodies_days'],
  ]
  for (const [small, large] of pairs) {
    const contradiction = over(small, large)
    if (contradiction !== undefined) return contradiction
  }
  return undefined
}
