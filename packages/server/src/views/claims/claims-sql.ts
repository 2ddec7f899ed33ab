import { ownsReference } from '../../alerts/reference-owner-sql.ts'
import type { Instant } from '../../core/clock.ts'
import type { IntentId, WalletIdentity } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Status } from '../../intents/intent.ts'
import { intentOfToday } from '../../intents/intent-today.ts'
import { at, bool, instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { type Only, onlyRow, scoped } from '../../postgres/query/statement.ts'

const claimColumns = {
  identity: uuid<WalletIdentity>(),
  reference_key: text(),
  reference: text(),
  claimed_at: instant(),
  by: text(),
  claimer_id: uuid<IntentId>(),
  claimer_code: text(),
  claimer_order: text(),
  claimer_status: text<Status>(),
  claimer_payable: minor(),
  claimer_currency: text(),
  claimer_created_at: instant(),
  paid: bool(),
  holder_id: nullable(uuid<IntentId>()),
  holder_code: nullable(text()),
  holder_order: nullable(text()),
  holder_status: nullable(text<Status>()),
  holder_payable: nullable(minor()),
  holder_currency: nullable(text()),
  holder_created_at: nullable(instant()),
}

/**
 * The claims `asked` whose claimer is PENDING at $2, each with the intent that the money of the reference verified (`paid`), or
 * else the PENDING intent that has the reference. Index: primary key of intents, alerts_reference, intents_reference_held.
 */
const withParties = (only: Only) => `
  select c.identity, c.reference_key, c.reference, c.claimed_at, c.by,
         i.id as claimer_id, i.code as claimer_code, i.external_order_id as claimer_order, i.status as claimer_status,
         i.payable as claimer_payable, i.currency as claimer_currency, i.created_at as claimer_created_at,
         m.intent_id is not null as paid, h.id as holder_id, h.code as holder_code, h.external_order_id as holder_order,
         h.status as holder_status, h.payable as holder_payable, h.currency as holder_currency,
         h.created_at as holder_created_at
    from asked c
    join intents i on i.account_id = c.account_id and i.id = c.intent_id and i.status || '' = 'PENDING' and i.expires_at > $2 ${only('i.wallet_id')} ${only.today(intentOfToday('i'))}
    left join lateral (
         select * from alerts m
          where m.reference_key is not null and ${ownsReference('m')}
            and ${onlyRow('m.identity = c.identity', 'm.reference_key', 'c.reference_key')}) as m
           on m.state in ('matched', 'booked')
    left join lateral (
         select * from intents p
          where p.status = 'PENDING' and ${onlyRow('p.identity = c.identity', 'p.reference_key', 'c.reference_key')}) as p
           on p.expires_at > $2
    left join intents h on h.account_id = c.account_id and h.id = coalesce(m.intent_id, p.id) ${only('h.wallet_id')} ${only.today(intentOfToday('h'))}
   order by c.claimed_at, i.id`

/**
 * The claims of an intent, and the claims on the references of its own and of the alert that resolved it. Index: primary keys of
 * reference_claims and intents, reference_claims_reference.
 */
export const claimsAboutIntent = scoped(
  'claims_about_intent',
  claimColumns,
  (scope: Scope, now: Instant, id: IntentId) => [scope.accountId, at(now), id],
  (only) => `
  with own as (
    select i.identity, i.reference_key, m.reference_key as paid_key
      from intents i
      left join alerts m on m.account_id = i.account_id and m.id = i.alert_id
     where i.account_id = $1 and i.id = $3),
  asked as (
    select * from reference_claims where account_id = $1 and intent_id = $3
    union
    select c.*
      from own
      join reference_claims c on c.account_id = $1 and c.identity = own.identity
       and c.reference_key in (own.reference_key, own.paid_key))
  ${withParties(only)}`,
)

/** The claims on references of real wallets. Index: reference_claims_reference. */
export const claimsOnReferences = scoped(
  'claims_on_references',
  claimColumns,
  (
    scope: Scope,
    now: Instant,
    references: readonly { readonly identity: WalletIdentity; readonly referenceKey: string }[],
  ) => [
    scope.accountId,
    at(now),
    references.map(({ identity }) => identity),
    references.map(({ referenceKey }) => referenceKey),
  ],
  (only) => `
  with asked as (
    select distinct c.*
      from unnest($3::uuid[], $4::text[]) as k (identity, reference_key)
      join reference_claims c on c.account_id = $1 and c.identity = k.identity and c.reference_key = k.reference_key)
  ${withParties(only)}`,
)
