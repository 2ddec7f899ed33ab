import type { Instant } from '../../core/clock.ts'
import type { AccountId, PhoneId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, instant, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import type { PhoneApp, SetupApp } from '../phones/phone-setup.ts'

/** Removes the used code; the phone's credentials stay as they are. */
export const clearPairing = scoped(
  'clear_pairing',
  noColumns,
  (scope: Scope, id: PhoneId) => [scope.accountId, id],
  `
  update devices set pairing_hash = null, pairing_until = null, pairing_tries = 0, pairing_by = ''
   where account_id = $1 and id = $2`,
)

/** Opens a session of the set-up page; it ends an earlier one of the phone. Index: primary key. */
export const openSetupRow = statement(
  'open_setup_row',
  noColumns,
  (setup: { accountId: AccountId; phoneId: PhoneId; tokenHash: Buffer; by: string; until: Instant; now: Instant }) => [
    setup.accountId,
    setup.phoneId,
    setup.tokenHash,
    setup.by,
    at(setup.until),
    at(setup.now),
  ],
  `
  insert into phone_setups (account_id, device_id, token_hash, opened_by, until, opened_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (account_id, device_id) do update
     set token_hash = excluded.token_hash, opened_by = excluded.opened_by, until = excluded.until,
         opened_at = excluded.opened_at, chosen = '', chosen_at = null, accesses = 0, registered_at = null,
         configured_at = null`,
)

/** The open session with a token. Index: phone_setups_token_hash_key, primary keys. */
export const findSetupByToken = statement(
  'find_setup_by_token',
  {
    account_id: uuid<AccountId>(),
    account_name: text(),
    device_id: uuid<PhoneId>(),
    until: instant(),
    opened_by: text(),
  },
  (tokenHash: Buffer, now: Instant) => [tokenHash, at(now)],
  `
  select s.account_id, a.name as account_name, s.device_id, s.until, s.opened_by
    from phone_setups s
    join accounts a on a.id = s.account_id
   where s.token_hash = $1 and s.until > $2`,
)

/** No row: the session has ended. Index: primary key. */
export const chooseAppRow = scoped(
  'choose_app_row',
  { device_id: uuid<PhoneId>() },
  (scope: Scope, id: PhoneId, tokenHash: Buffer, app: SetupApp, now: Instant) => [
    scope.accountId,
    id,
    tokenHash,
    app,
    at(now),
  ],
  `
  update phone_setups
     set chosen = $4, chosen_at = case when chosen = $4 then chosen_at else $5 end
   where account_id = $1 and device_id = $2 and token_hash = $3 and until > $5
  returning device_id`,
)

/**
 * Counts one access that the session creates. No row: the session has ended, a newer session replaced it, or it has
 * created as many accesses as it may. Concurrent calls are each counted. Index: primary key.
 */
export const countSetupAccess = scoped(
  'count_setup_access',
  { device_id: uuid<PhoneId>() },
  (scope: Scope, id: PhoneId, tokenHash: Buffer, app: PhoneApp, most: number, now: Instant) => [
    scope.accountId,
    id,
    tokenHash,
    app,
    most,
    at(now),
  ],
  `
  update phone_setups
     set accesses = accesses + 1, app = $4, registered_at = null, configured_at = null
   where account_id = $1 and device_id = $2 and token_hash = $3 and until > $6 and accesses < $5
  returning device_id`,
)

/** Stores the app to which an owner gave access in the dashboard. An open session of the page goes on. Index: primary key. */
export const savePhoneApp = scoped(
  'save_phone_app',
  noColumns,
  (scope: Scope, id: PhoneId, app: PhoneApp) => [scope.accountId, id, app],
  `
  insert into phone_setups (account_id, device_id, app) values ($1, $2, $3)
  on conflict (account_id, device_id) do update
     set app = excluded.app, registered_at = null, configured_at = null`,
)

/**
 * Stores that SMS Gateway called (`registered`) or took its settings (`configured`). Returns a row only while the session of the
 * page that gave the app its address is open. Index: primary key.
 */
export const markGatewaySetup = scoped(
  'mark_gateway_setup',
  { device_id: uuid<PhoneId>() },
  (scope: Scope, id: PhoneId, step: 'registered' | 'configured', now: Instant) => [
    scope.accountId,
    id,
    step === 'configured',
    at(now),
  ],
  `
  update phone_setups
     set registered_at = coalesce(registered_at, $4),
         configured_at = case when $3::boolean then coalesce(configured_at, $4) else configured_at end
   where account_id = $1 and device_id = $2 and app = 'smsgate' and until > $4
  returning device_id`,
)
