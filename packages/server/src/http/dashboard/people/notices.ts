/** `/notices/`: the notices to the owners of the account. Each owner has their own marks of what they have seen. */

import { listNotices, markNoticeSeen, type Notice } from '@sanad/contract/dashboard/people/notices'
import { findNotice, type ListedNotice, noticesFor, setNoticeSeen } from '../../../accounts/notices/owner-notices.ts'
import type { Instant } from '../../../core/clock.ts'
import type { NoticeId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import { notFound } from '../../answers.ts'
import { readSeen } from '../../body/dashboard/notice-body.ts'
import { idIn } from '../../path-id.ts'
import { lastValues } from '../../query/parameters.ts'
import { pageAnswer, readPageQuery } from '../keyset.ts'
import { bodyOf, type DashboardContext, type Route, route } from '../route.ts'

export type NoticeDeps = DashboardContext & { readonly zone: Zone }

export const noticeRoutes = (deps: NoticeDeps): Route[] => [
  route(listNotices, async ({ request, member }) => {
    const { after, size } = readPageQuery(request, 'uuid')
    const unseen = lastValues(request.raw.url ?? '').get('unseen') === '1'
    const requested = { below: after?.[0], size: size + 1, unseen }
    const rows = await noticesFor(deps.db, member.accountId, member.userId, requested)
    return pageAnswer(
      rows,
      size,
      ({ id }) => [id],
      (notice) => noticeAnswer(notice, deps.zone),
    )
  }),
  // A mark concerns one user and changes nothing of the account: no entry in its audit log.
  route(markNoticeSeen, async (call) => {
    const { request, member } = call
    const id = idIn<NoticeId>(request, 'id')
    const notice = await findNotice(deps.db, member.accountId, member.userId, id)
    if (notice === undefined) throw notFound()
    const { older } = bodyOf(call, readSeen)
    await setNoticeSeen(deps.db, member.accountId, member.userId, id, older)
    deps.sendHint(member.accountId, { kind: 'notice', id: older ? '' : id })
    return noticeAnswer({ ...notice, seen: true }, deps.zone)
  }),
]

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
