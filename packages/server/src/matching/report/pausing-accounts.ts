/**
 * Which accounts pause after a batch of alerts. If many alerts of the last minutes are open, a new one is compared with up to 500 of them.
 * They are read again for each batch, which takes PostgreSQL and this process some milliseconds. So an account with many of them and few new
 * alerts pauses, and what is reported meanwhile shares one reading. Pure.
 */
import type { AccountId } from '../../core/ids.ts'
import type { AlertToResolve, KnownAlerts } from '../records/known-alerts.ts'

/** A phone that waits for each answer before it reports the next alert still reports ten a second. */
export const pause_ms = 50

/** Reading fewer takes less than a millisecond. */
export const fewRead = 100
/** A full batch shares its reading already. */
export const readForEach = 10

export const pausingAccounts = (
  alerts: readonly Pick<AlertToResolve, 'accountId'>[],
  { recentParts }: Pick<KnownAlerts, 'recentParts'>,
): ReadonlySet<AccountId> => {
  const reported = Map.groupBy(alerts, ({ accountId }) => accountId)
  return new Set(
    [...reported].flatMap(([accountId, own]) => {
      const read = recentParts.get(accountId)?.length ?? 0
      return read >= fewRead && read >= readForEach * own.length ? [accountId] : []
    }),
  )
}
