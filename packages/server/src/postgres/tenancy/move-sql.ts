import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { at, bool, instant, text, uuid, whole } from '../query/columns.ts'
import { noColumns, statement } from '../query/statement.ts'

export type MoveState = 'copying' | 'switched' | 'ending' | 'arriving'

/** SQL: a condition that an account is not one that is used in another cell, for background work that reads all accounts together and
 *  must not leave out one that is frozen for a short time. */
export const isNotMoved = (column: string): string =>
  `${column} <> all(array(select v.account_id from account_moves v where v.state in ('switched', 'ending')))`

/** Accounts that are used in another cell, and the origin of that cell: few rows, mostly none. */
export const switchedAccounts = statement(
  'switched_accounts',
  { account_id: uuid<AccountId>(), origin: text() },
  () => [],
  `select account_id, origin from account_moves where state = 'switched'`,
)

/** Accounts whose rows here are not in use, because they are used in another cell. */
export const accountsElsewhere = statement(
  'accounts_elsewhere',
  { account_id: uuid<AccountId>(), cell: text() },
  () => [],
  `select account_id, cell from account_moves where state in ('switched', 'ending')`,
)

/** Index: primary key. */
export const findMove = statement(
  'find_move',
  { move_id: uuid(), cell: text(), origin: text(), state: text<MoveState>(), began_at: instant() },
  (accountId: AccountId) => [accountId],
  'select move_id, cell, origin, state, began_at from account_moves where account_id = $1',
)

/** Of a move that begins, or of its copy in the other cell. */
export const insertMove = statement(
  'insert_move',
  noColumns,
  (
    accountId: AccountId,
    move: { readonly moveId: string; readonly cell: string; readonly origin: string },
    state: 'copying' | 'arriving',
    now: Instant,
  ) => [accountId, move.moveId, move.cell, move.origin, state, at(now)],
  `insert into account_moves (account_id, move_id, cell, origin, state, began_at) values ($1, $2, $3, $4, $5, $6)`,
)

/** No row if the move was turned back, or is another one: then nothing is switched. Index: primary key. */
export const switchMove = statement(
  'switch_move',
  { account_id: uuid<AccountId>() },
  (accountId: AccountId, moveId: string, now: Instant) => [accountId, moveId, at(now)],
  `
  update account_moves set state = 'switched', switched_at = $3
   where account_id = $1 and move_id = $2 and state = 'copying'
  returning account_id`,
)

/** Only while it can be turned back. Index: primary key. */
export const deleteCopyingMove = statement(
  'delete_copying_move',
  { account_id: uuid<AccountId>() },
  (accountId: AccountId) => [accountId],
  `delete from account_moves where account_id = $1 and state = 'copying' returning account_id`,
)

/** In the other cell: the copy is in use from now on, or is deleted. Index: primary key. */
export const deleteArrival = statement(
  'delete_arrival',
  { account_id: uuid<AccountId>() },
  (accountId: AccountId, moveId: string) => [accountId, moveId],
  `delete from account_moves where account_id = $1 and move_id = $2 and state = 'arriving' returning account_id`,
)

/** From its commit on nothing is forwarded. Index: primary key. */
export const markMoveEnding = statement(
  'mark_move_ending',
  { account_id: uuid<AccountId>() },
  (accountId: AccountId) => [accountId],
  `update account_moves set state = 'ending' where account_id = $1 and state = 'switched' returning account_id`,
)

/** The rows of the account are erased. Returns whether it was one that had moved. Index: primary key. */
export const deleteEndedMove = statement(
  'delete_ended_move',
  { account_id: uuid<AccountId>() },
  (accountId: AccountId) => [accountId],
  `
  with thawed as (
    delete from account_freezes f
     using account_moves m
     where f.account_id = $1 and m.account_id = $1 and m.state = 'ending')
  delete from account_moves where account_id = $1 and state = 'ending' returning account_id`,
)

/** A lock of this session, for as long as the command runs: two commands never move one account. */
export const tryLockMoves = statement(
  'try_lock_moves',
  { locked: bool() },
  (key: bigint) => [key],
  'select pg_try_advisory_lock($1::bigint) as locked',
)

/** The session itself, as every session of its database sees it. */
export const thisSession = statement(
  'this_session',
  { pid: whole(), began: text() },
  () => [],
  'select pid, backend_start::text as began from pg_stat_activity where pid = pg_backend_pid()',
)

/** Whether a session is one of this database. */
export const isSessionHere = statement(
  'is_session_here',
  { here: bool() },
  (pid: number, began: string) => [pid, began],
  `
  select exists (
    select from pg_stat_activity a
     where a.pid = $1 and a.backend_start::text = $2 and a.datname = current_database()) as here`,
)
