/** `/notices/`: the notices to the owners of the account. Each owner has their own marks of what they have seen. */

import { listNotices, markNoticeSeen, type Notice } from '@sanad/contract/dashboard/people/notices'
import { findNotice, type ListedNotice, noticesFor, setNoticeSeen } from '../../../accounts/notices/owner-notices.ts'
import type { Instant } from '../../../core/clock.ts'
import type { Zone } from '../../../core/zone.ts'
import { notFound } from '../../answers.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { type DashboardContext, type NamedCall, type Route, route } from '../route.ts'

export const noticeRoutes = (deps: DashboardContext): Route[] => [
  route(listNotices, async ({ query: { after, page_size: size, unseen }, member }) => {
    const requested = { below: after?.[0], size: size + 1, unseen }
    const rows = await noticesFor(deps.db, member.scope, member.userId, requested)
    return pageAnswer(
      rows,
      size,
      ({ id }) => [id],
      (notice) => noticeAnswer(notice, deps.zone),
    )
  }),
  // A mark concerns one user and changes nothing of the account: no entry in its audit log.
  route(markNoticeSeen, noticeIn(deps), async ({ member, body: { older } }, notice) => {
    await setNoticeSeen(deps.db, member.scope, member.userId, notice.id, older)
    deps.sendHint(member.scope.accountId, { kind: 'notice', id: older ? '' : notice.id })
    return noticeAnswer({ ...notice, seen: true }, deps.zone)
  }),
]

/** The notice that the path names. */
const noticeIn =
  (deps: DashboardContext) =>
  async ({ path, member }: NamedCall): Promise<ListedNotice> => {
    const notice = await findNotice(deps.db, member.scope, member.userId, path.id)
    if (notice === undefined) throw notFound()
    return notice
  }

const noticeAnswer = (notice: ListedNotice, zone: Zone): Notice => {
  const { failing_since: since, disables_at: until, failures, ...sent } = notice.facts
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
    },
    seen: notice.seen,
  }
}
