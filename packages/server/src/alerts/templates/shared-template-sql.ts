import type { ProviderId, TemplateId } from '../../core/ids.ts'
import { nullable, uuid, whole } from '../../postgres/query/columns.ts'
import { none, statement } from '../../postgres/query/statement.ts'
import { templateColumns, templateRow } from './template-sql.ts'

/** By their ids, after one of them. There are few: a provider words its alerts in a handful of ways. */
export const sharedTemplates = statement(
  'shared_templates',
  templateColumns,
  (asked: { after: string; provider: string | null; status: string | null; limit: number }) => [
    asked.after,
    asked.provider,
    asked.status,
    asked.limit,
  ],
  `
  select ${templateRow} from alert_templates t
   where account_id is null and id > $1 and ($2::uuid is null or provider_id = $2)
     and ($3::text is null or status = $3)
   order by id
   limit $4`,
)

/** Index: primary key. */
export const findShared = statement(
  'find_shared_template',
  templateColumns,
  (id: TemplateId) => [id],
  `select ${templateRow} from alert_templates t where id = $1 and account_id is null`,
)

/** The same, held until the end. */
export const holdShared = statement(
  'hold_shared_template',
  templateColumns,
  (id: TemplateId) => [id],
  `select ${templateRow} from alert_templates t where id = $1 and account_id is null for update`,
)

/** Whoever drafts the next version of a lineage holds the whole of it: two do not take one number. */
export const holdLineage = statement(
  'hold_lineage',
  { version: nullable(whole()) },
  (lineage: string) => [lineage],
  `
  select max(version) as version
    from (select version from alert_templates where lineage = $1 for update) as versions`,
)

export const saveSamples = statement(
  'save_template_samples',
  none,
  (id: TemplateId, samples: string, counterSamples: string) => [id, samples, counterSamples],
  `
  update alert_templates set samples = $2, counter_samples = $3
   where id = $1 and account_id is null and status = 'draft'`,
)

export const retireShared = statement(
  'retire_shared_template',
  { id: uuid<TemplateId>() },
  (id: TemplateId) => [id],
  `
  update alert_templates set status = 'retired'
   where id = $1 and account_id is null and status <> 'retired'
  returning id`,
)

/** A provider that everybody shares. Index: primary key. */
export const isSharedProvider = statement(
  'is_shared_provider',
  { id: uuid<ProviderId>() },
  (id: ProviderId) => [id],
  `select id from providers where id = $1 and account_id is null`,
)
