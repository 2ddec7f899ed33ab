/**
 * Drafts and publishes templates. Publishing a version retires the previous one. It is refused unless the template passes its
 * check (template-check.ts). After it, matching rereads earlier unread alerts.
 */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type ProviderId, randomId, type TemplateId } from '../../core/ids.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { AlertTemplate } from '../templates/alert-template.ts'
import { checkInSteps } from '../templates/template-check.ts'
import { templateOf } from './stored-template.ts'
import { activateTemplate, activeTemplates, findTemplate, insertTemplate, retireActive } from './template-sql.ts'

export type TemplateDraft = Omit<AlertTemplate, 'id' | 'lineage' | 'version' | 'status'> & {
  readonly accountId: AccountId | null
}

/** `replaces`: the previous version. */
export const draftTemplate = async (
  db: Session,
  draft: TemplateDraft,
  replaces: { readonly lineage: string; readonly version: number } | undefined,
  now: Instant,
): Promise<TemplateId> => {
  const id = randomId<TemplateId>()
  await insertTemplate(db, {
    ...draft,
    id,
    lineage: replaces?.lineage ?? id,
    version: (replaces?.version ?? 0) + 1,
    status: 'draft',
    samples: JSON.stringify(draft.samples),
    counterSamples: JSON.stringify(draft.counterSamples),
    now,
  })
  return id
}

/** The other active templates for the same alerts: the operator's, and those of the same account. */
export const neighboursOf = async (
  db: Session,
  row: { readonly provider_id: ProviderId; readonly account_id: AccountId | null; readonly lineage: string },
): Promise<AlertTemplate[]> => {
  const active = await activeTemplates(db, row.provider_id, row.account_id)
  return active.filter((other) => other.lineage !== row.lineage).map(templateOf)
}

export type Published =
  | { readonly kind: 'published'; readonly template: AlertTemplate }
  | { readonly kind: 'refused'; readonly failures: readonly string[] }

export const publishTemplate = async (tx: Tx, id: TemplateId): Promise<Published> => {
  const [row] = await findTemplate(tx, id)
  if (row === undefined || row.status !== 'draft')
    return { kind: 'refused', failures: ['There is no such draft, or it was published before.'] }
  const template = templateOf(row)
  const { failures } = await checkInSteps(template, await neighboursOf(tx, row))
  if (failures.length > 0) return { kind: 'refused', failures }
  await retireActive(tx, row.lineage)
  await activateTemplate(tx, id)
  return { kind: 'published', template: { ...template, status: 'active' } }
}
