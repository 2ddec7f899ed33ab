/**
 * Rereads unread alerts after a template was published: at once, and once more when every node uses the template. It works in
 * steps; an unfinished step is repeated.
 */
import { templateLookup } from '../../alerts/publishing/template-lookup.ts'
import { accountsOfProvider, markReread, templateToReread } from '../../alerts/publishing/template-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { reportReader } from '../reading/read-report.ts'
import { otherNodes_ms, type RereadDeps, rereadAlerts } from './reread-alerts.ts'

/** Rereads alerts for the next template. Returns true if there may be more to do. */
export const rereadForTemplate = async (deps: RereadDeps, now: Instant): Promise<boolean> => {
  const { db } = deps
  const [template] = await templateToReread(db, now - otherNodes_ms)
  if (template === undefined) return false
  const senders = JSON.parse(template.sender_names) as string[]
  const readReport = reportReader(db, templateLookup(db), deps.hiding)
  for (const { account_id } of await accountsOfProvider(db, template.provider_id, template.account_id))
    await rereadAlerts({ ...deps, readReport }, { accountId: account_id, senders }, now)
  await markReread(db, template.id, template.reread_at, now)
  return true
}
