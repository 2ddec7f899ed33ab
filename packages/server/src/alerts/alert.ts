/** What a phone reports, the states of an alert, and the times that matching uses. Pure. */
import type { AlertReason, AlertState } from '@sanad/contract/kinds'
import type { Instant } from '../core/clock.ts'
import { day_ms, minute_ms } from '../core/duration.ts'

/** What a phone sends, before it is read. */
export type Report = {
  /** Chosen by the phone. A report that is sent again has the same id. */
  readonly clientId: string
  readonly kind: 'sms' | 'notification'
  readonly sender: string
  readonly package: string
  readonly title: string
  readonly text: string
  readonly simSlot: '' | 'SIM1' | 'SIM2'
  readonly sentAt: Instant | null
  readonly phoneReceivedAt: Instant | null
}

export type { AlertState }
export type Reason = AlertReason

/** Whether the text is sealed. Empty: it is not. `stranger`: of an unknown sender. */
export type Hidden = '' | 'code' | 'stranger'

/** In these states an alert owns its reference: another alert with the same reference is compared with it. */
export const owningStates = ['waiting', 'matched', 'wrong_amount', 'booked'] as const satisfies readonly AlertState[]

/** How long an alert can still be matched with an intent that gets its reference later. */
export const matchable_ms = day_ms

/** The same text from the same sender within this time is one alert: phones resend after a reboot. */
export const sameText_ms = 5_000

/** The same for an app that does not report when a message was sent or received. Its retries come later. */
export const sameUntimedText_ms = 10 * minute_ms

/** Parts of one message arrive within this time. */
export const sameMessage_ms = 10 * minute_ms

/** A phone that was connected less than this ago counts as new. */
export const newPhone_ms = day_ms

/** Alerts of a sender that has counted for the wallet for less than this carry a doubt. */
export const newSender_ms = day_ms
