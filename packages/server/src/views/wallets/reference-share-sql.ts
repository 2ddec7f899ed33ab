import type { Instant } from '../../core/clock.ts'
import { firstIdAt, type WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/**
 * Counts the payments of a wallet since an instant, and those without a reference, among the newest 2,000 alerts. Also counts the
 * templates that read its payments, and those that read no reference. Index: alerts_of_wallet, alert_templates_of_provider.
 */
export const referenceShare = scoped(
  'reference_share',
  { credits: whole(), without_reference: whole(), templates: whole(), templates_without: whole() },
  (scope: Scope, walletId: WalletId, since: Instant) => [scope.accountId, walletId, firstIdAt(since)],
  `
  select a.credits, a.without_reference, t.templates, t.templates_without
    from (select count(*)::int as credits, (count(*) filter (where a.reference_key is null))::int as without_reference
            from (select a.direction, a.state, a.reference_key from alerts a
                   where a.account_id = $1 and a.wallet_id = $2 and a.id >= $3
                   order by a.id desc
                   limit 2000) as a
           where a.direction = 'credit' and a.state <> 'duplicate') as a,
         (select count(*)::int as templates, (count(*) filter (where t.sentence not like '%{reference:%'))::int as templates_without
            from wallets w
            join alert_templates t on t.provider_id = w.provider_id and t.status = 'active' and t.direction = 'credit'
                                  and (t.account_id is null or t.account_id = w.account_id)
           where w.account_id = $1 and w.id = $2) as t`,
)
