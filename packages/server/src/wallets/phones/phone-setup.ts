/**
 * The set-up of a phone by the page that its pairing code opens: which apps there are, how long the page's session
 * lasts, and how far the set-up has come. Pure.
 */
import type { SetupApp } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'
import type { AccountId, PhoneId } from '../../core/ids.ts'

export type { SetupApp }
/** `text` has no page: it is for programs. */
export type PhoneApp = SetupApp | 'text'

export const setupLife_ms = hour_ms

/** How many addresses and codes one session may create. */
export const mostAccesses = 10

/** A session that is open. `by`: the user who created the code. */
export type SetupSession = {
  readonly accountId: AccountId
  readonly accountName: string
  readonly phoneId: PhoneId
  readonly until: Instant
  readonly by: string
}

/** How a phone was last set up. */
export type PhoneSetup = {
  /** The app that access was last created for. Empty: none yet, or not known. */
  readonly app: PhoneApp | ''
  /** When the page was opened on the phone; null: never. */
  readonly openedAt: Instant | null
  /** The app that was chosen on the page. Empty: none yet. */
  readonly chosen: SetupApp | ''
  readonly chosenAt: Instant | null
  /** When SMS Gateway first called, and when it took its settings. Null: not yet, or another app. */
  readonly registeredAt: Instant | null
  readonly configuredAt: Instant | null
}

export type SetupProgress = PhoneSetup & {
  /** The last contact since the page was opened; null: none yet. */
  readonly contactAt: Instant | null
  /** The last message since then; null: none yet. */
  readonly messageAt: Instant | null
}

/** Contacts and messages from before the page was opened do not count: they came from the previous app. */
export const setupProgress = (
  setup: PhoneSetup,
  phone: { readonly lastSeenAt: Instant | null; readonly lastAlertAt: Instant | null },
): SetupProgress => {
  const since = (at: Instant | null): Instant | null =>
    at !== null && setup.openedAt !== null && at >= setup.openedAt ? at : null
  return { ...setup, contactAt: since(phone.lastSeenAt), messageAt: since(phone.lastAlertAt) }
}
