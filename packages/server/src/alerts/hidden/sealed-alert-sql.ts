import { sealedColumn } from '../../postgres/maintenance/sealed-column-sql.ts'
import { hiddenPurpose } from './hidden-text.ts'

/** The sealed texts, for a rotation of the master key. Index: alerts_sealed. */
export const sealedAlertColumns = [sealedColumn('alerts', 'sealed_text', hiddenPurpose)]
