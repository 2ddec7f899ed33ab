import type { MoveKind } from '@sanad/contract/kinds'
import type { Instant } from '../core/clock.ts'
import type { AccountId, AlertId, IntentId, PhoneId, WalletId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { closedUntil } from '../postgres/clock/clock-sql.ts'
import { at, bool, instant, jsonText, minor, nullable, text, uuid } from '../postgres/query/columns.ts'
import { onlyRow, type RowOf, scoped, statement } from '../postgres/query/statement.ts'
import { isNotFrozen } from '../postgres/tenancy/freeze-sql.ts'
import { isSubscribed } from '../webhooks/event-sql.ts'
import { readArrival } from './arrival.ts'
import { arrivalColumns } from './arrival-sql.ts'
import type { Intent, Status } from './intent.ts'
import { changesIntents, eachRow } from './intent-changes.ts'
import { intentOfToday } from './intent-today.ts'

const ownColumns = {
  account_id: uuid<AccountId>(),
  id: uuid<IntentId>(),
  wallet_id: uuid<WalletId>(),
  code: text(),
  status: text<Status>(),
  base: minor(),
  payable: minor(),
  paid: nullable(minor()),
  ...arrivalColumns,
  currency: text(),
  external_order_id: text(),
  notes: text(),
  items: jsonText(),
  reference: text(),
  manual: bool(),
  created_at: instant(),
  expires_at: instant(),
  verified_at: nullable(instant()),
}

const matchedColumns = {
  matched_id: nullable(uuid<AlertId>()),
  matched_amount: nullable(minor()),
  matched_sender: nullable(text()),
  matched_reference: nullable(text()),
  matched_at: nullable(instant()),
  device_id: nullable(uuid<PhoneId>()),
  device_name: nullable(text()),
}

export const intentColumns = { ...ownColumns, ...matchedColumns }

export const ownRow = Object.keys(ownColumns)
  .map((name) => `i.${name}`)
  .join(', ')

export const matchedRow = `m.id as matched_id, m.amount as matched_amount, m.sender as matched_sender,
         m.reference as matched_reference, m.received_at as matched_at, d.id as device_id, d.name as device_name`

/** An intent with the alert that resolved it: `select ${intentRow} from … i ${withAlert}`. */
export const intentRow = `${ownRow},
         ${matchedRow}`

export const withAlert = `
    left join alerts m on m.account_id = i.account_id and m.id = i.alert_id
    left join devices d on d.account_id = m.account_id and d.id = m.device_id`

export const intentOf = (row: RowOf<typeof intentColumns>): Intent => ({
  accountId: row.account_id,
  id: row.id,
  walletId: row.wallet_id,
  code: row.code,
  status: row.status,
  base: row.base,
  payable: row.payable,
  paid: row.paid,
  arrival: readArrival(row),
  currency: row.currency,
  externalOrderId: row.external_order_id,
  notes: row.notes,
  items: row.items,
  reference: row.reference,
  manual: row.manual,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  verifiedAt: row.verified_at,
  matched:
    row.matched_id === null
      ? null
      : {
          id: row.matched_id,
          amount: row.matched_amount,
          sender: row.matched_sender!,
          reference: row.matched_reference,
          receivedAt: row.matched_at!,
          phone: { id: row.device_id!, name: row.device_name! },
        },
})

/** An intent of the account, locked until the transaction ends. Index: primary key. */
export const lockIntent = scoped(
  'lock_intent',
  intentColumns,
  (scope: Scope, id: string) => [scope.accountId, id],
  `
  select ${intentRow}
    from intents i${withAlert}
   where i.account_id = $1 and i.id = $2
     for update of i`,
)

/**
 * Intents without the alerts that resolved them: most requested intents have none yet, and a join would cost more than
 * finding the intent. Index: primary key of intents, once for each.
 */
export const findIntents = statement(
  'find_intents',
  { ...ownColumns, alert_id: nullable(uuid<AlertId>()) },
  (keys: readonly { accountId: AccountId; id: string }[]) => [
    keys.map((key) => key.accountId),
    keys.map((key) => key.id),
  ],
  `
  select ${ownRow}, i.alert_id
    from unnest($1::uuid[], $2::uuid[]) as a (account_id, id)
   cross join lateral (
         select * from intents i where ${onlyRow('i.account_id = a.account_id', 'i.id', 'a.id')}) as i`,
)

/** The alerts that resolved intents, each with its phone. Index: primary keys, once for each. */
export const findMatched = statement(
  'find_matched',
  matchedColumns,
  (keys: readonly { accountId: AccountId; alertId: AlertId }[]) => [
    keys.map((key) => key.accountId),
    keys.map((key) => key.alertId),
  ],
  `
  select ${matchedRow}
    from unnest($1::uuid[], $2::uuid[]) as a (account_id, id)
   cross join lateral (
         select * from alerts m where ${onlyRow('m.account_id = a.account_id', 'm.id', 'a.id')}) as m
    join devices d on d.account_id = m.account_id and d.id = m.device_id`,
)

/** The columns of the alert for an intent that has none. */
export const noneMatched: RowOf<typeof matchedColumns> = {
  matched_id: null,
  matched_amount: null,
  matched_sender: null,
  matched_reference: null,
  matched_at: null,
  device_id: null,
  device_name: null,
}

/**
 * Expires the intents whose window has closed by the clocks of the node and of the database. Indexes: intents_due, then the primary key
 * (`status || ''`: no index of PENDING intents, which the planner takes for empty, fits the update). Skips locked rows: the transaction
 * that has the lock decides. The ids of the timeline entries are passed in; their number is the limit. The caller stores the events of
 * rows that are `subscribed`.
 */
export const expireDue = changesIntents(
  statement(
    'expire_due',
    { account_id: uuid<AccountId>(), id: uuid<IntentId>(), subscribed: bool() },
    (entryIds: readonly string[], now: Instant) => [entryIds, at(now)],
    `
  with due as (
    select account_id, id, expires_at, row_number() over () as n
      from (select account_id, id, expires_at
              from intents
             where status = 'PENDING' and expires_at <= ${closedUntil('$2')} and ${isNotFrozen('account_id')}
             order by expires_at
             limit cardinality($1::uuid[])
               for update skip locked) as locked),
  ended as (
    update intents i set status = 'EXPIRED'
      from due
     where i.account_id = due.account_id and i.id = due.id and i.status || '' = 'PENDING'
    returning i.account_id, i.id, i.wallet_id, due.expires_at, due.n),
  entries as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by)
    select account_id, id, ($1::uuid[])[n], expires_at, 'expired', 'clock' from ended)
  select account_id, id, ${isSubscribed('payment.expired', { account: 'ended.account_id', wallet: 'ended.wallet_id' })} as subscribed
    from ended`,
  ),
  eachRow('expired'),
)

/** Cancels one intent whose window is open. If `subscribed`, the caller stores the event. Index: primary key (`status || ''` as above). */
export const cancelPending = changesIntents(
  scoped(
    'cancel_pending',
    { ...intentColumns, subscribed: bool() },
    (scope: Scope, request: { id: string; entryId: string; by: string }, now: Instant) => [
      scope.accountId,
      request.id,
      request.entryId,
      request.by,
      at(now),
    ],
    (only) => `
  with changed as (
    update intents i set status = 'CANCELLED'
     where i.account_id = $1 and i.id = $2 and i.status || '' = 'PENDING' and i.expires_at > $5 ${only('i.wallet_id')} ${only.today(intentOfToday('i'))}
    returning i.*),
  entries as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by)
    select account_id, id, $3, $5, 'cancelled', $4 from changed)
  select ${intentRow},
         ${isSubscribed('payment.cancelled', { account: 'i.account_id', wallet: 'i.wallet_id' })} as subscribed
    from changed i${withAlert}`,
  ),
  eachRow('cancelled'),
)

/** The timeline of an intent, at most 500 entries. Index: primary key. */
export const listTimeline = scoped(
  'list_timeline',
  {
    at: instant(),
    kind: text<MoveKind>(),
    by: text(),
    alert_id: nullable(uuid<AlertId>()),
    facts: jsonText(),
  },
  (scope: Scope, intentId: string) => [scope.accountId, intentId],
  `
  select at, kind, by, alert_id, facts
    from intent_moves
   where account_id = $1 and intent_id = $2
   order by id
   limit 500`,
)
