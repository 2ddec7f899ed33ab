/** The invariants of money: what must always be true of intents, alerts and events. Checked on the stored rows. */
import assert from 'node:assert/strict'

type Sql = (text: string, values?: unknown[]) => Promise<readonly (readonly (string | null)[])[]>

/** Each query finds the rows that violate the rule. */
const violations: Readonly<Record<string, string>> = {
  'an alert verified more than one intent': `
    select alert_id from intents where status = 'VERIFIED' group by 1 having count(*) > 1`,
  'the same money (real wallet and reference) verified more than one intent': `
    select a.identity from intents i join alerts a on a.account_id = i.account_id and a.id = i.alert_id
     where i.status = 'VERIFIED' and a.reference_key is not null
     group by a.account_id, a.identity, a.reference_key having count(*) > 1`,
  'an alert or an intent whose identity differs from that of its wallet': `
    select x.id from (select id, wallet_id, identity from intents union all
                      select id, wallet_id, identity from alerts where wallet_id is not null) as x
      join wallets w on w.id = x.wallet_id where w.identity <> x.identity`,
  'an intent was resolved by more than one alert': `
    select intent_id from alerts where intent_id is not null group by 1 having count(*) > 1`,
  'a VERIFIED intent and its alert do not reference each other': `
    select i.id from intents i left join alerts a on a.id = i.alert_id
     where i.status = 'VERIFIED' and (a.intent_id is distinct from i.id or a.state not in ('matched', 'booked'))`,
  'an alert references an intent that it did not resolve': `
    select a.id from alerts a join intents i on i.id = a.intent_id where i.alert_id is distinct from a.id`,
  'an alert is matched or booked and its intent is not VERIFIED, or the other way round': `
    select a.id from alerts a join intents i on i.id = a.intent_id
     where (a.state in ('matched', 'booked')) <> (i.status = 'VERIFIED')`,
  'a VERIFIED intent without its alert; or with another amount or reference than its alert, and not booked by a user': `
    select i.id from intents i left join alerts a on a.id = i.alert_id
     where i.status = 'VERIFIED' and (a.id is null or not i.manual and (a.amount <> i.payable or a.reference_key <> i.reference_key))`,
  'a VERIFIED intent for which something else is stored as arrived than its alert says': `
    select i.id from intents i left join alerts a on a.id = i.alert_id
     where i.status = 'VERIFIED' and a.amount is distinct from coalesce(i.arrived, i.payable)`,
  'a WRONG_AMOUNT intent whose paid amount is not that of its alert': `
    select i.id from intents i left join alerts a on a.id = i.alert_id
     where i.status = 'WRONG_AMOUNT' and (a.amount is distinct from i.paid or a.amount = i.payable)`,
  'a VERIFIED intent without exactly one payment.verified event': `
    select i.id from intents i
     where i.status = 'VERIFIED'
       and (select count(*) from events e where e.intent_id = i.id and e.kind = 'payment.verified') <> 1`,
  'a payment.verified event for an intent that is not VERIFIED': `
    select e.id from events e join intents i on i.id = e.intent_id where e.kind = 'payment.verified' and i.status <> 'VERIFIED'`,
  'an event whose real wallet or account differs from that of its alert': `
    select e.id from events e left join alerts a on a.account_id = e.account_id and a.id = e.alert_id
      left join wallets w on w.account_id = e.account_id and w.id = e.wallet_id
     where e.kind not like 'checkout.%' and (a.id is null or a.identity is distinct from w.identity)`,
  'a checkout whose status contradicts its intents, or that ended without exactly one event of its end': `
    select c.id from checkouts c
     where (c.status = 'COMPLETE')
             <> (c.amount <= coalesce((select sum(case when i.arrived = i.payable and i.forgiven + i.excess > 0 then w.base else i.base end)
                                         from checkout_intents l
                                         join intents i on i.account_id = l.account_id and i.id = l.intent_id
                                         left join intents w on w.account_id = i.account_id and w.alert_id = i.alert_id
                                                            and w.status = 'WRONG_AMOUNT'
                                        where l.account_id = c.account_id and l.checkout_id = c.id and i.status = 'VERIFIED'), 0))
        or (select count(*) from events e where e.kind like 'checkout.%' and e.body::json->>'checkout_id' = c.id::text)
             <> (c.status in ('COMPLETE', 'EXPIRED'))::int`,
  'a stored count that differs from the intents of its hour (not a rule of money: no writer may forget a count)': `
    select hour
      from (select account_id, hour, wallet_id, status, sum(n) as n from intent_counts group by 1, 2, 3, 4) as c
      full join (select account_id, date_trunc('hour', created_at, 'UTC') as hour, wallet_id, status, count(*) as n
                   from intents group by 1, 2, 3, 4) as i using (account_id, hour, wallet_id, status)
     where hour >= (select sealed_until from tally_progress) and coalesce(c.n, 0) <> coalesce(i.n, 0)`,
  'a duplicate that points at another duplicate': `
    select d.id from alerts d join alerts t on t.account_id = d.account_id and t.id = d.duplicate_of
     where d.state = 'duplicate' and t.state = 'duplicate'`,
  'money that was taken as a sale without its sale, or a sale whose money is not spent for it': `
    select coalesce(a.id, s.alert_id) from counter_sales s
      full join (select * from alerts where state = 'booked' and taken_from is not null) as a
        on a.account_id = s.account_id and a.id = s.alert_id
     where a.id is null or s.alert_id is null or a.intent_id is distinct from s.intent_id`,
  'money that a member took and that is not spent': `
    select t.alert_id from takings t join alerts a on a.account_id = t.account_id and a.id = t.alert_id
     where a.state not in ('matched', 'booked')`,
  'the event of a sale before its ten seconds were over': `
    select e.id from events e join counter_sales s on s.account_id = e.account_id and s.alert_id = e.alert_id
     where e.kind = 'payment.verified' and e.created_at < s.due_at`,
  'a resolution without exactly one timeline entry': `
    select i.id from intents i
     where i.status in ('VERIFIED', 'WRONG_AMOUNT', 'CANCELLED', 'EXPIRED')
       and (select count(*) from intent_moves m where m.intent_id = i.id and m.kind not in ('reference', 'reference_moved', 'not_matched')) <> 1`,
  'two PENDING intents of a real wallet with one reference': `
    select identity from intents where status = 'PENDING' and reference_key is not null
     group by identity, reference_key having count(*) > 1`,
  'two open intents of a real wallet with one unique amount': `
    select identity from intents where status = 'PENDING' and payable <> base
     group by identity, payable having count(*) > 1`,
  'an open intent whose unique amount is not reserved for it': `
    select i.id from intents i
     where i.status = 'PENDING' and i.payable <> i.base
       and not exists (select from unique_amounts u where u.identity = i.identity and u.payable = i.payable and u.intent_id = i.id)`,
  'an intent without a unique amount that was verified by an alert without a reference': `
    select i.id from intents i join alerts a on a.id = i.alert_id
     where i.status = 'VERIFIED' and not i.manual and a.reference_key is null and i.payable = i.base`,
  'two usable alerts of a real wallet with one reference': `
    select identity from alerts where reference_key is not null and state in ('waiting', 'matched', 'wrong_amount', 'booked')
     group by identity, reference_key having count(*) > 1`,
  'an alert and a PENDING intent that missed each other': `
    select a.id from alerts a join intents i on i.identity = a.identity and i.reference_key = a.reference_key
     where a.state in ('waiting', 'wrong_amount') and a.similar_to is null and (a.trusted or a.amount = i.payable) and i.status = 'PENDING' and a.received_at < i.expires_at and i.created_at < a.received_at + interval '24 hours'
       and i.expires_at > (select max(received_at) from alerts)`,
  'an alert that verified an intent, and for which payment.unmatched is still to be sent': `
    select e.id from events e join alerts a on a.id = e.alert_id
     where e.kind = 'payment.verified' and a.unmatched_owed`,
}

export const assertMoneyInvariants = async (sql: Sql): Promise<void> => {
  for (const [rule, query] of Object.entries(violations)) {
    assert.deepEqual(await sql(query), [], rule)
  }
}
