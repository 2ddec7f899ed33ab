/**
 * Rules about money that hold in every database of Sanad, for the check of a restored backup. Each statement counts the rows that break
 * its rule, and reads whole tables: it is never run on a service. Rows that were deleted for their age break no rule.
 */
import { whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

const rule = (name: string, sql: string) =>
  statement(name, { broken: whole() }, () => [], `select count(*)::int as broken from (${sql}) as x`)

export const moneyRules = {
  alertOnce: rule(
    'money_rules_alert_once',
    `select from intents where status = 'VERIFIED' and alert_id is not null group by account_id, alert_id having count(*) > 1`,
  ),
  intentOnce: rule(
    'money_rules_intent_once',
    `select from alerts where intent_id is not null group by account_id, intent_id having count(*) > 1`,
  ),
  referenceOnce: rule(
    'money_rules_reference_once',
    `select from intents i
         join alerts a on a.account_id = i.account_id and a.id = i.alert_id
        where i.status = 'VERIFIED' and a.reference_key is not null
        group by a.account_id, a.identity, a.reference_key having count(*) > 1`,
  ),
  bothRefer: rule(
    'money_rules_both_refer',
    `select from intents i
         join alerts a on a.account_id = i.account_id and a.id = i.alert_id
        where i.status = 'VERIFIED' and (a.intent_id is distinct from i.id or a.state not in ('matched', 'booked'))`,
  ),
  sameAmount: rule(
    'money_rules_same_amount',
    `select from intents i
         join alerts a on a.account_id = i.account_id and a.id = i.alert_id
        where i.status = 'VERIFIED' and a.amount is distinct from coalesce(i.arrived, i.payable)`,
  ),
  referenceHeldOnce: rule(
    'money_rules_reference_held_once',
    `select from intents where status = 'PENDING' and reference_key is not null
        group by account_id, identity, reference_key having count(*) > 1`,
  ),
}

/** What each rule says. */
export const moneyRuleTexts: Readonly<Record<keyof typeof moneyRules, string>> = {
  alertOnce: 'a payment verifies at most one intent',
  intentOnce: 'an intent is resolved by at most one alert',
  referenceOnce: 'a reference of a real wallet is spent at most once',
  bothRefer: 'a verified intent and its alert refer to each other',
  sameAmount: 'a verified intent has the amount of its alert',
  referenceHeldOnce: 'a reference is held by at most one waiting intent of a real wallet',
}
