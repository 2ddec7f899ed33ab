import { sealedColumn } from '../postgres/maintenance/sealed-column-sql.ts'

/** Indexes: push_keys_pkey, push_devices_id_key. */
export const sealedPushColumns = [
  sealedColumn('push_keys', 'private_sealed', 'push keys'),
  sealedColumn('push_devices', 'subscription_sealed', 'push subscriptions'),
]
