/**
 * Attaches a reference to an intent, and expires an intent that still has the reference although its window has closed.
 * References are looked up by the identity of the wallet, so that all entries of one real wallet share them.
 */
import { ownsReference } from '../alerts/reference-owner-sql.ts'
import type { Instant } from '../core/clock.ts'
import type { AccountId, IntentId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { closedUntil } from '../postgres/clock/clock-sql.ts'
import { at, bool, minor, nullable, text, uuid, whole } from '../postgres/query/columns.ts'
import { allChanged, onlyRow, scoped, statement } from '../postgres/query/statement.ts'
import { isSubscribed } from '../webhooks/event-sql.ts'
import type { Attachment } from './attachment.ts'
import { fold } from './intent.ts'
import { changesIntents } from './intent-changes.ts'
import { intentColumns, matchedRow, ownRow } from './intent-sql.ts'

/** An intent with an alert that may be its payment, and the doubts about that alert. */
export const lockedColumns = {
  ...intentColumns,
  /** How many different references the intent has had, and whether the new one is among them. */
  tried: whole(),
  tried_before: bool(),
  matched_trusted: nullable(bool()),
  matched_state: nullable(text<'waiting' | 'wrong_amount'>()),
  matched_chain: nullable(text<'fits' | 'break' | 'unknown'>()),
  matched_missing: nullable(minor()),
  matched_phone_new: nullable(bool()),
  matched_sender_new: nullable(bool()),
  matched_denied_by: nullable(text()),
  matched_similar: nullable(text()),
}

/** The limit of different references on one intent, so that nobody can find the payment of another buyer by guessing. */
export const mostReferences = 20

/**
 * Locks PENDING intents whose window is open, to attach their references. Each row includes the alert with the reference, if
 * the alert has already arrived and has not verified an intent. An intent is left out if that alert has verified an intent, or
 * if the alert is there and an intent with an open window has the reference. An intent may be in a batch only once.
 * The caller has locked the references. Index: primary key of intents, alerts_reference, intents_reference_held.
 */
export const lockForReferences = statement(
  'lock_for_references',
  lockedColumns,
  (attachments: readonly Attachment[]) => [
    attachments.map((attachment) => attachment.accountId),
    attachments.map((attachment) => attachment.id),
    attachments.map((attachment) => attachment.reference),
    attachments.map((attachment) => attachment.referenceKey),
    attachments.map((attachment) => at(attachment.now)),
  ],
  `
  select ${ownRow}, ${matchedRow}, cardinality(i.reference_keys) as tried,
         a.reference_key = any(i.reference_keys) as tried_before, m.trusted as matched_trusted,
         m.state as matched_state, m.chain as matched_chain, m.chain_missing as matched_missing,
         m.phone_new as matched_phone_new, m.sender_new as matched_sender_new, m.denied_by::text as matched_denied_by,
         m.similar_to::text as matched_similar
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[])
      as a (account_id, id, reference, reference_key, now)
   cross join lateral (
         -- The || keeps the planner from the indexes of PENDING intents: the row is found by its id.
         select * from intents i
          where i.status || '' = 'PENDING' and i.expires_at > a.now
            and ${onlyRow('i.account_id = a.account_id', 'i.id', 'a.id')}
            for no key update) as i
    left join lateral (
         select m.account_id, m.id, m.state, m.amount, m.sender, m.reference, m.received_at, m.device_id, m.trusted, m.chain,
                m.chain_missing, m.phone_new, m.sender_new, m.denied_by, m.similar_to
           from alerts m
          where m.reference_key is not null and ${ownsReference('m')}
            and ${onlyRow('m.identity = i.identity', 'm.reference_key', 'a.reference_key')}) as m on true
    left join devices d on d.account_id = m.account_id and d.id = m.device_id
   where m.id is null
      or m.state in ('waiting', 'wrong_amount')
         and (select count(*)
                from (select h.expires_at from intents h
                       where h.status = 'PENDING'
                         and ${onlyRow('h.identity = i.identity', 'h.reference_key', 'a.reference_key')}) as h
               where h.expires_at > a.now) = 0`,
)

/** The keys that an intent has had, with a new one added. */
export const withKey = (alias: string): string =>
  `case when ${alias}.reference_key = any(i.reference_keys) then i.reference_keys
                                 else i.reference_keys || ${alias}.reference_key end`

/**
 * Attaches references to locked intents, with a timeline entry each. The unique index intents_reference_held guarantees that
 * no other PENDING intent of the wallet has the reference. An intent that gets a reference claims no other one any more. It is
 * sent together with the commit. Index: primary keys of intents and reference_claims.
 */
export const attachReferences = statement(
  'attach_references',
  { done: whole() },
  (attachments: readonly Attachment[]) => [
    attachments.map((attachment) => attachment.accountId),
    attachments.map((attachment) => attachment.id),
    attachments.map((attachment) => attachment.reference),
    attachments.map((attachment) => attachment.referenceKey),
    attachments.map((attachment) => fold(attachment.reference)),
    attachments.map((attachment) => attachment.entryId),
    attachments.map((attachment) => attachment.by),
    attachments.map((attachment) => at(attachment.now)),
  ],
  `
  with input as (
    select *
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::timestamptz[])
        as a (account_id, id, reference, reference_key, search_reference, move_id, by, now)),
  changed as (
    update intents i
       set reference = a.reference, reference_key = a.reference_key, search_reference = a.search_reference,
           reference_at = a.now, reference_keys = ${withKey('a')}
      from input a
     where i.account_id = a.account_id and i.id = a.id and i.status || '' = 'PENDING'
    returning i.id),
  entries as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by, facts)
    select account_id, id, move_id, now, 'reference', by, json_build_object('reference', reference) from input),
  claims as (
    delete from reference_claims c using input a where c.account_id = a.account_id and c.intent_id = a.id)
  ${allChanged('changed', '$2::uuid[]', 'an intent changed while its row was locked')}`,
)

/**
 * Takes the reference from a locked PENDING intent, with a timeline entry that says to which intent it went. The reference still
 * counts as one that the intent has tried. The caller has locked the reference. Index: primary key of intents.
 */
export const releaseReference = statement(
  'release_reference',
  { done: whole() },
  (
    holder: { accountId: AccountId; id: IntentId; referenceKey: string },
    entry: { id: string; by: string; facts: Readonly<Record<string, string>> },
    now: Instant,
  ) => [holder.accountId, [holder.id], holder.referenceKey, entry.id, entry.by, JSON.stringify(entry.facts), at(now)],
  `
  with changed as (
    update intents i set reference = '', reference_key = null, search_reference = '', reference_at = null
     where i.account_id = $1 and i.id = any($2::uuid[]) and i.status || '' = 'PENDING' and i.reference_key = $3::text
    returning i.account_id, i.id),
  entries as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by, facts)
    select account_id, id, $4::uuid, $7::timestamptz, 'reference_moved', $5::text, $6::json from changed)
  ${allChanged('changed', '$2::uuid[]', 'an intent changed while its row was locked')}`,
)

/** Who attached the reference that an intent has. Index: primary key of intent_moves. */
export const referenceActor = scoped(
  'reference_actor',
  { by: text() },
  (scope: Scope, id: IntentId) => [scope.accountId, id],
  `
  select by from intent_moves
   where account_id = $1 and intent_id = $2 and kind = 'reference'
   order by id desc
   limit 1`,
)

/**
 * Expires the intent that has this reference of the wallet, if its window has closed by both clocks and the background loop has not
 * stored that yet. `held`: an intent with an open window has the reference. Otherwise the reference is free, even if the background
 * loop was first and nothing is expired here. Index: intents_reference_held.
 */
export const expireHolder = changesIntents(
  statement(
    'expire_holder',
    { held: bool(), ended_id: nullable(uuid<IntentId>()), subscribed: bool() },
    (holder: { accountId: AccountId; intentId: string; referenceKey: string; entryId: string }, now: Instant) => [
      holder.accountId,
      holder.intentId,
      holder.referenceKey,
      holder.entryId,
      at(now),
    ],
    `
  with holder as (
    select i.account_id, i.id, i.expires_at
      from (select * from intents i where ${onlyRow('i.account_id = $1', 'i.id', '$2')}) as mine
     cross join lateral (
           select * from intents i
            where i.status = 'PENDING' and ${onlyRow('i.identity = mine.identity', 'i.reference_key', '$3::text')}) as i
     where i.account_id = $1),
  ended as (
    update intents i set status = 'EXPIRED'
      from holder
     where i.account_id = holder.account_id and i.id = holder.id
       and i.status || '' = 'PENDING' and i.expires_at <= ${closedUntil('$5')}
    returning i.account_id, i.id, i.wallet_id, i.expires_at),
  entries as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by)
    select account_id, id, $4, expires_at, 'expired', 'clock' from ended)
  select exists (select from holder where expires_at > ${closedUntil('$5')}) as held, (select id from ended) as ended_id,
         coalesce((select ${isSubscribed('payment.expired', { account: 'ended.account_id', wallet: 'ended.wallet_id' })}
                     from ended), false) as subscribed`,
  ),
  // The second column is the intent that ended, or null.
  ({ rows }) => (rows[0]?.[1] == null ? [] : ['expired']),
)
