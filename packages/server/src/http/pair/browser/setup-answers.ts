/**
 * What the script of the set-up page reads: the data in the page, the answers of the calls in pair-calls.ts, and what
 * it kept in this tab. Pure.
 */
import type { Language, pairWords } from '../pair-words.ts'

/** What pair-page.ts writes into the page for this script. */
export type PageData = {
  readonly words: (typeof pairWords)[Language]
  /** The names of the apps, and their names on the phone. */
  readonly names: Readonly<Record<string, string>>
  readonly installed: Readonly<Record<string, string>>
  /** The apps whose access is created only when the user touches a button. */
  readonly onDemand: readonly string[]
  /** The makers of phones, with a regular expression for their models. */
  readonly makers: readonly (readonly [maker: string, models: string])[]
}

export type Live = 'registered' | 'configured'

/** The progress of the set-up, as `/pair/session` answers it. */
export type SetupState = {
  readonly phone: string
  readonly account: string
  readonly senders: readonly string[]
  readonly app: string
  readonly until: string
} & Readonly<Record<`${'opened' | 'app' | 'contact' | 'message' | Live}_at`, string | null>>

/** What the app needs to report, as `/pair/access` answers it. */
export type AppAccess = {
  readonly app: string
  readonly fields: readonly { readonly key: string; readonly value: string }[]
  readonly file: { readonly name: string; readonly content: string } | null
  readonly until: string | null
}

/** The access with the end of the session for which it was created. */
export type StoredAccess = AppAccess & { readonly until_session: string }
export type Opening = { readonly code: string; readonly token: string }

/** What is kept in this tab. */
export type Stored = { step: { readonly until: string; readonly step: number }; access: StoredAccess; opening: Opening }

/** Status 0: the network lost the call. A body comes only with status 200. */
export type Answer<T> = { readonly status: number; readonly body: T }
