/**
 * The connection pool, and a transaction as a value you hold. `Db` begins a transaction, `Tx` is inside one; a statement
 * takes either, first and never optionally. Only verb files open a transaction, and no network call happens inside one.
 */
import pg from 'pg'

export type RawQuery = { readonly name?: string; readonly text: string; readonly values: readonly unknown[] }
export type RawRow = readonly (string | null)[]

/** What a statement runs on. */
export type Session = { run(query: RawQuery): Promise<RawRow[]> }

export type Tx = Session & { readonly inTransaction: true }

export type Db = Session & {
  readonly inTransaction: false
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Waits for what is under way, then closes every connection. */
  close(): Promise<void>
}

export type DatabaseOptions = {
  readonly url: string
  readonly connections: number
  readonly application: string
  /** A lock that is waited for longer ends the statement (55P03), so that no request hangs behind another. */
  readonly lock_timeout_ms?: number
  readonly statement_timeout_ms?: number
  readonly onFault: (fault: Error) => void
}

// Values stay the text that PostgreSQL sent: each statement knows its own columns and reads them itself.
const asText = { getTypeParser: () => (value: string) => value }

const runOn = async (client: pg.Pool | pg.PoolClient, query: RawQuery): Promise<RawRow[]> => {
  const result = await client.query({
    ...(query.name === undefined ? {} : { name: query.name }),
    text: query.text,
    values: query.values as unknown[],
    rowMode: 'array',
    types: asText as unknown as pg.CustomTypesConfig,
  })
  return result.rows as RawRow[]
}

export const openDatabase = (options: DatabaseOptions): Db => {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    application_name: options.application,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    lock_timeout: options.lock_timeout_ms ?? 5_000,
    statement_timeout: options.statement_timeout_ms ?? 30_000,
    idle_in_transaction_session_timeout: 30_000,
    options: '-c timezone=UTC -c search_path=public',
  })
  // An idle connection that breaks (PostgreSQL restarted) is replaced by the pool; without a listener it would end us.
  pool.on('error', options.onFault)

  return {
    inTransaction: false,
    run: (query) => runOn(pool, query),
    async transaction(work) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query('begin')
        const value = await work({ inTransaction: true, run: (query) => runOn(client, query) })
        await client.query('commit')
        return value
      } catch (fault) {
        await client.query('rollback').catch((cause: Error) => {
          broken = cause
        })
        throw fault
      } finally {
        client.release(broken)
      }
    },
    close: () => pool.end(),
  }
}

/** PostgreSQL's own code of a fault, such as 23505; undefined when the fault is not PostgreSQL's. */
export const faultCode = (fault: unknown): string | undefined =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined

/** Which constraint or unique index refused the row. */
export const faultConstraint = (fault: unknown): string | undefined =>
  fault instanceof Error && 'constraint' in fault && typeof fault.constraint === 'string' ? fault.constraint : undefined
