import { sealedColumn } from '../postgres/sealed-column-sql.ts'

/** Index: primary key. */
export const sealedUserColumns = [sealedColumn('users', 'totp_sealed', 'second factors')]
