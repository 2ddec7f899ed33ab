import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { intentColumns, intentRow, withAlert } from '../../intents/intent-sql.ts'
import { intentOfToday } from '../../intents/intent-today.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** The search reads at most this many of the newest waiting intents: more than a busy shop has in an hour. */
export const mostWaiting = 2_000

/**
 * Waiting intents that the search index does not find: by the amount of the order, where the buyer is asked for a little
 * more or less (unique amounts), or by the payer that was claimed. A phone number is compared by its digits, because it is
 * stored as it was typed. Index: intents_status, at most `mostWaiting` rows; then primary keys.
 */
export const waitingIntentsLike = scoped(
  'waiting_intents_like',
  intentColumns,
  (scope: Scope, amount: Minor | undefined, terms: readonly string[], limit: number) => [
    scope.accountId,
    amount === undefined ? null : String(amount),
    terms,
    limit,
    mostWaiting,
  ],
  (only) => `
  with waiting as materialized (
    select w.id, w.base
      from intents w
     where w.account_id = $1 and w.status = 'PENDING' ${only('w.wallet_id')} ${only.today(intentOfToday('w'))}
     order by w.id desc
     limit $5),
  found as (
    select w.id
      from waiting w
      left join claimed_payers c on c.account_id = $1 and c.intent_id = w.id
     where w.base = $2::bigint
        or (cardinality($3::text[]) > 0 and c.intent_id is not null
            and not exists (
                select from unnest($3::text[]) as t (term)
                 where strpos(lower(c.name), t.term) = 0
                   and (t.term !~ '^[0-9]{4,}$'
                        or strpos(regexp_replace(translate(c.phone, '٠١٢٣٤٥٦٧٨٩', '0123456789'), '[^0-9]', '', 'g'), t.term) = 0)))
     order by w.id desc
     limit $4)
  select ${intentRow}
    from found f
    join intents i on i.account_id = $1 and i.id = f.id${withAlert}
   order by i.id desc`,
)
