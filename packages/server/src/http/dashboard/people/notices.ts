/** `/notices/`: what the owners of the account are told. Each owner marks as seen for themselves. */
import { listNotices, markNoticeSeen, type Notice, noticeKinds } from '@sanad/contract/dashboard/notices'
import type { NoticeKind } from '../../../accounts/notices/owner-notice.ts'
import { findNotice, type ListedNotice, noticesFor, seeNotice } from '../../../accounts/notices/owner-notices.ts'
import type { Instant } from '../../../core/clock.ts'
import type { NoticeId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import { notFound } from '../../answers.ts'
import { readSeen } from '../../body/dashboard/notice-body.ts'
import { lastValues } from '../../query/parameters.ts'
import { pageAnswer, pageAsked } from '../keyset.ts'
import { bodyOf, type DashboardDoor, idIn, type Route, route } from '../route.ts'

export type NoticeDeps = DashboardDoor & { readonly zone: Zone }

export const noticeRoutes = (deps: NoticeDeps): Route[] => [
  route(listNotices, async ({ request, who }) => {
    const { after, size } = pageAsked(request, 'uuid')
    const unseen = lastValues(request.raw.url ?? '').get('unseen') === '1'
    const asked = { below: after?.[0], size: size + 1, unseen }
    const rows = await noticesFor(deps.db, who.accountId, who.userId, asked)
    return pageAnswer(
      rows,
      size,
      ({ id }) => [id],
      (notice) => noticeAnswer(notice, deps.zone),
    )
  }),
  // What somebody has seen is theirs alone and changes nothing of the account: no entry in its log.
  route(markNoticeSeen, async (call) => {
    const { request, who } = call
    const id = idIn<NoticeId>(request, 'id')
    const notice = await findNotice(deps.db, who.accountId, who.userId, id)
    if (notice === undefined) throw notFound()
    const { older } = bodyOf(call, readSeen)
    await seeNotice(deps.db, who.accountId, who.userId, id, older)
    deps.tell(who.accountId, { kind: 'notice', id: older ? '' : id })
    return noticeAnswer({ ...notice, seen: true }, deps.zone)
  }),
]

// Does not compile if the contract lists a kind that the service does not know; noticeAnswer checks the other direction.
noticeKinds satisfies readonly NoticeKind[]

const noticeAnswer = (notice: ListedNotice, zone: Zone): Notice => {
  const { failing_since: since, disables_at: until, failures, ...said } = notice.facts
  const time = (at: Instant): string => zone.format(new Date(at))
  return {
    id: notice.id,
    kind: notice.kind,
    at: time(notice.at),
    object: { kind: notice.objectKind, id: notice.objectId },
    by: notice.by,
    facts: {
      ...said,
      ...(since == null ? {} : { failing_since: time(since) }),
      ...(until == null ? {} : { disables_at: time(until) }),
    },
    seen: notice.seen,
  }
}
