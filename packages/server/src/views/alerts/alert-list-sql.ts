/**
 * The SQL of the lists of alerts. The query for the ids of a page is built for its filters: values are always parameters,
 * states are constants of the code. One statement then reads the alerts of these ids.
 */

import type { AlertState, Reason } from '../../alerts/alert.ts'
import {
  type AlertFilter,
  type AlertPage,
  indexFor,
  mostScanned,
  type QueueState,
  queueStates,
} from '../../alerts/alert-list.ts'
import type { Instant } from '../../core/clock.ts'
import {
  type AlertId,
  firstIdAt,
  type IntentId,
  type PhoneId,
  type TemplateId,
  type WalletId,
  type WalletIdentity,
} from '../../core/ids.ts'
import { referenceKey } from '../../core/reference-key.ts'
import type { Scope } from '../../core/scope.ts'
import { arrivalColumns, arrivalRow } from '../../intents/arrival-sql.ts'
import { intentOfToday } from '../../intents/intent-today.ts'
import { bool, instant, jsonText, minor, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { dayParameters, type Only, onlyRow, type RowOf, scoped } from '../../postgres/query/statement.ts'
import { alertOfToday, shownToday } from '../alert-today.ts'
import { sightingsJson } from './sightings-sql.ts'

export type Query = { readonly text: string; readonly values: readonly unknown[] }

const quotedStates = (states: readonly AlertState[]): string => states.map((state) => `'${state}'`).join(', ')

/** Whether the term occurs in the payer, or in the reference in any spelling. */
const termSql = (add: (value: unknown) => string, term: string): string => {
  const plain = `strpos(lower(coalesce(a.reference, '') || U&'\\001F' || coalesce(a.payer, '')), ${add(term)}) > 0`
  const key = referenceKey(term)
  return key === '' ? plain : `(${plain} or strpos(coalesce(a.reference_key, ''), ${add(key)}) > 0)`
}

/** The ids of the page in its order, and one more if there are more. `end`: the row is the last alert that was scanned. */
export const pageColumns = { id: uuid<AlertId>(), end: bool() }

export const pageQuery = (filter: AlertFilter, page: AlertPage): Query => {
  const values: unknown[] = []
  const add = (value: unknown): string => `$${values.push(value)}`
  const lead = indexFor(filter)
  const { today } = filter.scope
  const [beyond, order] = page.newestFirst ? ['<', 'desc'] : ['>', 'asc']
  const times = (from: Instant | undefined, until: Instant | undefined): string[] => [
    ...(from === undefined ? [] : [`a.id >= ${add(firstIdAt(from))}`]),
    ...(until === undefined ? [] : [`a.id < ${add(firstIdAt(until))}`]),
  ]
  const where = [
    `a.account_id = ${add(filter.scope.accountId)}`,
    `a.hidden <> 'stranger'`,
    ...(today === null ? [] : [alertOfToday('a')(dayParameters((_, type, value) => `${add(value(today))}::${type}`))]),
    ...(filter.scope.wallets === null ? [] : [`a.wallet_id = any(${add(filter.scope.wallets)}::uuid[])`]),
    ...(lead.kind === 'phone' ? [`a.device_id = ${add(filter.phoneId)}`] : []),
    ...(lead.kind === 'state' ? [`a.state = '${lead.state}'`] : []),
    ...(lead.kind === 'queue' ? [`a.state in (${quotedStates(queueStates)})`] : []),
    ...(lead.kind !== 'phone' && filter.walletId !== undefined ? [`a.wallet_id = ${add(filter.walletId)}`] : []),
    ...times(filter.from, filter.until),
    ...(page.after === undefined ? [] : [`a.id ${beyond} ${add(page.after)}`]),
  ]
  const allOfQueue = lead.kind === 'queue' && queueStates.every((state) => filter.states?.includes(state))
  // Conditions that no index checks: they are checked for at most `mostScanned` alerts.
  const hits = [
    ...(lead.kind === 'state' || allOfQueue || filter.states === undefined
      ? []
      : [`a.state in (${quotedStates(filter.states)})`]),
    ...(lead.kind === 'phone' && filter.walletId !== undefined ? [`a.wallet_id = ${add(filter.walletId)}`] : []),
    ...(filter.templateId === undefined ? [] : [`a.template_id = ${add(filter.templateId)}`]),
    ...(filter.amount === undefined ? [] : [`a.amount = ${add(String(filter.amount))}`]),
    ...filter.terms.map((term) => termSql(add, term)),
  ]
  const from = `from alerts a where ${where.join(' and ')} order by a.id ${order}`
  const most = add(page.size + 1)
  if (hits.length === 0) return { text: `select a.id, false as "end" ${from} limit ${most}`, values }
  return {
    values,
    text: `
  with scanned as materialized (
    select a.id, (${hits.map((hit) => `coalesce(${hit}, false)`).join(' and ')}) as hit ${from} limit ${mostScanned})
  (select id, false as "end" from scanned where hit order by id ${order} limit ${most})
  union all
  (select id, true as "end" from scanned
    where (select count(*) from scanned) = ${mostScanned}
    order by id ${page.newestFirst ? 'asc' : 'desc'} limit 1)`,
  }
}

const shownColumns = {
  id: uuid<AlertId>(),
  state: text<AlertState>(),
  reason: text<Reason>(),
  wallet_id: nullable(uuid<WalletId>()),
  wallet_name: nullable(text()),
  wallet_currency: nullable(text()),
  wallet_is_test: nullable(bool()),
  wallet_sim_slot: nullable(text()),
  review_above: nullable(minor()),
  low_trust_limit: nullable(minor()),
  device_id: uuid<PhoneId>(),
  device_name: text(),
  kind: text<'sms' | 'notification'>(),
  sender: text(),
  title: text(),
  raw_text: text(),
  sim_slot: text(),
  adapter: text(),
  trusted: bool(),
  direction: nullable(text<'credit' | 'debit'>()),
  amount: nullable(minor()),
  currency: nullable(text()),
  reference: nullable(text()),
  reference_key: nullable(text()),
  payer: nullable(text()),
  balance: nullable(minor()),
  chain: nullable(text<'fits' | 'break' | 'unknown'>()),
  chain_missing: nullable(minor()),
  chain_since: nullable(instant()),
  sent_at: nullable(instant()),
  phone_received_at: nullable(instant()),
  received_at: instant(),
  template_id: nullable(uuid<TemplateId>()),
  duplicate_of: nullable(uuid<AlertId>()),
  identity: nullable(uuid<WalletIdentity>()),
  phone_new: bool(),
  sender_new: bool(),
  denied_by: nullable(uuid<AlertId>()),
  similar_to: nullable(uuid<AlertId>()),
  erased_at: nullable(instant()),
  intent_id: nullable(uuid<IntentId>()),
  intent_code: nullable(text()),
  intent_order: nullable(text()),
  intent_payable: nullable(minor()),
  intent_tried: nullable(whole()),
  intent_status: nullable(text()),
  ...arrivalColumns,
  intent_expires_at: nullable(instant()),
  dismissed_from: nullable(text<QueueState>()),
  dismissed_at: nullable(instant()),
  dismissed_by: text(),
  dismissed_why: text(),
  /** If it was taken as a sale. */
  sale_by: nullable(text()),
  sale_at: nullable(instant()),
  sale_due_at: nullable(instant()),
  sale_order: nullable(text()),
  sale_note: nullable(text()),
  other_id: nullable(uuid<AlertId>()),
  other_amount: nullable(minor()),
  /** The phones that reported the same payment (sightings-sql.ts). */
  sightings: jsonText(),
}
export type ShownAlert = RowOf<typeof shownColumns> & {
  /** A spent alert that may be the same payment in another wording, and the intent that it verified. */
  readonly same_payment?: {
    readonly id: AlertId
    /** Null, and no code: it was taken as a sale whose intent is not made yet. */
    readonly intent: IntentId | null
    readonly code: string | null
    readonly order: string | null
  }
}

const shown = (only: Only, from = 'from alerts a'): string => `
  select a.id, a.state, a.reason, a.wallet_id, w.name as wallet_name, w.currency as wallet_currency,
         w.is_test as wallet_is_test, w.sim_slot as wallet_sim_slot, w.review_above, w.low_trust_limit,
         a.device_id, d.name as device_name, a.kind, a.sender, a.title, a.raw_text, a.sim_slot, a.adapter, a.trusted,
         a.direction, a.amount, a.currency, a.reference, a.reference_key, a.payer, a.balance, a.chain, a.chain_missing,
         a.chain_since, a.sent_at, a.phone_received_at, a.received_at, a.template_id, a.duplicate_of,
         a.identity, a.phone_new, a.sender_new, a.denied_by, a.similar_to, a.erased_at, a.intent_id, i.code as intent_code,
         i.external_order_id as intent_order, i.payable as intent_payable, cardinality(i.reference_keys) as intent_tried,
         i.status as intent_status, ${arrivalRow('i')}, i.expires_at as intent_expires_at,
         a.dismissed_from, a.dismissed_at, a.dismissed_by, a.dismissed_why, s.by as sale_by,
         s.taken_at as sale_at, s.due_at as sale_due_at, s.external_order_id as sale_order, s.note as sale_note, o.id as other_id, o.amount as other_amount,${sightingsJson} as sightings
    ${from}
    left join devices d on d.account_id = a.account_id and d.id = a.device_id
    left join wallets w on w.account_id = a.account_id and w.id = a.wallet_id
    -- Looked up for each alert: joined, the planner may read all of an account, if most accounts have few.
    left join lateral (
         select * from intents its where ${onlyRow('its.account_id = a.account_id', 'its.id', 'a.intent_id')}) as i on true
    left join lateral (
         select * from counter_sales its where ${onlyRow('its.account_id = a.account_id', 'its.alert_id', 'a.id')}) as s on true
    -- The other alert with this reference, where that is the reason.
    left join lateral (
         select x.id, x.amount from alerts x
          where a.reason in ('second_amount', 'dismissed_before')
            and x.identity = a.identity and x.reference_key = a.reference_key and x.reference_key is not null
            and x.id <> a.id and x.state <> 'duplicate' ${only.today(shownToday('x'))}
          order by x.id limit 1) as o on true`

/** Alerts of the account as they are shown, in no order, without messages of unknown senders. Index: primary keys,
 *  alerts_same_reference, alerts_duplicates. */
export const shownAlerts = scoped(
  'shown_alerts',
  shownColumns,
  (scope: Scope, ids: readonly string[]) => [scope.accountId, ids],
  (only) => `${shown(only)}
   where a.account_id = $1 and a.id = any($2::uuid[]) and a.hidden <> 'stranger' ${only('a.wallet_id')} ${only.today(shownToday('a'))}`,
)

/**
 * The alerts that resolved these intents, one each at most, in no order. Index: alerts_intent. Each is looked up by itself, and only then
 * by its account: the planner would read all alerts of the account, if most accounts have few.
 */
export const alertsOfIntents = scoped(
  'alerts_of_intents',
  shownColumns,
  (scope: Scope, intentIds: readonly IntentId[]) => [scope.accountId, intentIds],
  (only) => `${shown(
    only,
    `from unnest($2::uuid[]) as n (intent_id)
   cross join lateral (select * from alerts r where r.intent_id = n.intent_id limit 1) as a`,
  )}
   where a.account_id = $1 and a.hidden <> 'stranger' ${only('a.wallet_id')} ${only.today(shownToday('a'))}`,
)

/** The code and the order of intents. Index: primary key. */
export const namesOfIntents = scoped(
  'names_of_intents',
  { id: uuid<IntentId>(), code: text(), external_order_id: text() },
  (scope: Scope, ids: readonly IntentId[]) => [scope.accountId, ids],
  (only) =>
    `select i.id, i.code, i.external_order_id from intents i
      where i.account_id = $1 and i.id = any($2::uuid[]) ${only('i.wallet_id')} ${only.today(intentOfToday('i'))}`,
)

/** Other alerts of the real wallet with the same reference, oldest first. Index: alerts_same_reference. */
export const relatedAlerts = scoped(
  'related_alerts',
  shownColumns,
  (scope: Scope, identity: WalletIdentity, key: string, id: AlertId, most: number) => [
    scope.accountId,
    identity,
    key,
    id,
    most,
  ],
  (only) => `${shown(only)}
   where a.account_id = $1 and a.identity = $2 and a.reference_key = $3 and a.reference_key is not null and a.id <> $4 ${only('a.wallet_id')} ${only.today(shownToday('a'))}
   order by a.id
   limit $5`,
)

/** The number of alerts in each state of the queue, counted up to `most`. Index: alerts_queue_state. */
export const countQueue = scoped(
  'count_queue',
  { state: text<QueueState>(), found: whole() },
  (scope: Scope, most: number) => [scope.accountId, most],
  (only) =>
    queueStates
      .map(
        (state) => `
  select '${state}'::text as state, count(*)::int as found
    from (select from alerts a where a.account_id = $1 and a.state = '${state}' ${only('a.wallet_id')} ${only.today(alertOfToday('a'))} limit $2) as x`,
      )
      .join('\n  union all'),
)
