/** The statement that writes a stretch of a service's past: intents with their timelines, alerts, events, deliveries and the rest. */
import { newDeliveryId } from '../../../packages/server/src/webhooks/delivery-id.ts'
import { endedOf1000, keptDays, oneOf } from './shape.ts'

/** The accounts of the past, by their place; dropped when the database is complete. */
export const createAccounts = `
  create table bench.accounts (
    place int primary key, account_id uuid not null, wallets uuid[] not null, device_id uuid not null,
    endpoint_id uuid not null, client_id text not null, user_id uuid)`

const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const letters = 'abcdefghijklmnopqrstuvwxyzaeioun'

/** SQL for characters of an alphabet, selected by five bits each of a number. */
const characters = (alphabet: string, length: number, bits: string): string =>
  Array.from({ length }, (_, i) => `substr('${alphabet}', (${bits} >> ${i * 5} & 31)::int + 1, 1)`).join(' || ')

/** A number of at most so many, from the number of the intent: another one for each `salt`. */
const drawn = (salt: number, most: string): string => `((hashint8extended(n, ${salt}) & 4611686018427387903) % ${most})`

/** An id that begins with the time in milliseconds. */
const idAt = (ms: string): string => `(lpad(to_hex(${ms}), 12, '0') || '7' || right(gen_random_uuid()::text, 21))::uuid`

const money = (minor: string): string => `to_char(${minor} / 100.0, 'FM999,999,990.00')`
const within = (days: number): string => `ms > $6::bigint - ${days * 86_400_000}::bigint`
const { expired, cancelled, wrongAmount } = endedOf1000

/**
 * Intents number $1 to $2 (not included) of $3, from $5 milliseconds on until $6. $4: of the account in place 0. $7, $8: how many
 * accounts share two thirds and one third of the rest. A reference and a code belong to one number alone: they are numbers times an odd
 * one, of a power.
 */
export const insertPast = `
  with numbered as (
    select n, $5::bigint + n * (($6::bigint - $5::bigint) / $3::bigint) as ms,
           ${drawn(1, '$3::bigint')} as share, ${drawn(2, '1000')} as fate, ${drawn(3, '900000')} as r,
           ${drawn(4, '3000000')} as wait_ms, hashint8extended(n, 5) as bits,
           lpad(((n + 1) * 618033988749 % 1000000000000)::text, 12, '0') as ref,
           (n + 1) * 381966011253 % 1125899906842624 as code_bits
      from generate_series($1::bigint, $2::bigint - 1) as n),
  placed as (
    select *, case when share < $4::bigint then 0
                   when share % 3 > 0 then 1 + r % $7::int
                   else 1 + $7::int + r % $8::int end as place,
           case when ms + 3600000 > $6::bigint then 'PENDING'
                when fate < ${expired} then 'EXPIRED'
                when fate < ${expired + cancelled} then 'CANCELLED'
                when fate < ${expired + cancelled + wrongAmount} then 'WRONG_AMOUNT'
                else 'VERIFIED' end as status,
           (r + 1000) * 100 as money
      from numbered),
  computed as materialized (
    select p.*, a.account_id, a.device_id, a.endpoint_id, a.client_id, a.user_id,
           a.wallets[case when r % 5 = 0 then 2 else 1 end] as wallet_id,
           ${idAt('ms')} as id, to_timestamp(ms / 1000.0) as created,
           ms + case status when 'EXPIRED' then 3600000 else 60000 + wait_ms end as ended_ms,
           ${characters(codeAlphabet, 10, 'code_bits')} as code,
           ${characters(letters, 6, 'bits')} || '-' || lpad((bits >> 32 & 1048575)::text, 7, '0') as order_id,
           status in ('VERIFIED', 'WRONG_AMOUNT') or fate % 10 < 7 and status = 'EXPIRED' as referenced
      from placed p join bench.accounts a on a.place = p.place),
  ended as materialized (
    select *, to_timestamp(ended_ms / 1000.0) as ended,
           case when status in ('VERIFIED', 'WRONG_AMOUNT') then ${idAt('ended_ms')} end as alert_id,
           case when status = 'VERIFIED' then ${idAt('ended_ms')} end as event_id,
           money - case status when 'WRONG_AMOUNT' then 100 else 0 end as arrived
      from computed),
  new_intents as (
    insert into intents (account_id, id, wallet_id, identity, code, status, base, payable, paid, currency, external_order_id,
                         reference, reference_key, reference_keys, reference_at, alert_id, created_by, created_at, expires_at,
                         verified_at, search_order, search_reference)
    -- A wallet's first entry is its identity.
    select account_id, id, wallet_id, wallet_id, code, status, money, money,
           case status when 'WRONG_AMOUNT' then arrived end, 'YER', order_id,
           case when referenced then ref else '' end, case when referenced then ref end,
           case when referenced then array[ref] else '{}' end, case when referenced then created + interval '50 seconds' end,
           alert_id, 'key ' || client_id, created, created + interval '1 hour', case status when 'VERIFIED' then ended end,
           lower(code) || U&'\\001F' || order_id, case when referenced then ref else '' end
      from ended),
  new_moves as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by, alert_id, facts)
    select account_id, id, ${idAt('ms + 50000')}, created + interval '50 seconds', 'reference', 'key ' || client_id, null,
           json_build_object('reference', ref)
      from ended where referenced
    union all
    select account_id, id, ${idAt('ended_ms')}, ended, lower(status),
           case status when 'EXPIRED' then 'clock' when 'CANCELLED' then 'key ' || client_id else 'alert' end, alert_id, '{}'
      from ended where status <> 'PENDING'),
  messages as (
    select account_id, alert_id as id, device_id, wallet_id, ended_ms as at_ms, arrived as money, ref,
           case status when 'VERIFIED' then 'matched' else 'wrong_amount' end as state, '' as reason, id as intent_id
      from ended where alert_id is not null
    union all
    select account_id, ${idAt('ms')}, device_id, wallet_id, ms, money, '7' || ref, 'waiting', 'no_intent', null
      from ended where r % ${oneOf.waiting} = 0
    union all
    select account_id, ${idAt('ms')}, device_id, wallet_id, ms, money, '8' || ref, 'dismissed', 'no_intent', null
      from ended where r % ${oneOf.dismissed} = 1
    union all
    select account_id, ${idAt('ms')}, device_id, wallet_id, ms, null, null, 'unread', 'no_template', null
      from ended where r % ${oneOf.unread} = 2 and ${within(keptDays.unread)}),
  new_alerts as (
    insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, sim_slot,
                        phone_received_at, received_at, fingerprint, wallet_id, identity, template_id, normaliser_version,
                        direction, amount, currency, reference, reference_key, payer, chain, state, reason, intent_id,
                        dismissed_from, dismissed_at, dismissed_by, dismissed_why)
    select account_id, id, device_id, id::text, 'native', true, 'sms', 'Jawali',
           case when money is null then 'عرض خاص من جوالي حتى نهاية الشهر'
                else 'لقد استلمت ' || ${money('money')} || ' YER كقيمة مشتريات بمرجع ' || ref || ' من تاجر تجريبي' end,
           'SIM1', to_timestamp(at_ms / 1000.0 - 1), to_timestamp(at_ms / 1000.0), sha256(uuid_send(id)), wallet_id, wallet_id,
           case when money is not null then $9::uuid end, 2, case when money is not null then 'credit' end, money,
           case when money is not null then 'YER' end, ref, ref, case when money is not null then 'تاجر تجريبي' end,
           case when money is not null then 'unknown' end, state, reason, intent_id,
           case state when 'dismissed' then 'waiting' end,
           case state when 'dismissed' then to_timestamp(at_ms / 1000.0 + 3600) end,
           case state when 'dismissed' then 'Demo owner' else '' end, case state when 'dismissed' then 'A gift' else '' end
      from messages
    returning account_id, id, wallet_id, reference, amount, state, received_at),
  new_events as (
    insert into events (account_id, id, kind, wallet_id, intent_id, alert_id, body, created_at)
    select account_id, event_id, 'payment.verified', wallet_id, id, alert_id,
           case when ${within(keptDays.bodies)} then json_build_object('event', 'payment.verified', 'payment_id', code,
             'intent_id', id, 'order_id', order_id, 'reference', ref, 'base_amount', ${money('money')},
             'amount', ${money('money')}, 'currency', 'YER', 'status', 'VERIFIED', 'verified_at', ended,
             'manual_override', false)::text else '' end, ended
      from ended where status = 'VERIFIED'
    union all
    select account_id, ${idAt('(extract(epoch from received_at) * 1000)::bigint')}, 'payment.unmatched', wallet_id, null, id,
           '', received_at
      from new_alerts where state = 'waiting'),
  new_ends as (
    insert into delivery_ends (at, account_id, delivery_id, event_id, endpoint_id, replay, attempts, ending)
    select ended + interval '0.2 seconds', account_id, ${newDeliveryId('event_id')}, event_id, endpoint_id, 0, 1, 'delivered'
      from ended where event_id is not null and ${within(keptDays.ends - 1)}
    returning at, account_id, delivery_id, event_id, endpoint_id),
  new_attempts as (
    insert into delivery_attempts (at, account_id, delivery_id, event_id, endpoint_id, attempt, outcome, status, request,
                                   response, took)
    select at, account_id, delivery_id, event_id, endpoint_id, 1, 'ok', 200,
           json_build_object('url', 'https://shop.example/hooks', 'headers', json_build_object('user-agent', 'Sanad',
             'x-service-signature', 't=1790000000,v1=' || md5(event_id::text) || md5(delivery_id::text))),
           '{"headers":{},"body":"ok"}', '{"dns_ms":null,"connect_ms":3,"first_byte_ms":4,"total_ms":21}'
      from new_ends where at > to_timestamp($6::bigint / 1000.0) - interval '${keptDays.attempts - 1} days'),
  paid_here as materialized (
    select *, ${idAt('ms - 1000')} as checkout_id,
           case status when 'VERIFIED' then 'COMPLETE' when 'PENDING' then 'OPEN' else 'EXPIRED' end as checkout_status
      from ended where n % ${oneOf.checkout} = 0),
  new_checkouts as (
    insert into checkouts (account_id, id, token_hash, status, amount, currency, external_order_id, description, customer_name,
                           created_by, created_at, expires_at, ended_at, search)
    select account_id, checkout_id, sha256(uuid_send(checkout_id)), checkout_status, money, 'YER', order_id, 'Two bags of coffee',
           'Example Buyer', 'key ' || client_id, created, created + interval '1 hour',
           case when status <> 'PENDING' then ended end,
           order_id || U&'\\001F' || 'two bags of coffee' || U&'\\001F' || 'example buyer'
      from paid_here),
  new_pages as (
    insert into checkout_intents (account_id, checkout_id, position, intent_id, open)
    select account_id, checkout_id, 1, id, status = 'PENDING' from paid_here),
  new_page_events as (
    insert into events (account_id, id, kind, wallet_id, intent_id, alert_id, body, created_at)
    select account_id, ${idAt('ended_ms')}, case status when 'VERIFIED' then 'checkout.completed' else 'checkout.expired' end,
           wallet_id, null, null,
           case when ${within(keptDays.bodies)} then json_build_object('event', 'checkout.completed', 'checkout_id', checkout_id,
             'order_id', order_id, 'amount', ${money('money')}, 'currency', 'YER')::text else '' end, ended
      from paid_here where status <> 'PENDING'),
  new_calls as (
    insert into api_calls (account_id, id, at, client_id, method, path, status, code, took_ms, request_id, request_body,
                           error_body)
    select account_id, ${idAt('ms + 1')}, created, client_id, 'POST', '/api/v1/merchant/intents/', 201, '', 3, 'seed-' || n, '', ''
      from ended where ${within(keptDays.calls)}
    union all
    select account_id, ${idAt('ms + 50000')}, created + interval '50 seconds', client_id, 'PATCH',
           '/api/v1/merchant/intents/' || id || '/', 200, '', 4, 'seed-' || n || '-2', '', ''
      from ended where referenced and ${within(keptDays.calls)}
    union all
    select account_id, ${idAt('ms + 2')}, created, client_id, 'POST', '/api/v1/merchant/intents/', 400, 'invalid', 1,
           'seed-' || n || '-3', '{"amount":"x"}', '{"code":"invalid"}'
      from ended where r % 50 = 3 and ${within(keptDays.calls)}),
  new_keys as (
    insert into idempotency_keys (account_id, key, fingerprint, intent_id, answer, created_at)
    select account_id, 'seed-' || n, sha256(uuid_send(id)), id, repeat(json_build_object('id', id, 'code', code)::text, 12), created
      from ended where ${within(keptDays.keys)})
  insert into audit_log (id, account_id, at, user_id, actor, via, action, kind, object_id, before, after, address, agent)
  select ${idAt('ended_ms')}, account_id, ended, user_id, 'Demo owner', 'session', 'intent.cancel', 'intent', id::text,
         json_build_object('payment', code, 'status', 'PENDING'), json_build_object('payment', code, 'status', 'CANCELLED'),
         '192.0.2.7', 'Mozilla/5.0 (X11; Linux x86_64)'
    from ended where r % ${oneOf.audit} = 4 and status <> 'PENDING'`
