/**
 * Templates that everybody shares: drafted, given samples, published and retired by those who host the service. What a
 * template must be before it is published is the bench's to say (template-check.ts).
 */
import type { Note } from '../../accounts/audit/audit.ts'
import type { Instant } from '../../core/clock.ts'
import type { TemplateId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Db, Session } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { AlertTemplate, CounterSample, Sample } from './alert-template.ts'
import { draftTemplate, publishTemplate, type TemplateDraft } from './publish-template.ts'
import {
  findShared,
  holdLineage,
  holdShared,
  isSharedProvider,
  retireShared,
  saveSamples,
  sharedTemplates,
} from './shared-template-sql.ts'
import { templateOf } from './stored-template.ts'
import { type BenchResult, benchGently } from './template-check.ts'
import { activeTemplates, type templateColumns } from './template-sql.ts'

export type SharedTemplate = AlertTemplate & { readonly lineage: string }

const sharedOf = (row: RowOf<typeof templateColumns>): SharedTemplate => ({ ...templateOf(row), lineage: row.lineage })

/** As the log shows it: the wording, not the samples, which are long and may hold somebody's name. */
const seen = (row: Pick<SharedTemplate, 'name' | 'version' | 'sentence' | 'status' | 'senderNames'>) => ({
  name: row.name,
  version: row.version,
  sender_names: row.senderNames,
  sentence: row.sentence,
  status: row.status,
})

export const listShared = async (
  db: Session,
  asked: { readonly provider?: string; readonly status?: string; readonly after?: string; readonly size: number },
): Promise<{ readonly templates: readonly SharedTemplate[]; readonly more: boolean }> => {
  const { provider = null, status = null, after = '00000000-0000-0000-0000-000000000000', size } = asked
  const rows = await sharedTemplates(db, { after, provider, status, limit: size + 1 })
  return { templates: rows.slice(0, size).map(sharedOf), more: rows.length > size }
}

export const findSharedTemplate = async (
  db: Session,
  id: TemplateId,
): Promise<SharedTemplate | Refusal<'shared_template_unknown'>> => {
  const [row] = await findShared(db, id)
  return row === undefined ? refuse('shared_template_unknown') : sharedOf(row)
}

/** What the bench would say if it were published now. */
export const benchShared = async (db: Session, template: SharedTemplate): Promise<BenchResult> => {
  const others = (await activeTemplates(db, template.providerId, null)).filter(
    (one) => one.lineage !== template.lineage,
  )
  const { failures } = await benchGently(template, others.map(templateOf))
  return failures.length === 0 ? { green: true } : { green: false, failures }
}

type Drafted = { readonly id: TemplateId }

/** `replaces`: a version of the same provider that it is to follow. */
export const draftShared = (
  db: Db,
  note: Note,
  draft: Omit<TemplateDraft, 'accountId'>,
  replaces: TemplateId | undefined,
  now: Instant,
): Promise<Drafted | Refusal<'shared_provider_unknown' | 'replaced_template_unknown'>> =>
  db.transaction(async (tx) => {
    if ((await isSharedProvider(tx, draft.providerId)).length === 0)
      return refuse('shared_provider_unknown', { provider: draft.providerId })
    let follows: { lineage: string; version: number } | undefined
    if (replaces !== undefined) {
      const [old] = await holdShared(tx, replaces)
      if (old === undefined || old.provider_id !== draft.providerId)
        return refuse('replaced_template_unknown', { template: replaces })
      const [newest] = await holdLineage(tx, old.lineage)
      follows = { lineage: old.lineage, version: newest!.version ?? old.version }
    }
    const id = await draftTemplate(tx, { ...draft, accountId: null }, follows, now)
    const after = seen({ ...draft, version: (follows?.version ?? 0) + 1, status: 'draft' })
    note({ action: 'template.draft', kind: 'template', id, accountId: null, after })
    return { id }
  })

export const setSamples = (
  db: Db,
  note: Note,
  id: TemplateId,
  samples: readonly Sample[],
  counterSamples: readonly CounterSample[],
): Promise<Drafted | Refusal<'shared_template_unknown' | 'shared_template_not_draft'>> =>
  db.transaction(async (tx) => {
    const [row] = await holdShared(tx, id)
    if (row === undefined) return refuse('shared_template_unknown')
    if (row.status !== 'draft') return refuse('shared_template_not_draft')
    const before = sharedOf(row)
    await saveSamples(tx, id, JSON.stringify(samples), JSON.stringify(counterSamples))
    const counts = (one: { samples: readonly unknown[]; counterSamples: readonly unknown[] }) => ({
      samples: one.samples.length,
      counter_samples: one.counterSamples.length,
    })
    const after = counts({ samples, counterSamples })
    note({ action: 'template.samples', kind: 'template', id, accountId: null, before: counts(before), after })
    return { id }
  })

/** `failures`: what the bench says against it. */
export const publishShared = async (
  db: Db,
  note: Note,
  id: TemplateId,
): Promise<
  Drafted | { readonly failures: readonly string[] } | Refusal<'shared_template_unknown' | 'shared_template_not_draft'>
> => {
  const [row] = await holdShared(db, id)
  if (row === undefined) return refuse('shared_template_unknown')
  if (row.status !== 'draft') return refuse('shared_template_not_draft')
  const published = await publishTemplate(db, id)
  if (published.kind === 'refused') return { failures: published.failures }
  const before = sharedOf(row)
  const after = seen({ ...before, status: 'active' })
  note({ action: 'template.publish', kind: 'template', id, accountId: null, before: seen(before), after })
  return { id }
}

export const retireSharedTemplate = (
  db: Db,
  note: Note,
  id: TemplateId,
): Promise<Drafted | Refusal<'shared_template_unknown' | 'shared_template_not_active'>> =>
  db.transaction(async (tx) => {
    const [row] = await holdShared(tx, id)
    if (row === undefined) return refuse('shared_template_unknown')
    if ((await retireShared(tx, id)).length === 0) return refuse('shared_template_not_active')
    const before = sharedOf(row)
    const after = seen({ ...before, status: 'retired' })
    note({ action: 'template.retire', kind: 'template', id, accountId: null, before: seen(before), after })
    return { id }
  })
