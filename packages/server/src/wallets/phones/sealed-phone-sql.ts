import { sealedColumn } from '../../postgres/maintenance/sealed-column-sql.ts'

/** The sealed columns of phones, for the change of the master key. Index of each: primary key. */
export const sealedPhoneColumns = [
  sealedColumn('devices', 'secret_sealed', 'device secrets'),
  sealedColumn('devices', 'previous_secret_sealed', 'device secrets'),
  sealedColumn('devices', 'signing_key_sealed', 'device signing keys'),
]
