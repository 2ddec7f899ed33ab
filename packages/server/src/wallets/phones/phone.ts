/** A phone that reports the alerts of wallets. Pure. */
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import type { AccountId, PhoneId } from '../../core/ids.ts'
import type { SelfTestWindow } from './self-test.ts'

export type Phone = {
  readonly id: PhoneId
  readonly accountId: AccountId
  readonly name: string
  readonly on: boolean
  /** No contact yet, and no user has used its switch: the first contact switches it on. */
  readonly awaited: boolean
  readonly secretSealed: Buffer | null
  readonly secretVersion: number
  /** Whether the newest secret was ever used; until then the previous secret is valid too. */
  readonly secretUsed: boolean
  readonly previousSecretSealed: Buffer | null
  /** The key with which a forwarding app signs, if it can. */
  readonly signingKeySealed: Buffer | null
  /** The only app that may use the phone's address; empty: the first one that does (ingest-address.ts). */
  readonly ingestAdapter: string
  readonly lastSeenAt: Instant | null
  /** The self-test that was last begun; null: none yet. */
  readonly selfTest: SelfTestWindow | null
}

/** Whether a contact now is the first for some minutes: then open dashboards get a hint. silence.ts decides whether a phone is
 *  silent. */
export const isBackAfterPause = (phone: Pick<Phone, 'lastSeenAt'>, now: Instant): boolean =>
  phone.lastSeenAt === null || now - phone.lastSeenAt > 3 * minute_ms
