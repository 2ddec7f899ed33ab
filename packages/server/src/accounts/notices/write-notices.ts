/**
 * Writes notices to owners and to users, in the transaction of what they are about: there is no change without its notices. How many
 * there can be is bounded (owner-notice.ts).
 */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type NoticeId, timeOrderedId, type UserId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { membershipsOfUser } from '../people/member-sql.ts'
import {
  isRepeated,
  mostOfOne,
  type NewNotice,
  type NewUserNotice,
  type NoticeFacts,
  type OwnerNoticeKind,
  repeatedWithin_ms,
  type UserNoticeKind,
  wrongSignInsEvery_ms,
} from './owner-notice.ts'
import { addToNotice, insertNotices } from './owner-notices-sql.ts'
import { addToUserNotice, insertUserNotice } from './user-notices-sql.ts'

/** When a notice is added to an earlier one; undefined: never. */
const addedTo = (kind: OwnerNoticeKind | UserNoticeKind): { within_ms: number; most: number } | undefined => {
  if (kind === 'sign_in_wrong') return { within_ms: wrongSignInsEvery_ms, most: 1 }
  return isRepeated(kind) ? { within_ms: repeatedWithin_ms, most: mostOfOne } : undefined
}

export const writeNotices = async (tx: Session, notices: readonly NewNotice[], now: Instant): Promise<void> => {
  const separate: NewNotice[] = []
  for (const notice of notices) {
    const rule = addedTo(notice.kind)
    const added =
      rule === undefined
        ? []
        : await addToNotice(tx, wholeAccount(notice.accountId), notice, now - rule.within_ms + 1, rule.most)
    if (added.length === 0) separate.push(notice)
  }
  if (separate.length > 0) await insertNotices(tx, separate, now)
}

export const writeUserNotices = async (tx: Session, notices: readonly NewUserNotice[], now: Instant): Promise<void> => {
  for (const notice of notices) {
    const rule = addedTo(notice.kind)
    const added = rule === undefined ? [] : await addToUserNotice(tx, notice, now - rule.within_ms + 1, rule.most)
    if (added.length === 0) await insertUserNotice(tx, notice, now)
  }
}

/** What both the user and the owners of their accounts are told of. */
export type AboutUser = {
  readonly kind: OwnerNoticeKind & UserNoticeKind
  readonly facts: NoticeFacts
}

/**
 * Tells a user, and the owners of every account that has confirmed them. Returns these accounts, for hints after the commit. The
 * sentence to owners names the user.
 */
export const tellOfUser = async (
  tx: Session,
  user: { readonly id: UserId; readonly email: string },
  { kind, facts }: AboutUser,
  by: string,
  now: Instant,
): Promise<AccountId[]> => {
  const accountIds = (await membershipsOfUser(tx, user.id))
    .filter(({ request }) => !request)
    .map(({ account_id }) => account_id)
  const notices = accountIds.map((accountId): NewNotice => {
    const about = { objectKind: 'user', objectId: user.id, by } as const
    return { accountId, id: timeOrderedId<NoticeId>(now), kind, facts: { ...facts, name: user.email }, ...about }
  })
  await writeNotices(tx, notices, now)
  const own = { userId: user.id, id: timeOrderedId<NoticeId>(now), kind, facts, accountId: null, wasOwner: false, by }
  await writeUserNotices(tx, [own], now)
  return accountIds
}
