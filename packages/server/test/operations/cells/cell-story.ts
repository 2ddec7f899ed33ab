/** What tests of `sanad account move` share: a cell without a service, an account with rows in every table, and how the command is held up. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import pg from 'pg'
import { readConfig } from '../../../src/config.ts'
import type { AccountId } from '../../../src/core/ids.ts'
import { openKeyRing } from '../../../src/key-ring.ts'
import { type Db, openDatabase } from '../../../src/postgres/connection/database.ts'
import { movedTables } from '../../../src/postgres/tenancy/moved-tables.ts'
import { fillEveryTable, giveToAccount } from '../../support/every-table.ts'
import { until } from '../../support/pure/until.ts'
import type { openTestService } from '../../support/story.ts'
import { freshDatabase, masterKey } from '../../support/test-databases.ts'

export const keyOf = (key: Uint8Array): Record<string, string> => ({
  SANAD_DATA_DIR: '/nonexistent',
  SANAD_MASTER_KEY: Buffer.from(key).toString('base64'),
})

export type EmptyCell = {
  readonly url: string
  readonly db: Db
  sql(text: string, values?: readonly unknown[]): Promise<readonly (readonly (string | null)[])[]>
}

export const openEmptyCell = async (key: Uint8Array = masterKey): Promise<EmptyCell> => {
  const database = await freshDatabase()
  const db = openDatabase({ url: database.url, connections: 3, application: 'test', onFault: () => {} })
  after(async () => {
    await db.close()
    await database.drop()
  })
  await openKeyRing(db, readConfig(keyOf(key)), 0)
  return { url: database.url, db, sql: async (text, values = []) => db.run({ text, values: [...values] }) }
}

/** The setting that names a cell `b`. */
export const cellB = (url: string): Record<string, string> => ({
  SANAD_CELLS: JSON.stringify({ b: { url: 'https://b.example', database_url: url } }),
})

/** Gives one account rows in every table, and nothing that keeps it from being moved. Returns its id. */
export const accountInEveryTable = async (
  service: Pick<Awaited<ReturnType<typeof openTestService>>, 'sql' | 'databaseUrl' | 'masterKey' | 'clock'>,
): Promise<AccountId> => {
  const { sql, databaseUrl } = service
  await fillEveryTable(databaseUrl, service.masterKey, service.clock.now())
  const [[accountId]] = (await sql(`select id::text from accounts where status = 'SUSPENDED'`)) as [[AccountId]]
  await giveToAccount(databaseUrl, accountId)
  await sql('delete from account_moves')
  await sql('delete from account_freezes')
  await sql('update deliveries set lease_id = null, lease_until = null')
  return accountId
}

type Sql = EmptyCell['sql']

/** Compares every row and column of the tables that are moved. Returns how many rows of each there are. */
export const assertSameRows = async (db: Db, a: { sql: Sql }, b: { sql: Sql }, accountId: AccountId) => {
  const counts = new Map<string, number>()
  for (const { name, rows, columns } of await movedTables(db)) {
    const row = `row(${columns.map((column) => `"${column}"`).join(', ')})::text`
    const rowsOf = (cell: { sql: Sql }) =>
      cell.sql(`select ${row} as t from "${name}" where ${rows} order by 1`, [accountId])
    const here = await rowsOf(a)
    const there = (await rowsOf(b)).filter(([text]) => !(name === 'audit_log' && text!.includes('account.arrive')))
    assert.deepEqual(there, here, name)
    counts.set(name, here.length)
  }
  return counts
}

/** Locks what a command needs, in a session of its own. */
export const holdUp = async (url: string, lock: string) => {
  const [holder, looker] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
  await Promise.all([holder.connect(), looker.connect()])
  await holder.query('begin')
  await holder.query(lock)
  const { rows } = await holder.query('select pg_backend_pid() as pid')
  const waiting = 'select from pg_stat_activity p where $1 = any(pg_blocking_pids(p.pid))'
  let isReleased = false
  return {
    /** `ended`: the command ends without waiting. */
    isWaitedFor: (ended: () => string | undefined) =>
      until(`somebody waits for: ${lock}`, async () => {
        const early = ended()
        if (early !== undefined) throw new Error(`the command ended before it waited for ${lock}: ${early}`)
        return (await looker.query(waiting, [rows[0].pid])).rowCount !== 0
      }),
    /** Ends all connections of the command to this database. */
    cut: () =>
      looker.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name in ('sanad', 'sanad account move')`,
      ),
    release: async (): Promise<void> => {
      if (isReleased) return
      isReleased = true
      await holder.query('rollback')
      await Promise.all([holder.end(), looker.end()])
    },
  }
}
