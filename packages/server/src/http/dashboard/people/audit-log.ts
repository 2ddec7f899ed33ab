/** `/audit/` and `/operator/audit/`: the audit entries, newest first. */

import { listOperatorAudit } from '@sanad/contract/dashboard/operator/accounts'
import { type AuditPage, listAudit } from '@sanad/contract/dashboard/people/audit'
import type { FastifyRequest } from 'fastify'
import { type AuditQuery, type LogEntry, readAudit } from '../../../accounts/audit/audit-log.ts'
import { kindsInLog, objectKinds } from '../../../accounts/audit/visible-kinds.ts'
import type { AccountId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import { uuidOfText } from '../../body/uuid.ts'
import { queryReader } from '../../query/query-reader.ts'
import { type DashboardContext, type Route, route, userRoute } from '../route.ts'
import { mayReadLimits, withoutLimits } from '../wallets/review-limits.ts'

export type AuditDeps = DashboardContext & { readonly zone: Zone }

export const auditRoutes = (deps: AuditDeps): Route[] => [
  route(listAudit, ({ request, member }) =>
    auditPage(deps, member.accountId, request, kindsInLog(member.role), mayReadLimits(member.role)),
  ),
  userRoute(listOperatorAudit, ({ request }) => auditPage(deps, null, request, objectKinds, true)),
]

const auditPage = async (
  { db, zone }: AuditDeps,
  accountId: AccountId | null,
  request: FastifyRequest,
  kinds: AuditQuery['kinds'],
  withLimits: boolean,
): Promise<AuditPage> => {
  const { entries, next } = await readAudit(db, accountId, { ...readLogQuery(request, zone), kinds })
  return { next, results: entries.map((entry) => entryAnswer(entry, withLimits, zone)) }
}

const readLogQuery = (request: FastifyRequest, zone: Zone): Omit<AuditQuery, 'kinds'> => {
  const query = queryReader(request.raw.url ?? '')
  const requested = {
    user: query.uuid('user'),
    action: query.text('action', 64),
    kind: query.choice('kind', objectKinds),
    object: query.text('object', 128),
    from: query.from('from', zone),
    until: query.until('until', zone),
    after: query.cursor('after', uuidOfText),
    size: query.pageSize(),
  }
  query.check()
  return requested
}

const entryAnswer = (entry: LogEntry, withLimits: boolean, zone: Zone): AuditPage['results'][number] => {
  const visibleValues = (json: string | null) => {
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
    before: visibleValues(entry.before),
    after: visibleValues(entry.after),
    address: entry.address,
    agent: entry.agent,
  }
}
