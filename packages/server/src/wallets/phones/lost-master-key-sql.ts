import type { AccountId } from '../../core/ids.ts'
import { bool, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/**
 * For a lost master key: every phone must be paired again, and open pairing codes end. The access of an app that signs ends
 * with its key; otherwise the app would be accepted unsigned from now on. The access of an app that never signed is not
 * sealed and stays valid. Returns the account of each phone, and whether the phone could report before. Reads the whole table.
 */
export const losePhoneSecrets = statement(
  'lose_phone_secrets',
  { account_id: uuid<AccountId>(), was_connected: bool() },
  () => [],
  `
  with lost as (
    select id, secret_sealed is not null or signing_key_sealed is not null as was_connected
      from devices
     where secret_sealed is not null or previous_secret_sealed is not null or signing_key_sealed is not null
        or pairing_hash is not null
       for update)
  update devices d
     set secret_sealed = null, previous_secret_sealed = null, secret_used = false,
         ingest_token_hash = case when d.signing_key_sealed is null then d.ingest_token_hash end,
         signing_key_sealed = null,
         pairing_hash = null, pairing_until = null, pairing_tries = 0, pairing_by = ''
    from lost
   where d.id = lost.id
  returning d.account_id, lost.was_connected`,
)
