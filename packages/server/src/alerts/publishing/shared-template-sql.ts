import type { ProviderId, TemplateId } from '../../core/ids.ts'
import { nullable, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'
import { templateColumns, templateRow } from './template-sql.ts'

/** A page of shared templates in the order of their ids. There are few. */
export const sharedTemplates = statement(
  'shared_templates',
  templateColumns,
  (page: { after: string; provider: string | null; status: string | null; limit: number }) => [
    page.after,
    page.provider,
    page.status,
    page.limit,
  ],
  `
  select ${templateRow} from alert_templates t
   where account_id is null and id > $1 and ($2::uuid is null or provider_id = $2)
     and ($3::text is null or status = $3)
   order by id
   limit $4`,
)

/** Index: primary key. */
export const findSharedTemplateRow = statement(
  'find_shared_template_row',
  templateColumns,
  (id: TemplateId) => [id],
  `select ${templateRow} from alert_templates t where id = $1 and account_id is null`,
)

/** The same, locked until the transaction ends. */
export const lockSharedTemplate = statement(
  'lock_shared_template',
  templateColumns,
  (id: TemplateId) => [id],
  `select ${templateRow} from alert_templates t where id = $1 and account_id is null for update`,
)

/** Locks all versions of a template and returns the newest number, so that two drafts do not get the same one. */
export const lockLineage = statement(
  'lock_lineage',
  { version: nullable(whole()) },
  (lineage: string) => [lineage],
  `
  select max(version) as version
    from (select version from alert_templates where lineage = $1 for update) as versions`,
)

export const saveTemplateSamples = statement(
  'save_template_samples',
  noColumns,
  (id: TemplateId, samples: string, counterSamples: string) => [id, samples, counterSamples],
  `
  update alert_templates set samples = $2, counter_samples = $3
   where id = $1 and account_id is null and status = 'draft'`,
)

export const retireSharedTemplateRow = statement(
  'retire_shared_template_row',
  { id: uuid<TemplateId>() },
  (id: TemplateId) => [id],
  `
  update alert_templates set status = 'retired'
   where id = $1 and account_id is null and status <> 'retired'
  returning id`,
)

/** Whether a provider is shared by all accounts. Index: primary key. */
export const isSharedProvider = statement(
  'is_shared_provider',
  { id: uuid<ProviderId>() },
  (id: ProviderId) => [id],
  `select id from providers where id = $1 and account_id is null`,
)
