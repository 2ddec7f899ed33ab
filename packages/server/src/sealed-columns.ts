/** Every column that is sealed with a key of the master key. One that is missing here would be lost by a rotation. */
import { sealedUserColumns } from './accounts/sealed-user-sql.ts'
import { sealedAlertColumns } from './alerts/sealed-alert-sql.ts'
import type { SealedColumn } from './postgres/sealed-column-sql.ts'
import { sealedDeviceColumns } from './wallets/sealed-device-sql.ts'
import { sealedEndpointColumns } from './webhooks/sealed-endpoint-sql.ts'

export const sealedColumns: readonly SealedColumn[] = [
  ...sealedEndpointColumns,
  ...sealedDeviceColumns,
  ...sealedUserColumns,
  ...sealedAlertColumns,
]
