/** `/audit/` and `/operator/audit/`: who changed what, the newest first. */

import { listOperatorAudit } from '@sanad/contract/dashboard/operator/accounts'
import { type AuditPage, listAudit } from '@sanad/contract/dashboard/people/audit'
import type { FastifyRequest } from 'fastify'
import { type LogEntry, type LogQuestion, readAudit } from '../../../accounts/audit/audit-log.ts'
import { kindsInLog, thingKinds } from '../../../accounts/audit/visible-kinds.ts'
import type { AccountId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import { uuidOfText } from '../../body/uuid.ts'
import { questionIn } from '../../query/query-reader.ts'
import { type DashboardDoor, personalRoute, type Route, route } from '../route.ts'
import { mayReadLimits, withoutLimits } from '../wallets/review-limits.ts'

export type AuditDeps = DashboardDoor & { readonly zone: Zone }

export const auditRoutes = (deps: AuditDeps): Route[] => [
  route(listAudit, ({ request, who }) =>
    auditPage(deps, who.accountId, request, kindsInLog(who.role), mayReadLimits(who.role)),
  ),
  personalRoute(listOperatorAudit, ({ request }) => auditPage(deps, null, request, thingKinds, true)),
]

const auditPage = async (
  { db, zone }: AuditDeps,
  accountId: AccountId | null,
  request: FastifyRequest,
  kinds: LogQuestion['kinds'],
  withLimits: boolean,
): Promise<AuditPage> => {
  const { entries, next } = await readAudit(db, accountId, { ...questionOf(request, zone), kinds })
  return { next, results: entries.map((entry) => entryAnswer(entry, withLimits, zone)) }
}

const questionOf = (request: FastifyRequest, zone: Zone): Omit<LogQuestion, 'kinds'> => {
  const question = questionIn(request.raw.url ?? '')
  const asked = {
    user: question.uuid('user'),
    action: question.text('action', 64),
    kind: question.choice('kind', thingKinds),
    object: question.text('object', 128),
    from: question.from('from', zone),
    until: question.until('until', zone),
    after: question.cursor('after', uuidOfText),
    size: question.pageSize(),
  }
  question.check()
  return asked
}

const entryAnswer = (entry: LogEntry, withLimits: boolean, zone: Zone): AuditPage['results'][number] => {
  const noted = (json: string | null) => {
    const values = json === null ? null : JSON.parse(json)
    return values === null || withLimits || entry.kind !== 'wallet' ? values : withoutLimits(values)
  }
  return {
    id: entry.id,
    at: zone.format(new Date(entry.at)),
    user: entry.user_id,
    actor: entry.actor,
    via: entry.via,
    action: entry.action,
    kind: entry.kind,
    object: entry.object_id,
    before: noted(entry.before),
    after: noted(entry.after),
    address: entry.address,
    agent: entry.agent,
  }
}
