import { sealedColumn } from '../../postgres/maintenance/sealed-column-sql.ts'

/** The sealed secrets of second factors, for a rotation of the master key. Index: primary key. */
export const sealedUserColumns = [sealedColumn('users', 'totp_sealed', 'second factors')]
