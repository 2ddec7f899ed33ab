import { sealedColumn } from '../../postgres/maintenance/sealed-column-sql.ts'

/** Index: primary key. */
export const sealedUserColumns = [sealedColumn('users', 'totp_sealed', 'second factors')]
