import type { AlertState, Hidden, Reason } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId } from '../../core/ids.ts'
import { at } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'
import { storedColumns } from '../resolve/stored-alert-sql.ts'

/** Alerts without an amount, stored before Sanad hid alerts and not checked since, oldest first. Index: alerts_to_check. */
export const uncheckedAlerts = statement(
  'unchecked_alerts',
  storedColumns,
  (limit: number) => [limit],
  `
  select ${Object.keys(storedColumns).join(', ')}
    from alerts
   where check_hidden and amount is null and ${isNotFrozen('account_id')}
   order by id
   limit $1`,
)

/** Marks alerts as checked. Index: primary key. */
export const markAlertsChecked = statement(
  'mark_alerts_checked',
  noColumns,
  (accounts: readonly AccountId[], ids: readonly AlertId[]) => [accounts, ids],
  `
  update alerts a set check_hidden = false
    from unnest($1::uuid[], $2::uuid[]) as n (account_id, id)
   where a.account_id = n.account_id and a.id = n.id and a.check_hidden`,
)

/** Hides an alert whose text is stored unencrypted. Changes nothing if the alert changed meanwhile. Index: primary key. */
export const hideAlert = statement(
  'hide_alert',
  noColumns,
  (alert: {
    accountId: AccountId
    id: AlertId
    was: AlertState
    state: 'hidden' | 'duplicate'
    reason: Reason
    clientId: string
    sender: string
    text: string
    fingerprint: Buffer
    hidden: Hidden
    sealedText: Buffer | null
    forgetAt: Instant
  }) => [
    alert.accountId,
    alert.id,
    alert.was,
    alert.state,
    alert.reason,
    alert.clientId,
    alert.sender,
    alert.text,
    alert.fingerprint,
    alert.hidden,
    alert.sealedText,
    at(alert.forgetAt),
  ],
  `
  update alerts
     set state = $4, reason = $5, client_id = $6, sender = $7, title = '', raw_text = $8, fingerprint = $9, hidden = $10,
         sealed_text = $11, forget_at = $12, dismissed_from = null, dismissed_at = null, dismissed_by = '',
         dismissed_why = '', unmatched_owed = false
   where account_id = $1 and id = $2 and state = $3 and hidden = '' and amount is null`,
)
