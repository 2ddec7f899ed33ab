/**
 * Templates that all accounts share: operators draft them, set their samples, publish and retire them. A template must pass
 * its check (template-check.ts) before it is published.
 */
import type { WriteAudit } from '../../accounts/audit/audit.ts'
import type { Instant } from '../../core/clock.ts'
import { smallestId, type TemplateId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { AlertTemplate, CounterSample, Sample } from '../templates/alert-template.ts'
import { type CheckResult, checkInSteps } from '../templates/template-check.ts'
import { draftTemplate, publishTemplate, type TemplateDraft } from './publish-template.ts'
import {
  findSharedTemplateRow,
  isSharedProvider,
  lockLineage,
  lockSharedTemplate,
  retireSharedTemplateRow,
  saveTemplateSamples,
  sharedTemplates,
} from './shared-template-sql.ts'
import { templateOf } from './stored-template.ts'
import { activeTemplates, type templateColumns } from './template-sql.ts'

export type SharedTemplate = AlertTemplate & { readonly lineage: string }

const sharedTemplateOf = (row: RowOf<typeof templateColumns>): SharedTemplate => ({
  ...templateOf(row),
  lineage: row.lineage,
})

/** The fields that the audit log shows: the sentence, but not the samples, which are long and may contain names. */
const auditFields = (row: Pick<SharedTemplate, 'name' | 'version' | 'sentence' | 'status' | 'senderNames'>) => ({
  name: row.name,
  version: row.version,
  sender_names: row.senderNames,
  sentence: row.sentence,
  status: row.status,
})

export const listShared = async (
  db: Session,
  page: { readonly provider?: string; readonly status?: string; readonly after?: string; readonly size: number },
): Promise<{ readonly templates: readonly SharedTemplate[]; readonly more: boolean }> => {
  const { provider = null, status = null, after = smallestId, size } = page
  const rows = await sharedTemplates(db, { after, provider, status, limit: size + 1 })
  return { templates: rows.slice(0, size).map(sharedTemplateOf), more: rows.length > size }
}

export const findSharedTemplate = async (
  db: Session,
  id: TemplateId,
): Promise<SharedTemplate | Refusal<'shared_template_unknown'>> => {
  const [row] = await findSharedTemplateRow(db, id)
  return row === undefined ? refuse('shared_template_unknown') : sharedTemplateOf(row)
}

/** The result of the check, as if the template were published now. */
export const checkShared = async (db: Session, template: SharedTemplate): Promise<CheckResult> => {
  const active = await activeTemplates(db, template.providerId, null)
  const others = active.filter(({ lineage }) => lineage !== template.lineage)
  const { failures } = await checkInSteps(template, others.map(templateOf))
  return failures.length === 0 ? { green: true } : { green: false, failures }
}

type TemplateRef = { readonly id: TemplateId }

/** `replaces`: any version of the template that the draft replaces, of the same provider. */
export const draftShared = async (
  tx: Tx,
  audit: WriteAudit,
  draft: Omit<TemplateDraft, 'accountId'>,
  replaces: TemplateId | undefined,
  now: Instant,
): Promise<TemplateRef | Refusal<'shared_provider_unknown' | 'replaced_template_unknown'>> => {
  if ((await isSharedProvider(tx, draft.providerId)).length === 0)
    return refuse('shared_provider_unknown', { provider: draft.providerId })
  let previous: { lineage: string; version: number } | undefined
  if (replaces !== undefined) {
    const [old] = await lockSharedTemplate(tx, replaces)
    if (old === undefined || old.provider_id !== draft.providerId)
      return refuse('replaced_template_unknown', { template: replaces })
    const [newest] = await lockLineage(tx, old.lineage)
    previous = { lineage: old.lineage, version: newest!.version ?? old.version }
  }
  const id = await draftTemplate(tx, { ...draft, accountId: null }, previous, now)
  const after = auditFields({ ...draft, version: (previous?.version ?? 0) + 1, status: 'draft' })
  audit({ action: 'template.draft', kind: 'template', id, accountId: null, after })
  return { id }
}

export const setSamples = async (
  tx: Tx,
  audit: WriteAudit,
  id: TemplateId,
  samples: readonly Sample[],
  counterSamples: readonly CounterSample[],
): Promise<TemplateRef | Refusal<'shared_template_unknown' | 'shared_template_not_draft'>> => {
  const [row] = await lockSharedTemplate(tx, id)
  if (row === undefined) return refuse('shared_template_unknown')
  if (row.status !== 'draft') return refuse('shared_template_not_draft')
  const before = sharedTemplateOf(row)
  await saveTemplateSamples(tx, id, JSON.stringify(samples), JSON.stringify(counterSamples))
  const counts = (all: { samples: readonly unknown[]; counterSamples: readonly unknown[] }) => ({
    samples: all.samples.length,
    counter_samples: all.counterSamples.length,
  })
  const after = counts({ samples, counterSamples })
  audit({ action: 'template.samples', kind: 'template', id, accountId: null, before: counts(before), after })
  return { id }
}

/** `failures`: why the template did not pass its check. */
export const publishShared = async (
  tx: Tx,
  audit: WriteAudit,
  id: TemplateId,
): Promise<
  | TemplateRef
  | { readonly failures: readonly string[] }
  | Refusal<'shared_template_unknown' | 'shared_template_not_draft'>
> => {
  const [row] = await lockSharedTemplate(tx, id)
  if (row === undefined) return refuse('shared_template_unknown')
  if (row.status !== 'draft') return refuse('shared_template_not_draft')
  const published = await publishTemplate(tx, id)
  if (published.kind === 'refused') return { failures: published.failures }
  const before = sharedTemplateOf(row)
  const after = auditFields({ ...before, status: 'active' })
  audit({ action: 'template.publish', kind: 'template', id, accountId: null, before: auditFields(before), after })
  return { id }
}

export const retireSharedTemplate = async (
  tx: Tx,
  audit: WriteAudit,
  id: TemplateId,
): Promise<TemplateRef | Refusal<'shared_template_unknown' | 'shared_template_retired'>> => {
  const [row] = await lockSharedTemplate(tx, id)
  if (row === undefined) return refuse('shared_template_unknown')
  if ((await retireSharedTemplateRow(tx, id)).length === 0) return refuse('shared_template_retired')
  const before = sharedTemplateOf(row)
  const after = auditFields({ ...before, status: 'retired' })
  audit({ action: 'template.retire', kind: 'template', id, accountId: null, before: auditFields(before), after })
  return { id }
}
