/**
 * `/notices/`: the notices to a user about themselves, and for an owner those of the account. Each has their own marks of what they
 * have seen.
 */

import { listNotices, markNoticeSeen, type Notice } from '@sanad/contract/dashboard/people/notices'
import {
  findNotice,
  type ListedNotice,
  type NoticeReader,
  noticesFor,
  setNoticeSeen,
} from '../../../accounts/notices/owner-notices.ts'
import type { Instant } from '../../../core/clock.ts'
import { wholeAccount } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { notFound } from '../../answers.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { type DashboardContext, type NamedCall, type Route, type UserCall, userRoute } from '../route.ts'

export const noticeRoutes = (deps: DashboardContext): Route[] => [
  userRoute(listNotices, async (call) => {
    const { after, page_size: size, unseen } = call.query
    const rows = await noticesFor(deps.db, readerIn(call), { below: after?.[0], size: size + 1, unseen })
    return pageAnswer(
      rows,
      size,
      ({ id }) => [id],
      (notice) => noticeAnswer(notice, deps.zone),
    )
  }),
  // A mark concerns one user and changes nothing of the account: no entry in its audit log.
  userRoute(markNoticeSeen, noticeIn(deps), async (call, notice) => {
    const { older } = call.body
    await setNoticeSeen(deps.db, readerIn(call), notice.id, older, call.now)
    const accountId = call.user.member?.accountId
    if (accountId !== undefined) deps.sendHint(accountId, { kind: 'notice', id: older ? '' : notice.id })
    return noticeAnswer({ ...notice, seen: true }, deps.zone)
  }),
]

/** Only an owner reads the notices of the account that they act for. */
const readerIn = ({ user }: UserCall): NoticeReader => ({
  userId: user.userId,
  ownerOf: user.member?.role === 'owner' ? wholeAccount(user.member.accountId) : null,
})

/** The notice that the path names. */
const noticeIn =
  (deps: DashboardContext) =>
  async (call: UserCall & Pick<NamedCall, 'path'>): Promise<ListedNotice> => {
    const notice = await findNotice(deps.db, readerIn(call), call.path.id)
    if (notice === undefined) throw notFound()
    return notice
  }

const noticeAnswer = (notice: ListedNotice, zone: Zone): Notice => {
  const { failing_since: since, disables_at: until, due_at: due, failures, ...sent } = notice.facts
  const time = (at: Instant): string => zone.format(new Date(at))
  return {
    id: notice.id,
    kind: notice.kind,
    at: time(notice.at),
    object: { kind: notice.objectKind, id: notice.objectId },
    by: notice.by,
    facts: {
      ...sent,
      ...(since == null ? {} : { failing_since: time(since) }),
      ...(until == null ? {} : { disables_at: time(until) }),
      ...(due === undefined ? {} : { due_at: time(due) }),
    },
    seen: notice.seen,
  }
}
