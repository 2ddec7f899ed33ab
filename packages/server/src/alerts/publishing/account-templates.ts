/**
 * The templates of an account: its members draft, check, publish and retire them. The operator's templates are visible to every
 * account and cannot be changed here. An account's own templates read only its own alerts, of shared providers too. Changes of
 * one account wait for each other. Other nodes use a change within a second and a half; the caller clears the cache of this
 * node.
 */
import type { Instant } from '../../core/clock.ts'
import type { ProviderId, TemplateId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { startSenders, usableProvider } from '../../wallets/entries/account-wallets-sql.ts'
import { appsOfProvider } from '../../wallets/providers/provider-apps.ts'
import { type Authority, refuseWithoutOwner } from '../../wallets/trust/authority.ts'
import { type ProviderTrust, templateNeedsOwner } from '../../wallets/trust/needs-owner.ts'
import type { AlertTemplate } from '../templates/alert-template.ts'
import { type CheckReport, checkInSteps } from '../templates/template-check.ts'
import {
  countTemplates,
  deleteDraftRow,
  listVisibleTemplates,
  lockTemplates,
  newestVersion,
  retireOwnTemplate,
  type TemplateCursor,
  updateDraft,
  visibleTemplate,
} from './account-templates-sql.ts'
import { draftTemplate, neighboursOf, type Published, publishTemplate, type TemplateDraft } from './publish-template.ts'
import { templateOf } from './stored-template.ts'
import type { templateColumns } from './template-sql.ts'

/** The limit of drafts and active templates of an account: every alert is tried with all active templates of its sender. */
export const mostTemplates = 50

export type ManagedTemplate = AlertTemplate & {
  readonly id: TemplateId
  readonly lineage: string
  /** It belongs to the operator. */
  readonly shared: boolean
  readonly createdAt: Instant
}

export type TemplateContent = Omit<TemplateDraft, 'providerId' | 'accountId'>
/** `provider`: its provider before the template was published. */
export type PublishedDraft =
  | (Extract<Published, { kind: 'published' }> & { readonly provider: ProviderTrust })
  | Extract<Published, { kind: 'refused' }>
export type ContentChanges = { readonly [Name in keyof TemplateContent]: TemplateContent[Name] | undefined }

type Row = RowOf<typeof templateColumns>

const managedOf = (row: Row): ManagedTemplate => ({
  ...templateOf(row),
  id: row.id,
  lineage: row.lineage,
  shared: row.account_id === null,
  createdAt: row.created_at,
})

const contentOf = (template: ManagedTemplate): TemplateContent => ({
  name: template.name,
  senderNames: template.senderNames,
  direction: template.direction,
  currency: template.currency,
  sentence: template.sentence,
  samples: template.samples,
  counterSamples: template.counterSamples,
})

export const findTemplateOf = async (db: Session, scope: Scope, id: string): Promise<ManagedTemplate | undefined> => {
  const [row] = await visibleTemplate(db, scope, id)
  return row && managedOf(row)
}

export const templatesOf = async (
  db: Session,
  scope: Scope,
  filter: { readonly providerId: ProviderId | null; readonly status: string | null },
  after: TemplateCursor | undefined,
  size: number,
): Promise<ManagedTemplate[]> => (await listVisibleTemplates(db, scope, filter, after, size)).map(managedOf)

/** Checks a template against its samples and against the other active templates. */
export const checkOf = async (
  db: Session,
  scope: Scope,
  id: string,
): Promise<CheckReport | Refusal<'template_unknown'>> => {
  const [row] = await visibleTemplate(db, scope, id)
  return row === undefined ? refuse('template_unknown') : checkInSteps(templateOf(row), await neighboursOf(db, row))
}

export const createDraft = async (
  tx: Tx,
  scope: Scope,
  providerId: ProviderId,
  content: TemplateContent,
  now: Instant,
): Promise<ManagedTemplate | Refusal<'provider_unknown' | 'template_limit'>> => {
  await lockTemplates(tx, scope)
  const [provider] = await usableProvider(tx, scope, providerId)
  if (provider === undefined) return refuse('provider_unknown', { provider: providerId })
  const [count] = await countTemplates(tx, scope)
  if (count!.templates >= mostTemplates) return refuse('template_limit')
  const id = await draftTemplate(tx, { ...content, providerId, accountId: scope.accountId }, undefined, now)
  return (await findTemplateOf(tx, scope, id))!
}

type Unchangeable = 'template_unknown' | 'read_only' | 'template_not_draft'

/** Locks the account's templates and finds one of its drafts. */
const lockDraft = async (tx: Tx, scope: Scope, id: TemplateId): Promise<ManagedTemplate | Refusal<Unchangeable>> => {
  await lockTemplates(tx, scope)
  const template = await findTemplateOf(tx, scope, id)
  if (template === undefined) return refuse('template_unknown')
  if (template.shared) return refuse('read_only')
  return template.status === 'draft' ? template : refuse('template_not_draft')
}

export const changeDraft = async (
  tx: Tx,
  scope: Scope,
  id: TemplateId,
  changes: ContentChanges,
): Promise<{ readonly before: ManagedTemplate; readonly after: ManagedTemplate } | Refusal<Unchangeable>> => {
  const before = await lockDraft(tx, scope, id)
  if ('refused' in before) return before
  const changedFields = Object.entries(changes).filter(([, value]) => value !== undefined)
  const content: TemplateContent = { ...contentOf(before), ...Object.fromEntries(changedFields) }
  await updateDraft(tx, scope, id, {
    ...content,
    samples: JSON.stringify(content.samples),
    counterSamples: JSON.stringify(content.counterSamples),
  })
  return { before, after: (await findTemplateOf(tx, scope, id))! }
}

export const deleteDraft = async (
  tx: Tx,
  scope: Scope,
  id: TemplateId,
): Promise<ManagedTemplate | Refusal<Unchangeable>> => {
  const draft = await lockDraft(tx, scope, id)
  if (!('refused' in draft)) await deleteDraftRow(tx, scope, id)
  return draft
}

/** A sender that the provider does not have yet needs an owner, and so do its apps if it was not in use. From now on the sender
 *  counts for the wallets that have it. */
export const publishDraft = async (
  tx: Tx,
  scope: Scope,
  id: TemplateId,
  now: Instant,
  authority: Authority,
): Promise<PublishedDraft | Refusal<Unchangeable | 'owner_needed' | 'confirmation_required'>> => {
  const draft = await lockDraft(tx, scope, id)
  if ('refused' in draft) return draft
  const { providerId, senderNames } = draft
  const { apps, senders } = await appsOfProvider(tx, scope, providerId, authority.sendersOf)
  const provider = { senders: senders.all, apps }
  const needed = refuseWithoutOwner(authority, templateNeedsOwner(senderNames, provider))
  if (needed !== undefined) {
    // What the manager can repair comes first: an owner is asked for a template that can be published.
    const report = await checkOf(tx, scope, id)
    return 'refused' in report || report.failures.length === 0 ? needed : { kind: 'refused', failures: report.failures }
  }
  const published = await publishTemplate(tx, id)
  if (published.kind === 'refused') return published
  const added = senderNames.filter((name) => !senders.all.includes(name))
  if (added.length > 0) await startSenders(tx, scope, providerId, added, now)
  return { ...published, provider }
}

export const retireTemplate = async (
  tx: Tx,
  scope: Scope,
  id: TemplateId,
): Promise<ManagedTemplate | Refusal<'template_unknown' | 'read_only' | 'template_not_active'>> => {
  await lockTemplates(tx, scope)
  const template = await findTemplateOf(tx, scope, id)
  if (template === undefined) return refuse('template_unknown')
  if (template.shared) return refuse('read_only')
  if ((await retireOwnTemplate(tx, scope, id)).length === 0) return refuse('template_not_active')
  return { ...template, status: 'retired' }
}

/** Drafts the next version of a template of the account, or the account's own copy of an operator's template. */
export const draftNext = async (
  tx: Tx,
  scope: Scope,
  id: TemplateId,
  now: Instant,
): Promise<ManagedTemplate | Refusal<'template_unknown' | 'template_draft_exists' | 'template_limit'>> => {
  await lockTemplates(tx, scope)
  const template = await findTemplateOf(tx, scope, id)
  if (template === undefined) return refuse('template_unknown')
  const [count] = await countTemplates(tx, scope)
  if (count!.templates >= mostTemplates) return refuse('template_limit')
  const [newest] = await newestVersion(tx, scope, template.lineage)
  if (newest!.draft !== null) return refuse('template_draft_exists', { draft: newest!.draft })
  const replaces = template.shared ? undefined : { lineage: template.lineage, version: newest!.version }
  const draft = { ...contentOf(template), providerId: template.providerId, accountId: scope.accountId }
  const newId = await draftTemplate(tx, draft, replaces, now)
  return (await findTemplateOf(tx, scope, newId))!
}
