/** The wallet's reference on an intent: attached, and taken from a holder whose window has closed. */
import type { Instant } from '../ground/clock.ts'
import type { AccountId } from '../ground/ids.ts'
import { at, bool } from '../postgres/columns.ts'
import { statement, theOne } from '../postgres/statement.ts'
import { fold } from './intent.ts'
import { intentColumns, matchedRow, ownRow } from './intent-sql.ts'

export type Attachment = {
  readonly accountId: AccountId
  readonly id: string
  readonly reference: string
  readonly referenceKey: string
  readonly moveId: string
  readonly by: string
  readonly now: Instant
}

/**
 * Written so that no index of what is PENDING is of use: the way is by id, however few the planner thinks there are.
 */
const mayTake = `i.status || '' = 'PENDING' and i.expires_at > a.now and i.reference <> a.reference`

/**
 * Attaches references to PENDING intents whose window is open, with a line in each timeline, and returns those it
 * changed. An intent may stand in a batch once. That no other PENDING intent of the wallet holds the reference is the
 * unique index intents_reference_held. One whose alert is there already is not changed: it comes with the alert, its row
 * held, so that it is written once, with what becomes of it (matching/claim-sql.ts). Index: primary key of intents,
 * alerts_reference, intents_reference_held.
 */
export const attachReferences = statement(
  'attach_references',
  intentColumns,
  (asked: readonly Attachment[]) => [
    asked.map((one) => one.accountId),
    asked.map((one) => one.id),
    asked.map((one) => one.reference),
    asked.map((one) => one.referenceKey),
    asked.map((one) => fold(one.reference)),
    asked.map((one) => one.moveId),
    asked.map((one) => one.by),
    asked.map((one) => at(one.now)),
  ],
  `
  with asked as (
    select *
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::timestamptz[])
        as a (account_id, id, reference, reference_key, search_reference, move_id, by, now)),
  changed as (
    update intents i
       set reference = a.reference, reference_key = a.reference_key, search_reference = a.search_reference,
           reference_at = a.now
      from asked a
     where i.account_id = a.account_id and i.id = a.id and ${mayTake}
       -- Neither money that waits for it, nor money that somebody has already been given credit for.
       -- (Counted, not joined: asked for each by its own two keys.)
       and (select count(*) from alerts x
             where x.wallet_id = i.wallet_id and x.reference_key = a.reference_key
               and x.reference_key is not null and x.state in ('waiting', 'matched', 'wrong_amount', 'booked')) = 0
    returning i.*),
  told as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by, facts)
    select a.account_id, a.id, a.move_id, a.now, 'reference', a.by, json_build_object('reference', a.reference)
      from changed join asked a using (account_id, id)),
  awaited as (
    select ${ownRow}, ${matchedRow}
      from asked a
     cross join lateral (
           select o.wallet_id from intents o where ${theOne('o.account_id = a.account_id', 'o.id', 'a.id')}) as o
     cross join lateral (
           select * from alerts m
            where m.reference_key is not null and m.state = 'waiting'
              and ${theOne('m.wallet_id = o.wallet_id', 'm.reference_key', 'a.reference_key')}) as m
      join devices d on d.account_id = m.account_id and d.id = m.device_id
      -- By the account of the money: where none waits, the intent is not looked for a second time.
     cross join lateral (
           select * from intents i
            where ${mayTake}
              -- Held by another whose window is open: then the money is no more this one's than the reference.
              and (select count(*)
                     from (select * from intents h
                            where h.status = 'PENDING'
                              and ${theOne('h.wallet_id = i.wallet_id', 'h.reference_key', 'a.reference_key')}) as h
                    where h.expires_at > a.now) = 0
              and ${theOne('i.account_id = m.account_id', 'i.id', 'a.id')}
              for update) as i)
  select ${ownRow}, null::uuid as matched_id, null::bigint as matched_amount, null as matched_sender,
         null as matched_reference, null::timestamptz as matched_at, null::uuid as device_id, null as device_name
    from changed i
   union all
  select * from awaited`,
)

/**
 * Ends the intent that holds this reference of the wallet, if its window has closed and no sweep has written it yet.
 * Says whether an intent whose window is open holds it. Not whether one was ended: a sweep may have been first, and then
 * the reference is free all the same. Index: intents_reference_held.
 */
export const expireHolder = statement(
  'expire_holder',
  { held: bool() },
  (holder: { accountId: AccountId; intentId: string; referenceKey: string; moveId: string }, now: Instant) => [
    holder.accountId,
    holder.intentId,
    holder.referenceKey,
    holder.moveId,
    at(now),
  ],
  `
  with holder as (
    select i.account_id, i.id, i.expires_at
      from (select * from intents i where ${theOne('i.account_id = $1', 'i.id', '$2')}) as mine
     cross join lateral (
           select * from intents i
            where i.status = 'PENDING' and ${theOne('i.wallet_id = mine.wallet_id', 'i.reference_key', '$3::text')}) as i
     where i.account_id = $1),
  ended as (
    update intents i set status = 'EXPIRED'
      from holder
     where i.account_id = holder.account_id and i.id = holder.id
       and i.status || '' = 'PENDING' and i.expires_at <= $5
    returning i.account_id, i.id, i.expires_at),
  told as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by)
    select account_id, id, $4, expires_at, 'expired', 'clock' from ended)
  select exists (select from holder where expires_at > $5) as held`,
)
