import { sealedColumn, sealedJsonColumn } from '../../postgres/maintenance/sealed-column-sql.ts'

/** Index of each: webhook_endpoints_id_key. */
export const sealedEndpointColumns = [
  sealedColumn('webhook_endpoints', 'secret_sealed', 'webhook secrets'),
  sealedColumn('webhook_endpoints', 'previous_secret_sealed', 'webhook secrets'),
  sealedJsonColumn('webhook_endpoints', 'headers', 'webhook headers'),
  sealedColumn('webhook_endpoints', 'query_sealed', 'webhook queries'),
]
