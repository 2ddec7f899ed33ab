import { at } from '../postgres/columns.ts'
import { none, statement } from '../postgres/statement.ts'
import type { NewEvent } from './event.ts'

/** Puts events into the outbox. That an alert is told of once in each kind is the unique index events_once. */
export const insertEvents = statement(
  'insert_events',
  none,
  (events: readonly NewEvent[]) => [
    events.map((one) => one.accountId),
    events.map((one) => one.id),
    events.map((one) => one.kind),
    events.map((one) => one.walletId),
    events.map((one) => one.intentId),
    events.map((one) => one.alertId),
    events.map((one) => one.body),
    events.map((one) => at(one.createdAt)),
  ],
  `
  insert into events (account_id, id, kind, wallet_id, intent_id, alert_id, body, created_at)
  select *
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::timestamptz[])`,
)
