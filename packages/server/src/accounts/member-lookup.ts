/**
 * Whether the person behind a token still belongs to its account, for every call, without asking the database on every
 * call (ground/fresh-cache.ts): somebody who was disabled or removed is known to be so within a second and a half.
 */
import type { Instant } from '../ground/clock.ts'
import { freshCache } from '../ground/fresh-cache.ts'
import type { AccountId, UserId } from '../ground/ids.ts'
import type { Db } from '../postgres/database.ts'
import type { MemberRole } from './create-account.ts'
import { findMember } from './member-sql.ts'

export type Member = { readonly userId: UserId; readonly accountId: AccountId; readonly role: MemberRole }

/** Undefined: nobody who may act for this account. */
export type MemberLookup = (
  accountId: AccountId,
  userId: UserId,
  now: Instant,
) => Member | undefined | Promise<Member | undefined>

export const memberLookup = (db: Db): MemberLookup => {
  const members = freshCache<string, Member>({
    load: async (key) => {
      const [accountId = '', userId = ''] = key.split(' ')
      const [row] = await findMember(db, accountId, userId)
      return row && { userId: row.user_id, accountId: row.account_id, role: row.role as MemberRole }
    },
    max: 10_000,
  })
  return (accountId, userId, now) => members.get(`${accountId} ${userId}`, now)
}
