/** Compares a phone with the other phones of its wallets: how many of their messages it reported, and how many first. */
import type { Instant } from '../../core/clock.ts'
import { day_ms, minute_ms } from '../../core/duration.ts'
import { firstIdAt, type PhoneId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { comparePhone } from './sightings-sql.ts'

const compared_ms = 7 * day_ms
/** A phone with a slow network may report this much later than another. Newer messages do not count yet. */
const grace_ms = 10 * minute_ms

export type PhoneComparison = {
  readonly since: Instant
  readonly until: Instant
  /** The number of wallets that other phones watch too. */
  readonly wallets: number
  readonly messages: number
  readonly reported: number
  readonly first: number
}

export const comparisonOf = async (db: Session, scope: Scope, id: PhoneId, now: Instant): Promise<PhoneComparison> => {
  const [since, until] = [now - compared_ms, now - grace_ms]
  const [row] = await comparePhone(db, scope, id, firstIdAt(since), firstIdAt(until))
  return { since, until, ...row! }
}
