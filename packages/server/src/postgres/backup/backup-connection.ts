/**
 * The one connection on which a backup or a restore works, set so that values are written and read alike on every server
 * and nothing ends it half-way for taking long. Statements run on it as on any session.
 */
import type pg from 'pg'
import { connectorTo } from '../connection/connector.ts'
import type { Session } from '../connection/database.ts'
import { WireQuery } from '../query/wire-query.ts'

/** How long one statement may take that is not a copy of rows: the making of an index over a very large table. */
const answer_ms = 6 * 3_600_000

/** Set after connecting: options in the URL are the operator's. */
const settings: Readonly<Record<string, string>> = {
  search_path: 'public',
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  extra_float_digits: '3',
  bytea_output: 'hex',
  // Rows that a policy hides would be missing without a word.
  row_security: 'off',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  lock_timeout: '10s',
}

/** PostgreSQL's code for a lock that was waited for in vain. */
export const lockTimeout = '55P03'

export type BackupConnection = Session & {
  readonly client: pg.Client
  close(): Promise<void>
  /** Cuts the connection, whatever is under way on it: the server undoes what is not committed. */
  abandon(): void
}

export const connectForBackup = async (url: string, application: string): Promise<BackupConnection> => {
  const client = await connectorTo(url, 10_000).open({ application_name: application })
  // A connection that is cut between two statements says so by an event; the next statement fails.
  client.on('error', () => {})
  for (const [name, value] of Object.entries(settings)) await client.query(`set ${name} = '${value}'`)
  // So that the server notices a client that was killed while it makes an index. Not every system can.
  await client.query(`set client_connection_check_interval = '2s'`).catch(() => {})
  return {
    client,
    run: (query) =>
      new Promise((resolve, reject) => {
        const asked = new WireQuery(query, (fault) => (fault ? reject(fault) : resolve(asked.received)))
        client.query(Object.assign(asked, { query_timeout: answer_ms }))
      }),
    close: () => client.end().catch(() => {}),
    abandon: () => void client.connection.stream.destroy(),
  }
}

/** Text without parameters, and its rows as PostgreSQL wrote them. */
export const ask = (session: Session, sql: string) => session.run({ text: sql, values: [] })
