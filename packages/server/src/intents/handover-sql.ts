import type { Instant } from '../core/clock.ts'
import type { AccountId, IntentId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { at, instant, text, uuid } from '../postgres/query/columns.ts'
import { scoped, statement } from '../postgres/query/statement.ts'

export type Handover = {
  readonly accountId: AccountId
  readonly intentId: IntentId
  readonly by: string
  readonly at: Instant
}

/** Marks an intent as handed over. Returns no row if it was marked before; the first mark stays. Index: primary key. */
export const storeHandover = statement(
  'store_handover',
  { intent_id: uuid<IntentId>() },
  (handover: Handover) => [handover.accountId, handover.intentId, handover.by.slice(0, 300), at(handover.at)],
  `
  insert into handovers (account_id, intent_id, by, at) values ($1, $2, $3, $4)
      on conflict (account_id, intent_id) do nothing
  returning intent_id`,
)

/** Which of these intents were handed over. Index: primary key. */
export const handoversOf = scoped(
  'handovers_of',
  { intent_id: uuid<IntentId>(), by: text(), at: instant() },
  (scope: Scope, intentIds: readonly string[]) => [scope.accountId, intentIds],
  `select intent_id, by, at from handovers where account_id = $1 and intent_id = any($2::uuid[])`,
)
