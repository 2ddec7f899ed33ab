import type { Instant } from '../../core/clock.ts'
import type { AlertId, PhoneId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/**
 * The alerts of a stretch of ids, in their order, at most so many: what was read and what was not, erased and not. `money`: it has an
 * amount. `undecided`: a member may still decide, and needs the text: it is held, in review or unread, or was dismissed from there.
 * Index: primary key.
 */
export const alertsToErase = scoped(
  'alerts_to_erase',
  {
    id: uuid<AlertId>(),
    device_id: uuid<PhoneId>(),
    client_id: text(),
    sender: text(),
    raw_text: text(),
    title: text(),
    payer: nullable(text()),
    hidden: text<'' | 'code' | 'stranger'>(),
    money: bool(),
    undecided: bool(),
    erased: bool(),
  },
  (scope: Scope, after: string, before: string, most: number) => [scope.accountId, after, before, most],
  `
  select a.id, a.device_id, a.client_id, a.sender, a.raw_text, a.title, a.payer, a.hidden,
         a.amount is not null as money,
         coalesce(a.dismissed_from, a.state) in ('held', 'review', 'unread') as undecided, a.erased_at is not null as erased
    from alerts a
   where a.account_id = $1 and a.id > $2 and a.id < $3
   order by a.id
   limit $4`,
)

/** What is stored instead of an alert's own id of the message and the hash of its text. */
export type KeyedAlert = { readonly id: AlertId; readonly clientId: string; readonly fingerprint: Buffer }

const keyed = (alerts: readonly KeyedAlert[]) => [
  alerts.map(({ id }) => id),
  alerts.map(({ clientId }) => clientId),
  alerts.map(({ fingerprint }) => fingerprint),
]

/** Erases the texts and payers of these alerts. `late`: also of those that still wait for a member, which are set aside; otherwise one
 *  that began to wait meanwhile is left out. Index: primary key. */
export const eraseTexts = scoped(
  'erase_texts',
  { id: uuid<AlertId>() },
  (scope: Scope, alerts: readonly KeyedAlert[], late: boolean, now: Instant) => [
    scope.accountId,
    ...keyed(alerts),
    at(now),
    late,
  ],
  `
  update alerts a
     set raw_text = '', title = '', payer = null, client_id = n.client_id, fingerprint = n.fingerprint, erased_at = $5,
         dismissed_from = case when a.state in ('held', 'review', 'unread') then a.state else a.dismissed_from end,
         dismissed_at = case when a.state in ('held', 'review', 'unread') then $5 else a.dismissed_at end,
         state = case when a.state in ('held', 'review', 'unread') then 'dismissed' else a.state end
    from unnest($2::uuid[], $3::text[], $4::bytea[]) as n (id, client_id, fingerprint)
   where a.account_id = $1 and a.id = n.id and a.erased_at is null
     and ($6 or coalesce(a.dismissed_from, a.state) not in ('held', 'review', 'unread'))
  returning a.id`,
)

/** Erases messages that are no money: they become hidden messages without content, so that one that a phone sends again is
 *  recognised. Index: primary key. */
export const eraseMessages = scoped(
  'erase_messages',
  { id: uuid<AlertId>() },
  (scope: Scope, alerts: readonly KeyedAlert[], now: Instant) => [scope.accountId, ...keyed(alerts), at(now)],
  `
  update alerts a
     set raw_text = '', title = '', payer = null, reference = null, reference_key = null, client_id = n.client_id,
         fingerprint = n.fingerprint, erased_at = $5, hidden = 'code', sealed_text = null, forget_at = null, check_hidden = false,
         state = case a.state when 'duplicate' then 'duplicate' else 'hidden' end, dismissed_from = null, dismissed_at = null,
         dismissed_by = '', dismissed_why = ''
    from unnest($2::uuid[], $3::text[], $4::bytea[]) as n (id, client_id, fingerprint)
   where a.account_id = $1 and a.id = n.id and a.erased_at is null and a.amount is null and a.hidden = ''
  returning a.id`,
)

/**
 * For an account that is erased: parts the next alerts after an id from their intents, so that the intents can be deleted first. To
 * delete the alerts first, each deletion would search all intents of the account, because intents have no index by alert. Index:
 * primary key.
 */
export const partFromIntents = scoped(
  'part_from_intents',
  { id: uuid<AlertId>() },
  (scope: Scope, after: string, most: number, now: Instant) => [scope.accountId, after, most, at(now)],
  `
  with next as (
    select id from alerts where account_id = $1 and id > $2 order by id limit $3), parted as (
    update alerts a
       set intent_id = null, taken_from = null, state = 'dismissed', dismissed_from = 'waiting', dismissed_at = $4
      from next
     where a.account_id = $1 and a.id = next.id and (a.intent_id is not null or a.taken_from is not null))
  select id from next order by id`,
)
