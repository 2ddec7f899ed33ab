/**
 * `/audit/` and `/operator/audit/`: the audit entries, newest first; `/audit/csv/` and `/audit/jsonl/`: all of them as a file. Times are in the zone of the account that the user acts
 * for, or else of the service.
 */

import { listOperatorAudit } from '@sanad/contract/dashboard/operator/accounts'
import { type AuditPage, auditCsv, auditLines, listAudit } from '@sanad/contract/dashboard/people/audit'
import { type AuditQuery, type LogEntry, readAudit } from '../../../accounts/audit/audit-log.ts'
import { kindsInLog, objectKinds } from '../../../accounts/people/visible-kinds.ts'
import type { AccountId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import { dateIn } from '../../../intents/totals/days.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import { shownUrl } from '../../../webhooks/endpoints/endpoint-url.ts'
import { byteOrderMark, csvLine } from '../../csv.ts'
import type { Reads } from '../../routes/route.ts'
import { goingOn, type SendDownload } from '../downloads.ts'
import { askerOf, type DashboardContext, type OpenCall, type Route, rightsOf, route, userRoute } from '../route.ts'
import { mayReadLimits, withoutLimits } from '../wallets/review-limits.ts'

export type AuditDeps = DashboardContext & { readonly sendDownload: SendDownload }

export const auditRoutes = (deps: AuditDeps): Route[] => [
  route(listAudit, ({ member, ...call }) =>
    auditPage(deps, member.scope.accountId, call, kindsInLog(rightsOf(member)), mayReadLimits(member.role)),
  ),
  ...(
    [
      [auditCsv, 'csv'],
      [auditLines, 'jsonl'],
    ] as const
  ).map(([operation, type]) =>
    route(operation, async (call) => {
      const { request, reply, query, member, now } = call
      const { role, scope } = member
      const zone = await call.zone()
      const filter = { ...query, kinds: kindsInLog(rightsOf(member)) }
      const { db } = await deps.reads.inParts('exports', askerOf(call))
      const answers = eachEntry(db, scope.accountId, filter, (entry) => entryAnswer(entry, mayReadLimits(role), zone))
      const parts = type === 'csv' ? csvParts(answers) : jsonParts(answers)
      const name = `audit-${dateIn(zone, now)}`
      const mayGoOn = goingOn(deps, call, operation)
      const { accountId } = scope
      return deps.sendDownload(request, reply, { accountId, name, wallets: null, type, parts, mayGoOn })
    }),
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

const batchSize = 500
type EntryAnswer = AuditPage['results'][number]
type Entries = AsyncGenerator<readonly EntryAnswer[], void>

/** All entries of a filter, the newest first, in batches. Ids begin with the time: entries written meanwhile are not included. */
async function* eachEntry(
  db: Session,
  accountId: AccountId,
  filter: Omit<AuditQuery, 'after' | 'size'>,
  answerOf: (entry: LogEntry) => EntryAnswer,
): Entries {
  for (let after: string | undefined; ; ) {
    const { entries, next } = await readAudit(db, accountId, { ...filter, after, size: batchSize })
    if (entries.length > 0) yield entries.map(answerOf)
    if (next === null) return
    after = next
  }
}

const columns = [
  'at',
  'actor',
  'via',
  'action',
  'kind',
  'object',
  'before',
  'after',
  'address',
  'agent',
  'user',
  'id',
] as const

async function* csvParts(all: Entries): AsyncGenerator<string, void> {
  yield byteOrderMark + csvLine([...columns])
  for await (const entries of all)
    yield entries.map((entry) => csvLine(columns.map((name) => cellOf(entry[name])))).join('')
}

const cellOf = (value: unknown): string => {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function* jsonParts(all: Entries): AsyncGenerator<string, void> {
  for await (const entries of all) yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}
