/**
 * `/audit/` and `/operator/audit/`: the audit entries, newest first. Times are in the zone of the account that the user acts
 * for, or else of the service.
 */

import { listOperatorAudit } from '@sanad/contract/dashboard/operator/accounts'
import { type AuditPage, listAudit } from '@sanad/contract/dashboard/people/audit'
import { type AuditQuery, type LogEntry, readAudit } from '../../../accounts/audit/audit-log.ts'
import { kindsInLog, objectKinds } from '../../../accounts/people/visible-kinds.ts'
import type { AccountId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import { shownUrl } from '../../../webhooks/endpoints/endpoint-url.ts'
import type { Reads } from '../../routes/route.ts'
import { type DashboardContext, type OpenCall, type Route, route, userRoute } from '../route.ts'
import { mayReadLimits, withoutLimits } from '../wallets/review-limits.ts'

export const auditRoutes = (deps: DashboardContext): Route[] => [
  route(listAudit, ({ member, ...call }) =>
    auditPage(deps, member.scope.accountId, call, kindsInLog(member.role), mayReadLimits(member.role)),
  ),
  userRoute(listOperatorAudit, (call) => auditPage(deps, null, call, objectKinds, true)),
]

const auditPage = async (
  { db }: DashboardContext,
  accountId: AccountId | null,
  { query: { page_size: size, ...query }, zone }: Pick<OpenCall, 'zone'> & Pick<Reads<typeof listAudit>, 'query'>,
  kinds: AuditQuery['kinds'],
  withLimits: boolean,
): Promise<AuditPage> => {
  const { entries, next } = await readAudit(db, accountId, { ...query, size, kinds })
  const shownIn = await zone()
  return { next, results: entries.map((entry) => entryAnswer(entry, withLimits, shownIn)) }
}

const entryAnswer = (entry: LogEntry, withLimits: boolean, zone: Zone): AuditPage['results'][number] => {
  const visibleValues = (json: string | null) => {
    const values = json === null ? null : JSON.parse(json)
    if (values === null) return null
    // Entries of an earlier version contain the whole address of an endpoint.
    if (entry.kind === 'webhook' && typeof values.url === 'string')
      return { ...values, url: shownUrl(values.url, false) }
    return withLimits || entry.kind !== 'wallet' ? values : withoutLimits(values)
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
