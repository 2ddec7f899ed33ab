/** Every column that is sealed with a key of the master key. One that is missing here would be lost by a rotation. */
import { sealedUserColumns } from './accounts/sessions/sealed-user-sql.ts'
import { sealedAlertColumns } from './alerts/hidden/sealed-alert-sql.ts'
import type { SealedColumn } from './postgres/maintenance/sealed-column-sql.ts'
import { sealedPhoneColumns } from './wallets/phones/sealed-phone-sql.ts'
import { sealedEndpointColumns } from './webhooks/endpoints/sealed-endpoint-sql.ts'

export const sealedColumns: readonly SealedColumn[] = [
  ...sealedEndpointColumns,
  ...sealedPhoneColumns,
  ...sealedUserColumns,
  ...sealedAlertColumns,
]
