/** Every column that is sealed with a key derived from the master key. A rotation would lose a column that is missing here. */
import { sealedPinColumns } from './accounts/counters/sealed-pin-sql.ts'
import { sealedUserColumns } from './accounts/sessions/sealed-user-sql.ts'
import { sealedAlertColumns } from './alerts/hidden/sealed-alert-sql.ts'
import type { SealedColumn } from './postgres/maintenance/sealed-column-sql.ts'
import { sealedPushColumns } from './push/sealed-push-sql.ts'
import { sealedPhoneColumns } from './wallets/phones/sealed-phone-sql.ts'
import { sealedEndpointColumns } from './webhooks/endpoints/sealed-endpoint-sql.ts'

export const sealedColumns: readonly SealedColumn[] = [
  ...sealedEndpointColumns,
  ...sealedPhoneColumns,
  ...sealedUserColumns,
  ...sealedPinColumns,
  ...sealedAlertColumns,
  ...sealedPushColumns,
]
