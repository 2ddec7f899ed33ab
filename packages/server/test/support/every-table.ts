/**
 * Writes made-up rows into every table of the schema; each column has a value in at least one of them. For tests that must not
 * forget a table or a column: a backup, a dump, a rotation of the master key. Tables and columns are read from the database's
 * catalogue, so a new table gets a row too. If a check of the database refuses a made-up value, the error names the table, and
 * a value that passes the check belongs into `fixedValues` below.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Instant } from '../../src/core/clock.ts'
import { deriveKey, type MasterKey, seal } from '../../src/core/seal.ts'
import { checkValueOf, sealHashKey } from '../../src/key-ring.ts'
import { sealedColumns } from '../../src/sealed-columns.ts'

type Value = string | number | boolean | Buffer | readonly string[] | readonly Buffer[] | null
type Row = Record<string, Value>

const userId = randomUUID()
const noArrival = { arrived: null, forgiven: null, excess: null }

/** Values that the checks of a table or the service need; each object is one row. A column with null stays empty in that row. */
const fixedValues: Readonly<Record<string, readonly Row[]>> = {
  account_erasures: [{ state: 'done', row_counts: '{}' }],
  account_moves: [{ state: 'switched', origin: 'https://cell.example' }],
  accounts: [{ country: 'YE', time_zone: 'Asia/Aden', status: 'SUSPENDED' }],
  alert_templates: [{ status: 'retired', currency: 'YER', samples: '[]', counter_samples: '[]' }],
  alerts: [
    {
      hidden: 'code',
      state: 'hidden',
      title: '',
      raw_text: 'a code',
      amount: null,
      reference: null,
      reference_key: null,
      payer: null,
      intent_id: null,
      dismissed_from: null,
      taken_from: null,
    },
    {
      hidden: '',
      sealed_text: null,
      forget_at: null,
      state: 'dismissed',
      dismissed_from: 'waiting',
      intent_id: null,
      taken_from: null,
    },
    {
      hidden: '',
      sealed_text: null,
      forget_at: null,
      state: 'booked',
      dismissed_from: null,
      intent_id: null,
      taken_from: 'waiting',
    },
  ],
  approvals: [{ state: 'confirmed', change: '{}', before: '{}', after: '{}' }],
  api_keys: [{ client_id: randomBytes(16).toString('hex') }],
  checkout_pages: [{ color: '#0A0B0C', whatsapp: '967771234567', phone: '967771234567' }],
  checkouts: [{ status: 'EXPIRED', currency: 'YER', items: '[]' }],
  counter_sales: [{ taken_at: '2026-01-02T03:04:05Z', due_at: '2026-01-02T03:04:15Z' }],
  counters: [{ idle_minutes: 10 }],
  pin_tries: [{ wrong: 1 }],
  pins: [{ wrong: 1 }],
  intents: [
    {
      status: 'EXPIRED',
      verified_at: null,
      paid: null,
      ...noArrival,
      code: '0123456789',
      currency: 'YER',
      items: '[]',
    },
    { status: 'VERIFIED', paid: null, excess: 0, code: '0123456788', currency: 'YER', items: '[]' },
    { status: 'WRONG_AMOUNT', verified_at: null, ...noArrival, code: '0123456787', currency: 'YER', items: '[]' },
  ],
  retention_progress: [{ kind: 'texts' }],
  retention_settings: [{ texts: 90, no_money: 90, payers: 90, api_calls: 9, audit: 900 }],
  known_browsers: [{ hash: randomBytes(32) }],
  limit_requests: [
    { state: 'confirmed', change: '{}', limits: ['short'], currency: 'YER' },
    { state: 'open', decided_at: null, change: '{}', limits: ['short'], currency: 'YER' },
  ],
  passkey_challenges: [{ hash: randomBytes(32) }],
  payment_links: [
    { least: null, most: null, life_s: 3600, currency: 'YER' },
    { amount: null, life_s: 3600, currency: 'YER' },
  ],
  phone_rhythms: [{ hours: '0'.repeat(24) }],
  providers: [{ country: 'YE', theme_color: '#0A0B0C', app_link: 'wallet://pay' }],
  push_settings: [{ quiet_from: 1_320, quiet_until: 360 }],
  service_hours: [{ hour: '2026-01-02T03:00:00Z', counted_until: '2026-01-02T03:10:00Z' }],
  sessions: [{ kind: 'browser' }],
  shifts: [
    { started_at: '2026-01-02T03:04:05Z', latest_end: '2026-01-03T03:04:05Z', ended_at: '2026-01-02T11:04:05Z' },
    { started_at: '2026-01-02T03:04:05Z', latest_end: '2026-01-03T03:04:05Z', ended_at: null, ended_by: '' },
  ],
  members: [{ role: 'cashier' }],
  // A user who refers to itself: each row is written alone.
  users: [{ id: userId, invited_by: userId, email: 'made-up@sanad.example' }],
  user_links: [{ email: 'made-up@sanad.example', purpose: 'invite', role: 'cashier' }],
  wallets: [{ currency: 'YER', is_test: false, active: false }],
  webhook_endpoints: [{ url: 'http://127.0.0.1:9/', enabled: false }],
}

/** Tables that migrations and the first start of the service fill themselves. */
const filledTables = new Set(['migrations', 'tally_progress'])

type Column = {
  readonly table: string
  readonly name: string
  readonly type: string
  /** The values that a check of this column lists, without the empty one. */
  readonly choices: readonly string[]
}
type ForeignKey = {
  readonly table: string
  readonly referenced: string
  readonly columns: string[]
  readonly referencedColumns: string[]
}

const columnsOf = async (client: pg.Client): Promise<Column[]> => {
  const { rows } = await client.query<{ table: string; name: string; type: string; checks: string[] | null }>(`
    select c.relname::text as table, a.attname::text as name, format_type(a.atttypid, null) as type,
           (select array_agg(pg_get_constraintdef(o.oid)) from pg_constraint o
             where o.conrelid = c.oid and o.contype = 'c' and o.conkey = array[a.attnum]) as checks
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attgenerated = ''
     order by c.relname, a.attnum`)
  const choicesIn = (check: string): string[] =>
    /ARRAY\[/.test(check) ? [...check.matchAll(/'([^']+)'::text/g)].map(([, value]) => value!) : []
  return rows.map(({ checks, ...column }) => ({ ...column, choices: (checks ?? []).flatMap(choicesIn) }))
}

const foreignKeysOf = async (client: pg.Client): Promise<ForeignKey[]> => {
  const names = (list: string, relation: string) =>
    `(select array_agg(a.attname::text order by k.n) from unnest(o.${list}) with ordinality as k (attnum, n)
        join pg_attribute a on a.attrelid = o.${relation} and a.attnum = k.attnum)`
  const { rows } = await client.query<ForeignKey>(`
    select o.conrelid::regclass::text as table, o.confrelid::regclass::text as referenced,
           ${names('conkey', 'conrelid')} as columns, ${names('confkey', 'confrelid')} as "referencedColumns"
      from pg_constraint o
     where o.contype = 'f' and o.connamespace = 'public'::regnamespace and o.conparentid = 0`)
  return rows
}

/** Referenced tables first. If two tables reference each other, the one whose column `fixedValues` leaves empty is first. */
const inInsertOrder = (tables: readonly string[], keys: readonly ForeignKey[]): string[] => {
  const placed = new Set<string>()
  const waitsFor = (table: string): boolean =>
    keys.some(
      (key) =>
        key.table === table &&
        key.referenced !== table &&
        !placed.has(key.referenced) &&
        !key.columns.some((column) => fixedValues[table]?.every((row) => row[column] === null)),
    )
  while (placed.size < tables.length) {
    const next = tables.find((table) => !placed.has(table) && !waitsFor(table))
    if (next === undefined)
      throw new Error(`these tables reference each other: ${tables.filter((table) => !placed.has(table))}`)
    placed.add(next)
  }
  return [...placed]
}

let texts = 0
const madeUpValue = ({ name, type, choices }: Column, at: Instant, position: number): Value => {
  const [first] = choices
  switch (type) {
    case 'uuid':
      return randomUUID()
    case 'text':
      return first ?? `${name} دفع\t${++texts}`
    case 'text[]':
      return [first ?? `a\n${++texts}`]
    case 'uuid[]':
      return [randomUUID()]
    case 'smallint[]':
      return ['9']
    case 'bytea':
      return randomBytes(32)
    case 'bytea[]':
      return [randomBytes(32)]
    case 'json':
    case 'jsonb':
      return '{}'
    case 'boolean':
      return true
    case 'smallint':
    case 'integer':
    case 'bigint':
      return 1
    case 'date':
      return new Date(at).toISOString().slice(0, 10)
    case 'timestamp with time zone[]':
      return [new Date(at).toISOString()]
    case 'timestamp with time zone':
      // A later column gets a later time: the start of something comes before its end.
      return new Date(at + position * 1_000).toISOString()
    default:
      throw new Error(`madeUpValue has no value for a column of type ${type}: add one`)
  }
}

/** Replaces the values of sealed columns by values sealed with this key, so that a rotation of the master key can be tested. */
const sealColumns = (key: MasterKey, table: string, row: Row): Row => {
  const sealed = { ...row }
  for (const { place, purpose } of sealedColumns) {
    const [sealedTable, column] = place.split('.') as [string, string]
    if (sealedTable !== table || row[column] === null) continue
    const bytes = seal(deriveKey(key, purpose), `a secret of ${place}`, row.id as string)
    sealed[column] = typeof row[column] === 'string' ? JSON.stringify({ 'x-key': bytes.toString('base64') }) : bytes
  }
  return sealed
}

/** Returns the names of all tables. */
export const fillEveryTable = async (url: string, key: MasterKey, now: Instant): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const [columns, keys] = [await columnsOf(client), await foreignKeysOf(client)]
    const tables = [...new Set(columns.map(({ table }) => table))]
    const firstRows = new Map<string, Row>()
    const keyRow: Row = { check_value: checkValueOf(key), hash_key_sealed: sealHashKey(key, randomBytes(32)) }
    for (const table of inInsertOrder(tables, keys)) {
      if (filledTables.has(table)) continue
      for (const fixed of table === 'master_keys' ? [keyRow] : (fixedValues[table] ?? [{}])) {
        const row: Row = {}
        for (const [position, column] of columns.filter((column) => column.table === table).entries())
          row[column.name] = madeUpValue(column, now, position)
        for (const { referenced, columns: own, referencedColumns } of keys.filter((key) => key.table === table))
          for (const [n, column] of own.entries())
            row[column] = firstRows.get(referenced)?.[referencedColumns[n]!] ?? row[column]!
        const whole = sealColumns(key, table, { ...row, ...fixed })
        const names = Object.keys(whole)
        await client
          .query(
            `insert into ${table} (${names.map((name) => `"${name}"`)}) values (${names.map((_, n) => `$${n + 1}`)})
             ${table === 'master_keys' || table === 'push_keys' ? 'on conflict do nothing' : ''}`,
            Object.values(whole),
          )
          .catch((cause: Error) => {
            throw new Error(`no row could be made up for ${table}: ${cause.message}. Add its values to fixedValues.`, {
              cause,
            })
          })
        if (!firstRows.has(table)) firstRows.set(table, whole)
      }
    }
    return tables
  } finally {
    await client.end()
  }
}

/** The columns that have no value in any row, as `table.column`. For an empty table these are all its columns. */
export const columnsWithoutValue = async (url: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const found: string[] = []
    const columns = await columnsOf(client)
    for (const table of new Set(columns.map((column) => column.table))) {
      const names = columns.filter((column) => column.table === table).map(({ name }) => name)
      const { rows } = await client.query(
        `select ${names.map((name) => `count("${name}")::int as "${name}"`)} from ${table}`,
      )
      found.push(...names.filter((name) => rows[0][name] === 0).map((name) => `${table}.${name}`))
    }
    return found
  } finally {
    await client.end()
  }
}

/** Gives the made-up rows that name no account of the service, because no foreign key says so, to this account. */
export const giveToAccount = async (url: string, accountId: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    const { rows } = await client.query(
      `select c.relname as name from pg_class c
         join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    )
    for (const { name } of rows as { name: string }[])
      await client.query(
        `update "${name}" set account_id = $1 where account_id is not null and account_id not in (select id from accounts)`,
        [accountId],
      )
  } finally {
    await client.end()
  }
}
