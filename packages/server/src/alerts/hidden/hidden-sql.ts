import type { Instant } from '../../core/clock.ts'
import type { AlertId, PhoneId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bytes, instant, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'
import type { Hidden } from '../alert.ts'

/** An alert of the account, with its sealed content if it is a one-time code. Never of an unknown sender. Index: primary key. */
export const hiddenAlert = scoped(
  'hidden_alert',
  { id: uuid<AlertId>(), hidden: text<Hidden>(), sealed_text: nullable(bytes()), forget_at: nullable(instant()) },
  (scope: Scope, id: string) => [scope.accountId, id],
  `select id, hidden, sealed_text, forget_at from alerts where account_id = $1 and id = $2 and hidden <> 'stranger'`,
)

/** How many messages of unknown senders of a phone are stored; counts at most `most`. Index: alerts_of_strangers. */
export const countStrangers = scoped(
  'count_strangers',
  { found: whole() },
  (scope: Scope, phoneId: PhoneId, most: number) => [scope.accountId, phoneId, most],
  `
  select count(*)::int as found
    from (select from alerts a
           where a.device_id = (select d.id from devices d where d.account_id = $1 and d.id = $2)
             and a.hidden = 'stranger'
           limit $3) as x`,
)

/** Deletes the content of old one-time codes. Their rows stay, so that a code that a phone sends again is recognised. Rows
 *  that are being reread are skipped until the next time. Index: alerts_to_forget. */
export const forgetCodes = statement(
  'forget_codes',
  { id: uuid<AlertId>() },
  (now: Instant, limit: number) => [at(now), limit],
  `
  with due as (
    select account_id, id from alerts
     where forget_at <= $1 and hidden = 'code' and ${isNotFrozen('account_id')}
     order by forget_at limit $2
       for update skip locked)
  update alerts a set sealed_text = null, raw_text = '', forget_at = null
    from due
   where a.account_id = due.account_id and a.id = due.id
  returning a.id`,
)

/** Deletes old messages of unknown senders. They stay while a wallet of the account waits for a reread, which may need them.
 *  Index: alerts_to_forget, wallets_to_reread. */
export const deleteStrangers = statement(
  'delete_strangers',
  { id: uuid<AlertId>() },
  (now: Instant, limit: number) => [at(now), limit],
  `
  with due as (
    select s.account_id, s.id from alerts s
     where s.forget_at <= $1 and s.hidden = 'stranger'
       -- A reread takes seconds. If it is delayed for a day, the messages are deleted anyway.
       and (s.forget_at <= $1::timestamptz - interval '1 day'
         or not exists (select from wallets w where w.account_id = s.account_id and w.reread and w.reread_at is null))
     order by s.forget_at limit $2
       for update skip locked)
  delete from alerts a using due
   where a.account_id = due.account_id and a.id = due.id and a.hidden = 'stranger'
  returning a.id`,
)
