/** What a reader that may be routed to a replica reads with: on one server, and on a replica in one snapshot. */
import type { Instant } from '../../core/clock.ts'
import { readTallyProgress } from '../../intents/totals/tally-sql.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { RoutedReads } from '../../postgres/replica/route-reads.ts'
import { intentLister, type ListIntents } from '../intents/list-intents.ts'
import type { Reader } from './replica-statements.ts'

export type RoutedSource = {
  readonly db: Session
  readonly list: Pick<ListIntents, 'count' | 'page'>
  /** The instant before which the stored figures no longer change: of the same server as the figures. */
  readonly talliedUntil: (now: Instant) => Instant | Promise<Instant>
}

/** What operators change is remembered by this, beside the account that it is of. */
export const operatorKey = 'operator'

export type Reads = RoutedReads<Reader, RoutedSource>

/** Nothing is cached from one read to the next: another one may be of another server. */
export const sourceOn = (db: Session): RoutedSource => {
  const talliedUntil = async (): Promise<Instant> => (await readTallyProgress(db))[0]!.sealed_until
  return { db, talliedUntil, list: intentLister({ db, shared: db, talliedUntil, label: 'routed_list' }) }
}
