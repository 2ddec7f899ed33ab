/** Makes a template from its row. */
import type { RowOf } from '../../postgres/query/statement.ts'
import type { AlertTemplate, CounterSample, Sample } from '../templates/alert-template.ts'
import type { templateColumns } from './template-sql.ts'

export const templateOf = (row: RowOf<typeof templateColumns>): AlertTemplate => ({
  id: row.id,
  providerId: row.provider_id,
  lineage: row.lineage,
  name: row.name,
  senderNames: JSON.parse(row.sender_names) as string[],
  direction: row.direction,
  currency: row.currency,
  sentence: row.sentence,
  version: row.version,
  status: row.status,
  samples: JSON.parse(row.samples) as Sample[],
  counterSamples: JSON.parse(row.counter_samples) as CounterSample[],
})
