/**
 * The self-test of a phone: a member begins it, and the first message that the phone reports within its window shows that
 * messages come through. The window has an end, so that a message of the next day is not taken for the test. Pure.
 */
import type { SelfTestState } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'

/** Longer than a message takes on a slow network; no longer than an owner waits. */
export const selfTestLife_ms = 10 * minute_ms

export type SelfTestWindow = { readonly at: Instant; readonly until: Instant }

/** The self-test, if it is open now. */
export const openSelfTest = (test: SelfTestWindow | null, now: Instant): SelfTestWindow | undefined =>
  test !== null && now >= test.at && now < test.until ? test : undefined

/**
 * `until`: null: the caller itself remembers when the test began, and the test has no end. `alertAt`: when the first alert
 * since the beginning arrived. `lastSeenAt`: the last sign of life, which may be a heartbeat.
 */
export const selfTestState = (
  test: { readonly since: Instant; readonly until: Instant | null },
  signs: { readonly alertAt: Instant | null; readonly lastSeenAt: Instant | null },
  now: Instant,
): SelfTestState => {
  const { since, until } = test
  if (signs.alertAt !== null && (until === null || signs.alertAt < until)) return 'arrived'
  if (until !== null && now >= until) return 'ended'
  return signs.lastSeenAt !== null && signs.lastSeenAt >= since ? 'heard' : 'waiting'
}
