import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, WalletId } from '../../core/ids.ts'
import { at, instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'

/**
 * Returns unmatched alerts that can be announced now, and marks them as announced: all intents that were open without a
 * reference when the alert arrived have ended. Rows that another node has locked are skipped. Index: alerts_owed,
 * intents_open.
 */
export const takeUnannounced = statement(
  'take_unannounced',
  {
    account_id: uuid<AccountId>(),
    id: uuid<AlertId>(),
    wallet_id: uuid<WalletId>(),
    wallet_name: text(),
    reference: nullable(text()),
    amount: minor(),
    currency: text(),
    received_at: instant(),
  },
  (now: Instant, limit: number) => [at(now), limit],
  `
  with owed as (
    select a.account_id, a.id
      from alerts a
     where a.unmatched_owed and ${isNotFrozen('a.account_id')}
       and not exists (select from intents i
                        where i.wallet_id = a.wallet_id and i.status = 'PENDING' and i.expires_at > $1
                          and i.created_at <= a.received_at
                          and (i.reference_at is null or i.reference_at > a.received_at))
     order by a.received_at
     limit $2
       for update of a skip locked)
  update alerts a set unmatched_owed = false
    from owed, wallets w
   where a.account_id = owed.account_id and a.id = owed.id and w.id = a.wallet_id and a.unmatched_owed
  returning a.account_id, a.id, a.wallet_id, w.name as wallet_name, a.reference, a.amount, a.currency, a.received_at`,
)
