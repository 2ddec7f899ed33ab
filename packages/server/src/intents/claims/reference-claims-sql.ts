/**
 * Writes claims on references. Every statement that adds a claim runs under the lock of the reference, so that the limit of claims
 * is exact; and under the lock of the claimer's row.
 */
import { ownsReference } from '../../alerts/reference-owner-sql.ts'
import type { Instant } from '../../core/clock.ts'
import type { AlertId, IntentId, WalletIdentity } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, minor, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, onlyRow, scoped, statement } from '../../postgres/query/statement.ts'
import type { Status } from '../intent.ts'
import { mostClaims, type ReferenceClaim } from './reference-claim.ts'

/**
 * Locks intents that claim or hold a reference, in the order of their ids. `tried`, `tried_before`: as in lockForReferences.
 * Index: primary key.
 */
export const lockClaimParties = scoped(
  'lock_claim_parties',
  {
    id: uuid<IntentId>(),
    code: text(),
    external_order_id: text(),
    status: text<Status>(),
    expires_at: instant(),
    identity: uuid<WalletIdentity>(),
    payable: minor(),
    reference: text(),
    reference_key: nullable(text()),
    reference_at: nullable(instant()),
    tried: whole(),
    tried_before: bool(),
  },
  (scope: Scope, ids: readonly string[], referenceKey: string) => [scope.accountId, ids, referenceKey],
  `
  select i.id, i.code, i.external_order_id, i.status, i.expires_at, i.identity, i.payable, i.reference, i.reference_key,
         i.reference_at, cardinality(i.reference_keys) as tried, $3::text = any(i.reference_keys) as tried_before
    from intents i
   where i.account_id = $1 and i.id = any($2::uuid[])
   order by i.id
     for no key update`,
)

/**
 * Makes room for a claim: deletes the claims on the reference whose intent has ended, and the oldest claims of the claimer, so that
 * it keeps fewer than the limit. Index: reference_claims_reference, primary key.
 */
export const makeRoomForClaim = statement(
  'make_room_for_claim',
  noColumns,
  (claim: Pick<ReferenceClaim, 'accountId' | 'intentId' | 'referenceKey'>, identity: WalletIdentity, now: Instant) => [
    claim.accountId,
    claim.intentId,
    claim.referenceKey,
    identity,
    at(now),
    mostClaims - 1,
  ],
  `
  with ended as (
    select c.account_id, c.intent_id, c.reference_key
      from reference_claims c
      join intents i on i.account_id = c.account_id and i.id = c.intent_id
     where c.account_id = $1 and c.identity = $4 and c.reference_key = $3
       and (i.status || '' <> 'PENDING' or i.expires_at <= $5)),
  oldest as (
    select c.account_id, c.intent_id, c.reference_key
      from reference_claims c
     where c.account_id = $1 and c.intent_id = $2 and c.reference_key <> $3
     order by c.claimed_at desc, c.reference_key
    offset $6)
  delete from reference_claims
   where (account_id, intent_id, reference_key) in (select * from ended union all select * from oldest)`,
)

/**
 * Stores a claim, unless the reference has its most claims already. A repeated claim of the intent gets the new time. Returns what
 * the claim disputes: the PENDING intent that has the reference, the alert with the reference and the intent that it verified.
 * The caller has locked the reference and the claimer. Index: primary keys, reference_claims_reference, intents_reference_held,
 * alerts_reference.
 */
export const storeReferenceClaim = statement(
  'store_reference_claim',
  { holder_id: nullable(uuid<IntentId>()), alert_id: nullable(uuid<AlertId>()), paid_id: nullable(uuid<IntentId>()) },
  (claim: ReferenceClaim) => [
    claim.accountId,
    claim.intentId,
    claim.referenceKey,
    claim.reference,
    claim.by,
    at(claim.claimedAt),
    mostClaims,
  ],
  `
  with stored as (
    insert into reference_claims as c
           (account_id, intent_id, wallet_id, identity, reference_key, reference, by, claimed_at)
    select i.account_id, i.id, i.wallet_id, i.identity, $3, $4, $5, $6
      from intents i
     where i.account_id = $1 and i.id = $2
       and (exists (select from reference_claims o
                     where o.account_id = $1 and o.intent_id = $2 and o.reference_key = $3)
            or (select count(*) from reference_claims o where o.identity = i.identity and o.reference_key = $3) < $7)
        on conflict (account_id, intent_id, reference_key) do update
       set reference = excluded.reference, by = excluded.by, claimed_at = excluded.claimed_at
    returning c.account_id, c.identity)
  select h.id as holder_id, m.id as alert_id, m.intent_id as paid_id
    from stored s
    left join lateral (
         select h.id from intents h
          where h.status = 'PENDING' and ${onlyRow('h.identity = s.identity', 'h.reference_key', '$3::text')}) as h on true
    left join lateral (
         select m.id, m.intent_id from alerts m
          where m.reference_key is not null and ${ownsReference('m')}
            and ${onlyRow('m.identity = s.identity', 'm.reference_key', '$3::text')}) as m on true`,
)

/** The reference of a stored claim, as it was typed. Index: primary key. */
export const claimedReference = scoped(
  'claimed_reference',
  { reference: text() },
  (scope: Scope, intentId: string, referenceKey: string) => [scope.accountId, intentId, referenceKey],
  `select reference from reference_claims where account_id = $1 and intent_id = $2 and reference_key = $3`,
)

/** Deletes the claims of an intent: it has got a reference. Index: primary key. */
export const endReferenceClaims = scoped(
  'end_reference_claims',
  noColumns,
  (scope: Scope, intentId: string) => [scope.accountId, intentId],
  `delete from reference_claims where account_id = $1 and intent_id = $2`,
)

/** Deletes old claims, a bounded number at a time. Index: reference_claims_old. */
export const pruneReferenceClaims = statement(
  'prune_reference_claims',
  { intent_id: uuid<IntentId>() },
  (before: Instant, limit: number) => [at(before), limit],
  `
  delete from reference_claims
   where (account_id, intent_id, reference_key) in (
     select account_id, intent_id, reference_key from reference_claims
      where claimed_at <= $1 order by claimed_at limit $2
        for update skip locked)
  returning intent_id`,
)
