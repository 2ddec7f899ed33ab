/**
 * Every key of a table with rows of accounts carries the account: primary keys, unique constraints and indexes, and references to
 * other such tables. So an account's rows can be moved to another database, or be kept together by an extension that distributes
 * tables (docs/scaling.md). What does not carry it is in one of the lists below, with the reason.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

type Key = { readonly table: string; readonly name: string; readonly columns: readonly string[]; readonly to?: string }
type Table = { readonly name: string; readonly ofAccount: boolean; readonly keys: Key[] }

const namesIn = (list: string): string[] => list.split(',').map((name) => name.trim().replaceAll('"', ''))

const readSchema = (text: string): Map<string, Table> => {
  const tables = new Map<string, Table>()
  for (const [, name, body] of text.matchAll(
    /^create table (\w+) \(\n([\s\S]*?)\)(?: partition by \w+ \(\w+\))?;$/gm,
  )) {
    const keys = [
      ...body!.matchAll(
        /constraint (\w+) (?:PRIMARY KEY|UNIQUE|FOREIGN KEY) \(([^)]*)\)(?: REFERENCES (\w+)\([^)]*\))?/g,
      ),
    ].map(([, key, columns, to]) => ({
      table: name!,
      name: key!,
      columns: namesIn(columns!),
      ...(to !== undefined && { to }),
    }))
    tables.set(name!, { name: name!, ofAccount: /^ {2}account_id uuid/m.test(body!), keys })
  }
  for (const [, name, table, columns] of text.matchAll(
    /^CREATE UNIQUE INDEX (\w+) ON (?:ONLY )?public\.(\w+) USING btree \(([^)]*)\)/gm,
  ))
    tables.get(table!)?.keys.push({ table: table!, name: name!, columns: namesIn(columns!) })
  return tables
}

const schema = readFileSync(join(resolve(import.meta.dirname, '../../../..'), 'schema.sql'), 'utf8')
const tables = readSchema(schema)
const isTenant = (name: string): boolean => tables.get(name)?.ofAccount === true

/** Tables that name an account and are no account's alone, or not by that column. */
const shared: Readonly<Record<string, readonly string[]>> = {
  'rows without an account are shared by all: a distributed database has the whole table everywhere': [
    'alert_templates',
    'providers',
  ],
  'its rows belong to a user, who may be a member of several accounts': ['sessions', 'user_links', 'user_notices'],
  'it also has what concerns the service and no account': ['audit_log'],
}
const sharedTables = Object.values(shared).flat()

/** Keys of the other tables that do not carry the account. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'a random secret, or its hash, by which the account is found; two rows never have the same': [
    'api_keys_pkey',
    'checkouts_token_hash_key',
    'counters_token_hash_key',
    'devices_ingest_token_hash_key',
    'devices_pairing',
    'payment_links_token_hash_key',
    'phone_setups_token_hash_key',
    'push_devices_address_hash_key',
    'vouchers_token_hash_key',
  ],
  'a code of ten digits that a buyer types: it must not name two intents of one service': ['intents_code_key'],
  'a random id: it is unique without the account, and the account of the row is that of the object': [
    'alerts_intent',
    'alerts_once',
    'counter_sales_intent',
    'deliveries_pkey',
    'devices_pkey',
    'events_end_once',
    'events_once',
    'intents_alert',
    'phone_rhythms_pkey',
    'pins_id_key',
    'push_devices_id_key',
    'wallet_phones_pkey',
    'wallets_pkey',
    'webhook_endpoints_id_key',
    'webhook_replays_running',
  ],
  'the identity of a real wallet belongs to one account (wallets_one_open)': [
    'alerts_reference',
    'intents_reference_held',
    'unique_amounts_pkey',
  ],
  'it refers to a random id of the same account': [
    'deliveries_endpoint_id_fkey',
    'intent_hours_wallet_id_fkey',
    'intent_tallies_wallet_id_fkey',
  ],
}

/** Tables without the account whose rows belong to an object of an account. */
const ofAnObject: Readonly<Record<string, string>> = {
  device_requests: 'the answers that a phone got in the last hour',
  wallet_balances: 'the last balance of a wallet',
}

const carriesAccount = ({ columns }: Key): boolean => columns.includes('account_id')

test('the keys are read from the schema', () => {
  assert.ok(tables.size > 60 && [...tables.values()].filter(({ ofAccount }) => ofAccount).length > 45)
  const intents = tables.get('intents')!.keys.map(({ name }) => name)
  for (const name of ['intents_pkey', 'intents_code_key', 'intents_alert', 'intents_wallet_identity_fkey'])
    assert.ok(intents.includes(name), name)
  assert.ok(tables.get('delivery_attempts')!.ofAccount)
})

test('every key of a table of accounts carries the account, or is listed with a reason', () => {
  const without = [...tables.values()]
    .filter(({ name, ofAccount }) => ofAccount && !sharedTables.includes(name))
    .flatMap(({ keys }) => keys)
    .filter((key) => !carriesAccount(key))
    // A reference to a user, a provider or a template leads out of the account.
    .filter(({ to }) => to === undefined || (isTenant(to) && !sharedTables.includes(to)))
    .map(({ name }) => name)
  assert.deepEqual(without.toSorted(), Object.values(exceptions).flat().toSorted())
})

test('a table without the account refers to no table of accounts, or is listed', () => {
  const children = [...tables.values()]
    .filter(({ ofAccount, keys }) => !ofAccount && keys.some(({ to }) => to !== undefined && isTenant(to)))
    .map(({ name }) => name)
  assert.deepEqual(children.toSorted(), Object.keys(ofAnObject).toSorted())
})

test('the lists name tables and keys that exist, each once', () => {
  const listed = [...sharedTables, ...Object.keys(ofAnObject)]
  assert.deepEqual(
    listed.filter((name) => !tables.has(name)),
    [],
  )
  const names = Object.values(exceptions).flat()
  assert.equal(new Set(names).size, names.length)
})
