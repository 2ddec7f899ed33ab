/**
 * The connection of a backup or a restore. Its settings make values look the same on every server, and the server sets no time
 * limit. Statements run on it as on any session.
 */
import type pg from 'pg'
import { hour_ms } from '../../core/duration.ts'
import { connectorTo } from '../connection/connector.ts'
import type { Session } from '../connection/database.ts'
import { WireQuery } from '../connection/wire-query.ts'

/** How long a statement other than a copy of rows may take, such as the creation of an index on a very large table. */
const answer_ms = 6 * hour_ms

/** Set after connecting, because the options in the URL belong to the operator. */
const settings: Readonly<Record<string, string>> = {
  search_path: 'public',
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  extra_float_digits: '3',
  bytea_output: 'hex',
  // With row security, rows that a policy hides would be missing without an error.
  row_security: 'off',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  lock_timeout: '10s',
}

/** PostgreSQL's code for a lock time-out. */
export const lockTimeout = '55P03'

export type BackupConnection = Session & {
  readonly client: pg.Client
  close(): Promise<void>
  /** Closes the connection at once: the server rolls back what is not committed. */
  abandon(): void
}

export const connectForBackup = async (url: string, application: string): Promise<BackupConnection> => {
  const client = await connectorTo(url, 10_000).open({ application_name: application })
  // A connection that breaks between two statements emits an error; the next statement fails.
  client.on('error', () => {})
  for (const [name, value] of Object.entries(settings)) await client.query(`set ${name} = '${value}'`)
  // With this the server notices a killed client while it creates an index. Not every system supports it.
  await client.query(`set client_connection_check_interval = '2s'`).catch(() => {})
  return {
    client,
    run: (query) =>
      new Promise((resolve, reject) => {
        const wireQuery = new WireQuery(query, (fault) => (fault ? reject(fault) : resolve(wireQuery.received)))
        client.query(Object.assign(wireQuery, { query_timeout: answer_ms }))
      }),
    close: () => client.end().catch(() => {}),
    abandon: () => void client.connection.stream.destroy(),
  }
}

/** Runs SQL text without parameters; the rows stay the text that PostgreSQL sent. */
export const runText = (session: Session, sql: string) => session.run({ text: sql, values: [] })
