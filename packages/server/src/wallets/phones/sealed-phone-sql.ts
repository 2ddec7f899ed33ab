import { sealedColumn } from '../../postgres/maintenance/sealed-column-sql.ts'

/** Index of each: primary key. */
export const sealedPhoneColumns = [
  sealedColumn('devices', 'secret_sealed', 'device secrets'),
  sealedColumn('devices', 'previous_secret_sealed', 'device secrets'),
  sealedColumn('devices', 'signing_key_sealed', 'device signing keys'),
]
