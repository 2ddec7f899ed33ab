/**
 * Databases for tests. Two template databases are made once per run, and each service gets a copy of one of them. The first
 * is only migrated. The second also contains the demo merchant, because creating that takes longer than copying it.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { createDemo, type Demo } from '../../src/commands/shop/demo.ts'
import type { Instant } from '../../src/core/clock.ts'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { migrate } from '../../src/postgres/maintenance/migrate.ts'
import { quickHash } from './quick-hash.ts'

const migrations = join(import.meta.dirname, '../../../../migrations')
const template = 'sanad_template'
const demoTemplate = 'sanad_template_demo'

/** The time at which every test starts: a Friday, shortly after six in the morning in Aden. */
export const morning: Instant = Date.parse('2026-01-02T03:04:05.678Z')

/** Any 32 bytes; but the service refuses a key that repeats one byte. */
export const masterKey: Uint8Array = new Uint8Array(32).fill(7).with(0, 1)

/** The URL of another database of the same server: replaces the part between the host and the question mark. */
const withDatabase = (url: string, database: string): string =>
  url.replace(/^(postgres(?:ql)?:\/\/[^/]*)\/[^?]*/, `$1/${database}`)

const command = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** Returns the demo of the second template. run.ts passes it to the test processes in SANAD_TEST_DEMO. */
export const prepareTemplates = async (url: string): Promise<Demo> => {
  await command(url, `create database ${template}`)
  await migrate(withDatabase(url, template), migrations)
  await command(url, `create database ${demoTemplate} template ${template}`)
  const to = withDatabase(url, demoTemplate)
  const db = openDatabase({ url: to, connections: 1, application: 'test', onFault: () => {} })
  try {
    // One millisecond before the tests start: ids of the same millisecond are ordered only within one process.
    const demo = await createDemo(db, masterKey, 'http://127.0.0.1', morning - 1)
    const { email, password } = demo.dashboard
    const hashed = await quickHash(password)
    await db.run({ text: 'update users set password_hash = $1 where email = $2', values: [hashed, email] })
    return demo
  } finally {
    await db.close()
  }
}

export const dropTemplates = async (url: string): Promise<void> => {
  for (const name of [demoTemplate, template]) await command(url, `drop database if exists ${name}`)
}

export type TestDatabase = { readonly name: string; readonly url: string; drop(): Promise<void> }

const testServer = (): string => {
  const server = process.env.SANAD_TEST_PG
  if (server === undefined) throw new Error('Run the tests by `npm test`, or one file by `npm test -- path/to/it`.')
  return server
}

/** Copies files: that takes a third of the time of PostgreSQL's default, which writes every page to the WAL. */
const newCopy = async (source: string): Promise<TestDatabase> => {
  const server = testServer()
  const name = `test_${randomBytes(6).toString('hex')}`
  // PostgreSQL refuses to copy a database while a client is connected to it, such as one that is just leaving: try again.
  for (let tries = 0; ; tries++) {
    try {
      await command(server, `create database ${name} template ${source} strategy file_copy`)
      break
    } catch (fault) {
      if ((fault as { code?: string }).code !== '55006' || tries > 200) throw fault
      await new Promise((done) => setTimeout(done, 20))
    }
  }
  // The tests move the clock of the service; the database's clock must not hold it back.
  await command(server, `alter database ${name} set sanad.test_clock = 'moved'`)
  return {
    name,
    url: withDatabase(server, name),
    drop: () => command(server, `drop database if exists ${name} with (force)`),
  }
}

/** From now on ends of intents follow the database's own clock too, as they do outside of tests. For new connections. */
export const useDatabaseClock = ({ name }: TestDatabase): Promise<void> =>
  command(testServer(), `alter database ${name} reset sanad.test_clock`)

/** A migrated database. */
export const freshDatabase = (): Promise<TestDatabase> => newCopy(template)

/** A database without tables. */
export const emptyDatabase = (): Promise<TestDatabase> => newCopy('template1')

/** A copy of a test's database. No client may be connected to the original. */
export const copyOf = (database: TestDatabase): Promise<TestDatabase> => newCopy(database.name)

/** A database with the demo merchant, and its secrets. */
export const demoDatabase = async (): Promise<{ readonly database: TestDatabase; readonly demo: Demo }> => {
  const database = await newCopy(demoTemplate)
  return { database, demo: JSON.parse(process.env.SANAD_TEST_DEMO!) as Demo }
}
