/**
 * `/audit/` and `/operator/audit/`: the audit entries, newest first. Times are in the zone of the account that the user acts
 * for, or else of the service.
 */

import { listOperatorAudit } from '@sanad/contract/dashboard/operator/accounts'
import { type AuditPage, listAudit } from '@sanad/contract/dashboard/people/audit'
import type { FastifyRequest } from 'fastify'
import { type AuditQuery, type LogEntry, readAudit } from '../../../accounts/audit/audit-log.ts'
import { kindsInLog, objectKinds } from '../../../accounts/audit/visible-kinds.ts'
import type { TermsLookup } from '../../../accounts/tenants/account-terms.ts'
import type { Instant } from '../../../core/clock.ts'
import type { AccountId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import { uuidOfText } from '../../body/uuid.ts'
import { queryReader } from '../../query/query-reader.ts'
import { type DashboardContext, type Route, route, userRoute } from '../route.ts'
import { mayReadLimits, withoutLimits } from '../wallets/review-limits.ts'

export type AuditDeps = DashboardContext & { readonly zone: Zone; readonly terms: TermsLookup }

export const auditRoutes = (deps: AuditDeps): Route[] => [
  route(listAudit, async ({ request, member, now }) => {
    const zone = await zoneOfUser(deps, member, now)
    return auditPage(deps, zone, member.accountId, request, kindsInLog(member.role), mayReadLimits(member.role))
  }),
  userRoute(listOperatorAudit, async ({ request, user, now }) =>
    auditPage(deps, await zoneOfUser(deps, user.member, now), null, request, objectKinds, true),
  ),
]

const zoneOfUser = async (
  deps: AuditDeps,
  member: { readonly accountId: AccountId } | null,
  now: Instant,
): Promise<Zone> => (member === null ? deps.zone : (await deps.terms(member.accountId, now)).zone)

const auditPage = async (
  { db }: AuditDeps,
  zone: Zone,
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
