/**
 * No row of one account is reachable with the credentials of another. Every statement on a table with the column account_id
 * restricts the account, in a condition or in what it inserts; or it is in one of the lists below, with the reason. A statement
 * that is told the account takes it as the scope of the caller (core/scope.ts), so that no path forgets the caller's wallets.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { allStatements } from '../../src/postgres/query/statement.ts'
import { isNotFrozen } from '../../src/postgres/tenancy/freeze-sql.ts'
import { sealedColumns } from '../../src/sealed-columns.ts'

const src = join(import.meta.dirname, '../../src')
for (const file of globSync('**/*-sql.ts', { cwd: src }).sort()) await import(join(src, file))

const schema = readFileSync(join(resolve(import.meta.dirname, '../../../..'), 'schema.sql'), 'utf8')
const accountTables = [...schema.matchAll(/^create table (?:public\.)?(\w+) \(([\s\S]*?)\n(?=CREATE|create|$)/gim)]
  .filter(([, , columns]) => /^ {2}account_id uuid/m.test(columns!))
  .map(([, table]) => table!)

/** Each reason why a statement need not restrict the account, with the statements to which it applies. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'its rows belong to a user, not to an account, and it restricts the user': [
    'insert_reset_link',
    'void_reset_links',
    'end_oldest_sessions',
    'open_sessions_of_user',
    'end_other_session_rows',
    'end_session_row',
    'find_proof',
    'save_proof',
    'delete_passkeys_of_left',
    'memberships_of_user',
    'make_requests',
    'insert_proof_link',
    'insert_user_notice',
    'add_to_user_notice',
    'mark_user_notice_sent_row',
    'list_user_notice_rows',
    'find_user_notice_row',
    'mark_user_notices_seen',
    'has_signed_in',
    'erase_of_user_sessions',
    'erase_of_user_links',
    'erase_of_user_notices',
  ],
  'an unguessable secret identifies the row or its account': [
    'find_reset_link',
    'take_reset_link',
    'find_proof_link',
    'take_proof_link',
    'mark_invitation_accepted',
    'mark_session_seen',
    'find_phone_by_token',
    'lock_pairings',
    'find_checkout_by_token',
    'find_voucher_by_token',
    'count_link_viewed',
    'logo_by_hash',
    'count_pairing_try',
    'find_setup_by_token',
    'lock_device_by_address',
    'find_counter',
  ],
  'the service itself works on the rows of all accounts, and shows them to no user': [
    'money_rules_alert_once',
    'money_rules_intent_once',
    'money_rules_reference_once',
    'money_rules_both_refer',
    'money_rules_same_amount',
    'money_rules_reference_held_once',
    'prune_links',
    'prune_user_notices',
    'take_user_notice_row',
    'prune_sessions',
    'mark_keys_used',
    'template_to_reread',
    'wallet_to_reread',
    'unchecked_alerts',
    'wallets_to_release',
    'mark_reread',
    'any_open',
    'due_endpoints',
    'reap_leases',
    'queue_state',
    'due_replays',
    'lock_endpoint_health',
    'save_endpoint_health',
    'stray_attempts',
    'stray_ends',
    'begin_retention',
    'lock_retention_step',
    'prune_endpoint_hours',
    'prune_link_views',
    'prune_sample_events',
    'delete_stray_attempts',
    'delete_stray_ends',
    'add_rhythms',
    'lock_due_rhythms',
    'due_sales',
    'next_due',
    'next_push_due',
    'accounts_after',
    'frozen_accounts',
    'are_guards_left',
    'switched_accounts',
    'read_pulse',
    'accounts_elsewhere',
    'account_to_release',
    'lock_freezes',
  ],
  'the operator counts over all accounts': ['service_figures'],
  'the row is shipped or shared, or the caller has already found it for the account': [
    'find_template',
    'retire_active',
    'activate_template',
    'known_templates',
    'missing_shared',
    'lock_lineage',
    'add_provider',
  ],
  'it restricts the wallet, the phone or the endpoint, which the caller has already found for the account': [
    'known_alerts',
    'announced_alerts',
    'alerts_by_reference',
    'lock_intents_by_reference',
    'wallets_awaiting',
    'open_amounts',
    'reference_owner',
    'newest_alert_of_phone',
    'waiting_redelivery',
  ],
  'a rotation of the master key seals the rows of all accounts again': sealedColumns.flatMap(({ place }) =>
    ['count', 'read', 'replace'].map((verb) => `${verb}_${place.replace('.', '_')}`),
  ),
  'after the loss of the master key the operator clears the values that it sealed, in all accounts': [
    'lose_second_factors',
    'lose_pins',
    'lose_hidden_codes',
    'lose_hidden_strangers',
    'lose_phone_secrets',
    'endpoints_after',
    'replace_lost_secrets',
    'delete_all_devices',
  ],
  'at the start of a node, the addresses of all endpoints are sealed': ['read_whole_urls', 'seal_stored_queries'],
  'at the start of a node, the PINs of all accounts are sealed': ['read_unsealed_pins', 'seal_stored_pins'],
  'a command finds the account of a wallet': ['account_of_wallet', 'owner_of_wallet'],
}
const excused = Object.values(exceptions).flat()

const usesAccountTable = new RegExp(
  `\\b(?:from|join|update|into)\\s+(?:only\\s+)?(?:${accountTables.join('|')})\\b`,
  'i',
)
/** account_id is compared, alone or in a row, or inserted. A column that is only returned does not count. */
const restrictions = [
  /account_id\s*(?:=|<>|in\b|is null|is not distinct)/i,
  /(?:=|<>)\s*(?:\w+\.)?account_id/i,
  /account_id\s*,[^()]*\)\s*(?:=|in|<|>)/i,
  /insert into \w+(?:\s+as\s+\w+)?\s*\([^)]*\baccount_id/i,
]
/** Leaving out frozen accounts restricts nothing to one account. */
const notFrozen = new RegExp(isNotFrozen('@').replace('@', '[\\w.]+').replaceAll(/[()]/g, '\\$&'), 'g')
const restrictsAccount = (sql: string): boolean =>
  restrictions.some((form) => form.test(sql.replaceAll(notFrozen, 'true')))

test('the tables with the column account_id are found', () => {
  for (const table of [
    'intents',
    'alerts',
    'wallets',
    'devices',
    'api_keys',
    'webhook_endpoints',
    'deliveries',
    'events',
  ])
    assert.ok(accountTables.includes(table), `${table} is not among ${accountTables.join(', ')}`)
})

test('every statement on a table with account_id restricts the account, or is listed with a reason', () => {
  const unrestricted = allStatements
    .filter(
      ({ sql, statementName }) =>
        usesAccountTable.test(sql) && !restrictsAccount(sql) && !excused.includes(statementName),
    )
    .map(({ statementName }) => statementName)
  assert.deepEqual(unrestricted, [])
})

/** Each reason why a statement is told an account without the scope of a caller. */
const withoutScope: Readonly<Record<string, readonly string[]>> = {
  'its rows were read by the service itself, and name their account': [
    'make_room_for_claim',
    'store_reference_claim',
    'expire_one_intent',
    'release_reference',
    'expire_holder',
    'copy_intent',
    'set_dismissed',
    'hide_alert',
    'save_rhythm',
    'renew_device',
  ],
  'it inserts one row, and counts those of its account': ['insert_payment_link'],
  'it decides for which account a session acts': ['act_for_account', 'act_for_where_none'],
  'an operator freezes the account: which one is, concerns the service': [
    'lock_freeze',
    'mark_frozen',
    'delete_freeze',
    'pause_freeze',
  ],
  'an operator moves the account: in which cell it is used, concerns the service': [
    'find_move',
    'switch_move',
    'delete_copying_move',
    'delete_arrival',
    'mark_move_ending',
    'delete_ended_move',
  ],
  'it reads templates of the service too, for any account or none': ['active_templates', 'accounts_of_provider'],
}

const isToldAccount = (sql: string): boolean => /account_id\s*(?:=|is not distinct from)\s*\(?\$\d/i.test(sql)

test('every statement that is told an account takes the scope of the caller, or is listed with a reason', () => {
  const listed = Object.values(withoutScope).flat()
  const found = allStatements
    .filter(({ sql, takesScope }) => usesAccountTable.test(sql) && isToldAccount(sql) && !takesScope)
    .map(({ statementName }) => statementName)
  assert.deepEqual(found.toSorted(), listed.toSorted())
})

test('the lists have only existing statements, each once', () => {
  const names = allStatements.map(({ statementName }) => statementName)
  assert.deepEqual(
    excused.filter((name) => !names.includes(name)),
    [],
  )
  assert.equal(new Set(excused).size, excused.length)
})

test('a statement without the account is reported', () => {
  assert.ok(usesAccountTable.test('select id from intents where id = $1'))
  assert.ok(!restrictsAccount('select account_id, id from intents where id = $1'))
  assert.ok(!restrictsAccount(`select id from intents where ${isNotFrozen('account_id')}`))
  assert.ok(restrictsAccount('select id from intents where account_id = $1 and id = $2'))
  assert.ok(restrictsAccount('select id from alerts where (account_id, id) in (select account_id, id from intents)'))
})
