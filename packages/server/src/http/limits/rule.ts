/**
 * The rate limits: their types, the specification’s table, and the operator’s changes to it.
 *
 * Promises that every bucket has a rule with whole positive numbers, or that limits are off altogether. memory-limits.ts
 * and redis-limits.ts count; the routes choose the bucket and the key of a call.
 */

import { day_ms, minute_ms } from '../../core/duration.ts'
import type { Limit, Rule } from '../answers.ts'

export type { Limit, Rule }

/** `retryAfterS`: whole seconds, at least 1, after which a call is accepted if there is no other call before. */
export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly retryAfterS: number }

export interface Limits {
  /**
   * Counts one call, or refuses it and counts nothing. `now` is in whole milliseconds. A key is stored as it is: the
   * caller bounds its length. A bucket keeps one rule for the life of a process.
   */
  take(bucket: string, key: string, rule: Rule, now: number): Verdict | Promise<Verdict>
  /** Takes back the count of the last accepted call, which turned out not to be of the kind that is counted. */
  giveBack(bucket: string, key: string, rule: Rule, now: number): void | Promise<void>
  close(): Promise<void>
}

export const ALLOWED: Verdict = Object.freeze({ allowed: true })

/** The refusal of a call that would be accepted `wait_ms` from now. */
export const refusedFor = (wait_ms: number): Verdict => ({
  allowed: false,
  retryAfterS: Math.max(1, Math.ceil(wait_ms / 1000)),
})

const rule = (perMinute: number, perDay: number): Rule => ({
  burst: { max: perMinute, window_ms: minute_ms },
  sustained: { max: perDay, window_ms: day_ms },
})

/**
 * The buckets, and what each counts. Not explained here: `token`, `intents`, `intents_list` and `wallets`, which are in the
 * specification’s table.
 * - `token_failure`: failed token requests, by client id and address: knowing a merchant’s public id must not be enough to
 *   lock the merchant out.
 * - Phones. `device`: the reports of one phone. `ingest_failure`: failed authentications, by address. `pairing`: attempted
 *   pairing codes, by address.
 * - Users. `dashboard`: the calls of one user. `webhook_test`: the test webhooks of an account, each of which calls a server
 *   of the user’s choice. `test_payment`: payments of an account on the testing wallet. `sign_in`: passwords, by
 *   email and address together, by known browser, or by session (there also the first code of a new second factor).
 *   `sign_in_address`: wrong passwords, invalid links and
 *   requests for a new password, by address. `second_factor`: codes, by user; they need the password first.
 *   `password_reset`: requests, by email and address together, or by known browser. `invitation`: invitations of an account,
 *   each of which sends an email.
 * - Checkouts. `checkouts`, `checkouts_list`: the limits of intents, counted separately. `pay`, `pay_address`: pages that
 *   buyers open, by link and by address. `pay_change`: forms that buyers send, by link. `pay_reference`: references that
 *   verified nothing, by account and address, because a payment link creates as many checkouts as a buyer wants.
 *   `pay_unknown`: unknown links, by address.
 * - `developer`: developers' tools; `sanad listen` and `sanad logs` send about one request a second.
 */
export const DEFAULT_RULES = {
  token: rule(10, 500),
  token_failure: rule(10, 500),
  intents: rule(240, 50_000),
  intents_list: rule(60, 50_000),
  wallets: rule(240, 50_000),
  checkouts: rule(240, 50_000),
  checkouts_list: rule(60, 50_000),
  developer: rule(300, 300_000),
  pay: rule(120, 20_000),
  // One address may be shared by half a city.
  pay_address: rule(1_200, 1_000_000),
  pay_change: rule(20, 500),
  pay_reference: rule(60, 2_000),
  pay_unknown: rule(60, 10_000),
  device: rule(600, 200_000),
  ingest_failure: rule(30, 5_000),
  pairing: rule(10, 200),
  dashboard: rule(600, 200_000),
  webhook_test: rule(20, 1_000),
  test_payment: rule(20, 1_000),
  sign_in: rule(5, 50),
  // Right passwords do not count. The day allows as much as its minutes together: one address may be shared by half a city,
  // and nobody may lock it out for a day.
  sign_in_address: rule(120, 172_800),
  second_factor: rule(10, 100),
  password_reset: rule(5, 50),
  invitation: rule(20, 300),
} as const satisfies Record<string, Rule>

export type Bucket = keyof typeof DEFAULT_RULES
export type Rules = Readonly<Record<Bucket, Rule>>

/** `rules` is null when the operator switched limits off. `error` is a sentence without the setting's name. */
export type RulesRead =
  | { readonly ok: true; readonly rules: Rules | null }
  | { readonly ok: false; readonly error: string }

const EXAMPLE = 'Example: {"intents": {"burst": 1000}, "token": {"burst": 50, "sustained": 5000}}, or: off'

/** Reads the operator's setting: absent or empty keeps the table, `off` switches limits off, JSON replaces single numbers. */
export const rulesFrom = (setting: string | undefined): RulesRead => {
  const text = setting?.trim() ?? ''
  if (text === '') return { ok: true, rules: DEFAULT_RULES }
  if (text === 'off') return { ok: true, rules: null }

  let changes: unknown
  try {
    changes = JSON.parse(text)
  } catch {
    return wrong('It is neither "off" nor JSON.')
  }
  if (!isRecord(changes)) return wrong('It must be an object of buckets.')

  const rules: Record<Bucket, Rule> = { ...DEFAULT_RULES }
  for (const [bucket, change] of Object.entries(changes)) {
    if (!isBucket(bucket)) {
      return wrong(`There is no bucket ${quoted(bucket)}; there are ${Object.keys(DEFAULT_RULES).join(', ')}.`)
    }
    if (!isRecord(change)) return wrong(`${quoted(bucket)} must be an object with "burst", "sustained" or both.`)
    let { burst, sustained } = rules[bucket]
    for (const [field, max] of Object.entries(change)) {
      const where = `${quoted(field)} of ${quoted(bucket)}`
      if (field !== 'burst' && field !== 'sustained') {
        return wrong(`${where} is unknown; a bucket has "burst" (a minute) and "sustained" (a day).`)
      }
      if (max === 0) return wrong(`${where} is 0, which would refuse every call.`)
      if (typeof max !== 'number' || !Number.isSafeInteger(max) || max < 0) {
        return wrong(`${where} must be a whole number of calls, 1 or more.`)
      }
      if (field === 'burst') burst = { ...burst, max }
      else sustained = { ...sustained, max }
    }
    rules[bucket] = { burst, sustained }
  }
  return { ok: true, rules: Object.freeze(rules) }
}

const wrong = (reason: string): RulesRead => ({ ok: false, error: `${reason} ${EXAMPLE}` })

const isBucket = (name: string): name is Bucket => Object.hasOwn(DEFAULT_RULES, name)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const quoted = (name: string): string => JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)
