/**
 * The connection pool, and a transaction as a value you hold. `Db` begins a transaction, `Tx` is inside one; a statement
 * takes either, first and never optionally. Only verb files open a transaction, and no network call happens inside one.
 */
import pg from 'pg'
import { type RawQuery, type RawRow, WireQuery, withoutDescriptions } from '../query/wire-query.ts'
import { connectMost_ms, connectorTo, cutOff } from './connector.ts'
import { DatabaseUnavailable, faultCode, isReadOnly, unavailableOr } from './unavailable.ts'
import { type WatchLimits, watchConnections, watchDefaults } from './watch-connections.ts'

export type { RawQuery, RawRow } from '../query/wire-query.ts'
export { faultCode } from './unavailable.ts'

/** What a statement runs on. */
export type Session = { run(query: RawQuery): Promise<RawRow[]> }

/**
 * Statements that are run without waiting for each other go out together: one round trip. They are done in their order,
 * each sees what those before it wrote, and once one has failed those behind it do nothing.
 */
export type Tx = Session & {
  /** Run when the work is done, in one round trip with the commit. Its fault is the transaction's. */
  atEnd(query: RawQuery): void
  /** What fails in it is undone, and the transaction goes on. Nothing else may be run meanwhile. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

export type Db = Session & {
  /**
   * `locks`: advisory locks that are taken with the beginning, in this order, before the first statement looks at
   * anything; in one round trip with it.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, locks?: readonly bigint[]): Promise<T>
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
  /**
   * Plans a named statement once a connection and for good, by its indices however small the tables are now. For
   * statements whose way does not depend on their values: planning the insert of an intent costs more than the insert.
   */
  readonly planOnce?: boolean
  /** A commit does not wait for the disk: for what is done again when a crash of PostgreSQL takes the last of it back. */
  readonly flushLater?: boolean
  /** How long a connection may take to be made, and an answer to come; the usual ones unless told. */
  readonly limits?: Partial<WatchLimits> & { readonly connect_ms?: number; readonly wait_ms?: number }
  readonly onFault: (fault: Error) => void
}

// A plan that is kept must stay right while an empty table grows to a million rows: so never by reading a table whole, and
// where an order is asked for (see theOne in statement.ts) by the index that has it, not by sorting what is few today.
const plannedOnce = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_sort=off',
]
// Compiling a plan never pays for what we ask; before version 18 what is switched off above would look dear enough for it.
// And PostgreSQL notices within a minute that a node is gone without a word, and gives its place to another.
const always = [
  'timezone=UTC',
  'search_path=public',
  'jit=off',
  'tcp_keepalives_idle=30',
  'tcp_keepalives_interval=10',
  'tcp_keepalives_count=3',
]

/** What a connection is set to, in the form that libpq knows as PGOPTIONS. */
export const sessionSettings = (planOnce: boolean, flushLater = false): string =>
  [...always, ...(planOnce ? plannedOnce : []), ...(flushLater ? ['synchronous_commit=off'] : [])]
    .map((setting) => `-c ${setting}`)
    .join(' ')

/** Values stay the text that PostgreSQL sent: each statement knows its own columns and reads them itself. */
const runOn = (client: pg.PoolClient, query: RawQuery): Promise<RawRow[]> =>
  new Promise((resolve, reject) => {
    const asked = new WireQuery(query, (fault) => (fault ? reject(fault) : resolve(asked.received)))
    client.query(asked)
  })

/** What is sent meanwhile leaves as one piece. */
const inOneWrite = <T>(client: pg.PoolClient, sending: () => T): T => {
  const { stream } = (client as unknown as pg.Client).connection
  stream.cork()
  try {
    return sending()
  } finally {
    stream.uncork()
  }
}

/** The numbers are ours, so they stand in the text: parameters would make it a second round trip. */
export const beginning = (locks: readonly bigint[]): string =>
  locks.length === 0
    ? 'begin'
    : `begin; select count(pg_advisory_xact_lock(key)) from unnest('{${locks.join(',')}}'::bigint[]) as k (key)`

/** What every statement behind the one that failed says. */
const transactionIsOver = '25P02'

type Ended = PromiseSettledResult<unknown>

/** What failed, not what it did to those behind it. */
const causeIn = (ended: readonly Ended[]): unknown =>
  ended
    .flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    .findLast((fault) => faultCode(fault) !== transactionIsOver)

/** Refused by the driver: PostgreSQL knows nothing of it. */
const neverSent = (one: Ended): boolean => one.status === 'rejected' && !/^\w{5}$/.test(faultCode(one.reason) ?? '')

/** How long somebody waits in line for a connection. */
const waitMost_ms = 10_000

/**
 * PostgreSQL gave up waiting for its synchronous replica, says that it has committed, and warns that a failover would lose
 * it. That is no promise: the answer is dropped, and who asked does not know. (The name of its function is not translated.)
 */
const gaveUpReplication = 'SyncRepWaitForLSN'

const distrustUnreplicated = (client: pg.Client): void => {
  client.on('notice', ({ routine }) => {
    if (routine !== gaveUpReplication) return
    const why = new DatabaseUnavailable('PostgreSQL committed without its synchronous replica')
    // Before the driver reads that it was done, which is in the same packet.
    client.connection.emit('error', why)
    cutOff(client, why)
  })
}

export const openDatabase = (options: DatabaseOptions): Db => {
  const { connect_ms = connectMost_ms, wait_ms = waitMost_ms, ...given } = options.limits ?? {}
  const statement_timeout = options.statement_timeout_ms ?? 30_000
  // PostgreSQL ends a statement itself, if it can; ours is the limit when it cannot.
  const statement_ms = statement_timeout + 5_000
  const transaction_ms = Math.max(watchDefaults.transaction_ms, 2 * statement_ms)
  const connector = connectorTo(options.url, connect_ms)
  const watch = watchConnections({
    connector,
    application: options.application,
    limits: { ...watchDefaults, statement_ms, transaction_ms, ...given },
    onFault: options.onFault,
  })
  const pool = new pg.Pool({
    Client: connector.Client,
    max: options.connections,
    application_name: options.application,
    // For a place in line and a new connection together; the connection alone has a shorter limit of its own.
    connectionTimeoutMillis: wait_ms,
    // Kept open: a connection has its statements planned, and a timer at every return of one to the pool costs.
    idleTimeoutMillis: 0,
    // Only ever within a transaction: a connection belongs to one of them, or to one statement, at a time.
    pipeline: true,
    lock_timeout: options.lock_timeout_ms ?? 5_000,
    statement_timeout,
    // A node that vanished in the middle of a transaction holds its locks no longer than this.
    idle_in_transaction_session_timeout: 10_000,
    options: sessionSettings(options.planOnce ?? false, options.flushLater ?? false),
  })
  // An idle connection that breaks (PostgreSQL restarted) is replaced by the pool; without a listener it would end us.
  pool.on('error', (fault: Error & { client?: unknown }) => {
    // The pool hangs the whole connection on it, with the key to cancel its statements: nothing for a log.
    delete fault.client
    // Those that the watch closed it has told of, all at once.
    if (!(fault instanceof DatabaseUnavailable)) options.onFault(fault)
  })
  pool.on('connect', (client: pg.Client) => {
    distrustUnreplicated(client)
    withoutDescriptions(client)
    watch.opened(client)
  })
  pool.on('acquire', watch.acquired)
  // The driver names the fault first, whatever its types say.
  pool.on('release', ((fault: Error | undefined, client: pg.Client) => watch.released(client, !fault)) as never)

  /** What the fault means. A server that refuses writes is left, with every connection to it. */
  const understood = (fault: unknown): unknown => {
    if (isReadOnly(fault)) {
      connector.forget()
      watch.closeIdle(new DatabaseUnavailable('PostgreSQL refuses writes: it has become a replica'))
    }
    return unavailableOr(fault)
  }

  return {
    run: async (query) => {
      const asked = new WireQuery(query)
      try {
        // It answers when the connection has been given back, whatever its types say of a question made beforehand.
        await (pool.query(asked) as unknown as Promise<void>)
      } catch (fault) {
        throw understood(fault)
      }
      return asked.received
    },
    async transaction(work, locks = []) {
      const client = await pool.connect().catch((fault) => {
        throw unavailableOr(fault)
      })
      const held = watch.held(client)
      let broken: Error | undefined
      // A connection that breaks between two statements says so by an event; unheard, it would end the process.
      const breaks = (fault: Error): void => {
        broken = fault
      }
      client.on('error', breaks)
      const sent: Promise<unknown>[] = []
      const send = <T>(answer: Promise<T>): Promise<T> => {
        held.sent()
        // Whoever waits for it hears of its fault; so does the end, even if nobody waited.
        answer.then(held.answered, held.answered)
        sent.push(answer)
        return answer
      }
      const last: RawQuery[] = []
      const attempt = async <T>(tried: () => Promise<T>): Promise<T> => {
        const before = sent.length
        send(client.query('savepoint attempt'))
        try {
          const value = await tried()
          await send(client.query('release savepoint attempt'))
          return value
        } catch (fault) {
          // Their faults are answered for here: the end does not hear of them.
          await Promise.allSettled(sent.splice(before))
          await send(client.query('rollback to savepoint attempt'))
          throw fault
        }
      }
      const tx: Tx = {
        run: (query) => send(runOn(client, query)),
        atEnd: (query) => void last.push(query),
        attempt,
      }
      try {
        const value = await inOneWrite(client, () => {
          send(client.query(beginning(locks)))
          return work(tx)
        })
        const commit = inOneWrite(client, () => {
          for (const query of last) send(runOn(client, query))
          return send(client.query('commit'))
        })
        const ended = await Promise.allSettled(sent)
        // A statement that failed and was undone by who sent it (undoable.ts) is not the end of the rest. PostgreSQL
        // knows whether one was left: then it commits nothing, and says so.
        if ((await commit).command !== 'COMMIT' || ended.some(neverSent))
          throw causeIn(ended) ?? new Error('PostgreSQL did not commit a transaction, and named no cause')
        return value
      } catch (fault) {
        const ended = await Promise.allSettled(sent)
        await send(client.query('rollback')).catch((cause: Error) => {
          broken = cause
        })
        const cause = faultCode(fault) === transactionIsOver ? (causeIn(ended) ?? fault) : fault
        if (isReadOnly(cause)) broken = cause as Error
        throw understood(cause)
      } finally {
        client.off('error', breaks)
        client.release(broken)
      }
    },
    async close() {
      watch.end()
      await pool.end()
    },
  }
}

/** Which constraint or unique index refused the row. */
export const faultConstraint = (fault: unknown): string | undefined =>
  fault instanceof Error && 'constraint' in fault && typeof fault.constraint === 'string' ? fault.constraint : undefined
