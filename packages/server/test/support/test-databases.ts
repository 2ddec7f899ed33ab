/** Databases for tests: one template, migrated once a run; a copy of it for each file. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../src/postgres/maintenance/migrate.ts'

const migrations = join(import.meta.dirname, '../../../../migrations')
const template = 'sanad_template'

/** The same server, another database: the part between the host and the question mark. */
const withDatabase = (url: string, database: string): string =>
  url.replace(/^(postgres(?:ql)?:\/\/[^/]*)\/[^?]*/, `$1/${database}`)

const command = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

export const prepareTemplate = async (url: string): Promise<void> => {
  await command(url, `create database ${template}`)
  await migrate(withDatabase(url, template), migrations)
}

export const dropTemplate = (url: string): Promise<void> => command(url, `drop database if exists ${template}`)

export type TestDatabase = { readonly url: string; drop(): Promise<void> }

/** A migrated database for one test file. */
export const freshDatabase = async (): Promise<TestDatabase> => {
  const server = process.env.SANAD_TEST_PG
  if (server === undefined) throw new Error('Run the tests by `npm test`, or one file by `npm test -- path/to/it`.')
  const name = `test_${randomBytes(6).toString('hex')}`
  // Two copies at once of one template wait for each other a moment; PostgreSQL refuses instead of waiting.
  for (let tries = 0; ; tries++) {
    try {
      await command(server, `create database ${name} template ${template}`)
      break
    } catch (fault) {
      if ((fault as { code?: string }).code !== '55006' || tries > 200) throw fault
      await new Promise((done) => setTimeout(done, 20))
    }
  }
  return {
    url: withDatabase(server, name),
    drop: () => command(server, `drop database if exists ${name} with (force)`),
  }
}

/** A database without tables. */
export const emptyDatabase = async (): Promise<TestDatabase> => {
  const server = process.env.SANAD_TEST_PG
  if (server === undefined) throw new Error('Run the tests by `npm test`, or one file by `npm test -- path/to/it`.')
  const name = `test_${randomBytes(6).toString('hex')}`
  await command(server, `create database ${name}`)
  return {
    url: withDatabase(server, name),
    drop: () => command(server, `drop database if exists ${name} with (force)`),
  }
}
