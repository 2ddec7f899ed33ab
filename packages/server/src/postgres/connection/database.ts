/**
 * The connection pool and its transactions. `Db` can begin a transaction; `Tx` is a transaction that has begun. The first
 * parameter of a statement is one of them. A verb gets the `Tx` of its caller; the architecture test lists the verbs that begin
 * a transaction themselves. No network call happens inside a transaction.
 */
import pg from 'pg'
import { connectMost_ms, connectorTo, destroyConnection } from './connector.ts'
import { pipelined } from './pipelined.ts'
import { DatabaseUnavailable, faultCode, isReadOnly, unavailableOr } from './unavailable.ts'
import { type WatchLimits, watchConnections, watchDefaults } from './watch-connections.ts'
import { type RawQuery, type RawRow, WireQuery } from './wire-query.ts'

export { faultCode } from './unavailable.ts'
export type { RawQuery, RawRow } from './wire-query.ts'

/** Runs statements: a pool, a transaction or a single connection. */
export type Session = { run(query: RawQuery): Promise<RawRow[]> }

/**
 * Statements that are run without awaiting each other are sent together, in one round trip. They run in their order, each sees
 * the changes of the earlier ones, and after one has failed the later ones do nothing.
 */
export type Tx = Session & {
  /** Runs a statement after the work, in one round trip with the commit. If it fails, the transaction fails. */
  atEnd(query: RawQuery): void
  /** Runs the work in a savepoint: if it fails, it is undone and the transaction goes on. Nothing else may run meanwhile. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

export type PoolUse = { readonly most: number; readonly open: number; readonly idle: number; readonly waiting: number }

export type Db = Session & {
  /**
   * `locks`: advisory locks that are taken at the beginning, in this order, before the first statement takes its snapshot, and in
   * the same round trip.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, locks?: readonly bigint[]): Promise<T>
  /**
   * A session for short statements, each sent before the previous one is answered: they follow each other on one connection,
   * each in its own transaction (pipelined.ts). No statement is sent behind one that has taken `slow_ms`, by default 5.
   */
  pipelined(slow_ms?: number): Session
  /** Waits for the statements under way, then closes every connection. */
  close(): Promise<void>
}

/** A pool of connections of this process. */
export type Pool = Db & {
  /** How the connections are used at this moment. `waiting`: requests for a connection that wait for one. */
  connections(): PoolUse
}

export type DatabaseOptions = {
  readonly url: string
  readonly connections: number
  readonly application: string
  /** A statement that waits longer for a lock fails (55P03), so that no request hangs behind another. */
  readonly lock_timeout_ms?: number
  readonly statement_timeout_ms?: number
  /**
   * Plans a named statement once for each connection, and uses indexes even if the tables are still small. For statements whose
   * plan does not depend on their values: planning the insert of an intent costs more than the insert.
   */
  readonly planOnce?: boolean
  /** A commit does not wait for the disk. For work that is repeated if a crash of PostgreSQL loses the last commits. */
  readonly flushLater?: boolean
  /** The server must be a replica. A transaction there reads one snapshot and writes nothing. */
  readonly replica?: boolean
  /** How long a connection and an answer may take; left out: the default limits. */
  readonly limits?: Partial<WatchLimits> & { readonly connect_ms?: number; readonly wait_ms?: number }
  readonly onFault: (fault: Error) => void
}

// A cached plan must stay good while an empty table grows to a million rows. So it never scans a whole table; and if there is an
// `order by` (see onlyRow in statement.ts), it uses the index with that order instead of sorting the few rows of today. And it keeps no page
// in memory to compare it with all rows of an account: most accounts have few, and a large one has a million.
const planOnceSettings = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_sort=off',
  'enable_material=off',
]
// JIT compilation makes none of our statements faster; before version 18 the settings above would make a plan look costly enough
// for it. Keepalive: PostgreSQL notices within a minute that a node has vanished, and frees its connection.
const commonSettings = [
  // As values are read (query/columns.ts), whatever the server or its role has set.
  'timezone=UTC',
  'datestyle=ISO',
  'bytea_output=hex',
  'search_path=public',
  'jit=off',
  'tcp_keepalives_idle=30',
  'tcp_keepalives_interval=10',
  'tcp_keepalives_count=3',
]

/** The settings of a connection, in the form of PGOPTIONS. */
export const sessionSettings = (planOnce: boolean, flushLater = false, readOnly = false): string =>
  [
    ...commonSettings,
    ...(planOnce ? planOnceSettings : []),
    ...(flushLater ? ['synchronous_commit=off'] : []),
    ...(readOnly ? ['default_transaction_read_only=on'] : []),
  ]
    .map((setting) => `-c ${setting}`)
    .join(' ')

/** Values stay the text that PostgreSQL sent: each statement knows its columns and reads them itself. */
const runOn = (client: pg.PoolClient, query: RawQuery): Promise<RawRow[]> =>
  new Promise((resolve, reject) => {
    const wireQuery = new WireQuery(query, (fault) => (fault ? reject(fault) : resolve(wireQuery.received)))
    client.query(wireQuery)
  })

/** Sends all messages of `send` in one write. */
const inOneWrite = <T>(client: pg.PoolClient, send: () => T): T => {
  const { stream } = (client as unknown as pg.Client).connection
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

/** The lock keys are numbers, so they may be part of the text: parameters would cost a second round trip. */
const beginText = (locks: readonly bigint[], replica: boolean): string =>
  locks.length === 0
    ? replica
      ? 'begin isolation level repeatable read, read only'
      : 'begin'
    : `begin; select count(pg_advisory_xact_lock(key)) from unnest('{${locks.join(',')}}'::bigint[]) as k (key)`

/** The code of every statement after a failed one. */
const transactionAborted = '25P02'

type Ended = PromiseSettledResult<unknown>

/** The fault that aborted the transaction: the last one that is not 25P02, the code of the statements after it. */
const abortCause = (ended: readonly Ended[]): unknown =>
  ended
    .flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    .findLast((fault) => faultCode(fault) !== transactionAborted)

/** The statement failed before PostgreSQL answered it: the driver refused it, or the connection was lost. */
const wasNotSent = (one: Ended): boolean => one.status === 'rejected' && !(one.reason instanceof pg.DatabaseError)

/** How long a request waits for a connection. */
const waitMost_ms = 10_000

/**
 * The function in PostgreSQL that warns when the server stops waiting for its synchronous replica. The server then reports the
 * commit as done, but a failover would lose the commit, so its outcome counts as unknown. (PostgreSQL translates the text of the
 * warning, but not this name.)
 */
const unreplicatedCommit = 'SyncRepWaitForLSN'

const failUnreplicatedCommits = (client: pg.Client): void => {
  client.on('notice', ({ routine }) => {
    if (routine !== unreplicatedCommit) return
    const why = new DatabaseUnavailable('PostgreSQL committed without its synchronous replica')
    // Emitted before the driver reads the answer to the commit, which is in the same packet.
    client.connection.emit('error', why)
    destroyConnection(client, why)
  })
}

export const openDatabase = (options: DatabaseOptions): Pool => {
  const { connect_ms = connectMost_ms, wait_ms = waitMost_ms, ...watchLimits } = options.limits ?? {}
  const statement_timeout = options.statement_timeout_ms ?? 30_000
  // PostgreSQL ends a slow statement itself. This longer limit is for a server that no longer answers.
  const statement_ms = statement_timeout + 5_000
  const transaction_ms = Math.max(watchDefaults.transaction_ms, 2 * statement_ms)
  const replica = options.replica ?? false
  const connector = connectorTo(options.url, connect_ms, replica ? 'replica' : 'primary')
  const watch = watchConnections({
    connector,
    application: options.application,
    limits: { ...watchDefaults, statement_ms, transaction_ms, ...watchLimits },
    onFault: options.onFault,
  })
  const pool = new pg.Pool({
    Client: connector.Client,
    max: options.connections,
    application_name: options.application,
    // For waiting and connecting together; connecting alone has a shorter limit.
    connectionTimeoutMillis: wait_ms,
    // Connections stay open: their statements are planned, and a timer at every release would cost time.
    idleTimeoutMillis: 0,
    // For transactions and pipelined sessions; otherwise a connection runs one statement at a time.
    pipeline: true,
    lock_timeout: options.lock_timeout_ms ?? 5_000,
    statement_timeout,
    // The locks of a node that vanished inside a transaction end after this time.
    idle_in_transaction_session_timeout: 10_000,
    options: sessionSettings(options.planOnce ?? false, options.flushLater ?? false, replica),
  })
  // The pool replaces an idle connection that breaks (PostgreSQL restarted); without a listener the error would end the process.
  pool.on('error', (fault: Error & { client?: unknown }) => {
    // The pool adds the whole connection, with the key that cancels its statements: it must not be logged.
    delete fault.client
    // The watch has reported the connections that it closed, in one message.
    if (!(fault instanceof DatabaseUnavailable)) options.onFault(fault)
  })
  pool.on('connect', (client: pg.Client) => {
    failUnreplicatedCommits(client)
    watch.opened(client)
  })
  pool.on('acquire', watch.acquired)
  // The driver passes the fault first, although its types say otherwise.
  pool.on('release', ((fault: Error | undefined, client: pg.Client) => watch.released(client, !fault)) as never)

  /** Translates a fault. If the server refuses writes, all idle connections are closed. */
  const translateFault = (fault: unknown): unknown => {
    if (isReadOnly(fault)) {
      connector.forget()
      watch.closeIdle(new DatabaseUnavailable('PostgreSQL refuses writes: it has become a replica'))
    }
    return unavailableOr(fault)
  }

  return {
    run: async (query) => {
      const wireQuery = new WireQuery(query)
      try {
        // The promise resolves when the connection has been released. The types of `pg` do not say so for a query object.
        await (pool.query(wireQuery) as unknown as Promise<void>)
      } catch (fault) {
        throw translateFault(fault)
      }
      return wireQuery.received
    },
    async transaction(work, locks = []) {
      const client = await pool.connect().catch((fault) => {
        throw unavailableOr(fault)
      })
      const watched = watch.inUse(client)
      let broken: Error | undefined
      // A connection that breaks between two statements emits an error; without a listener it would end the process.
      const breaks = (fault: Error): void => {
        broken = fault
      }
      client.on('error', breaks)
      const sent: Promise<unknown>[] = []
      const send = <T>(answer: Promise<T>): Promise<T> => {
        watched.sent()
        // The caller gets the fault, and so does the end of the transaction, even if the caller did not await the answer.
        answer.then(watched.answered, watched.answered)
        sent.push(answer)
        return answer
      }
      const withCommit: RawQuery[] = []
      const attempt = async <T>(attempted: () => Promise<T>): Promise<T> => {
        const before = sent.length
        send(client.query('savepoint attempt'))
        try {
          const value = await attempted()
          await send(client.query('release savepoint attempt'))
          return value
        } catch (fault) {
          // The faults of these statements are handled here: the end of the transaction must not see them.
          await Promise.allSettled(sent.splice(before))
          await send(client.query('rollback to savepoint attempt'))
          throw fault
        }
      }
      const tx: Tx = {
        run: (query) => send(runOn(client, query)),
        atEnd: (query) => void withCommit.push(query),
        attempt,
      }
      try {
        const value = await inOneWrite(client, () => {
          send(client.query(beginText(locks, replica)))
          return work(tx)
        })
        const commit = inOneWrite(client, () => {
          for (const query of withCommit) send(runOn(client, query))
          return send(client.query('commit'))
        })
        const ended = await Promise.allSettled(sent)
        // A statement that failed and was undone by its caller (savepoints.ts) does not fail the transaction. If a statement
        // failed and was not undone, PostgreSQL commits nothing, and its answer to the commit says so.
        if ((await commit).command !== 'COMMIT' || ended.some(wasNotSent))
          throw abortCause(ended) ?? new Error('PostgreSQL did not commit a transaction, and gave no reason')
        return value
      } catch (fault) {
        const ended = await Promise.allSettled(sent)
        await send(client.query('rollback')).catch((cause: Error) => {
          broken = cause
        })
        const cause = faultCode(fault) === transactionAborted ? (abortCause(ended) ?? fault) : fault
        if (isReadOnly(cause)) broken = cause as Error
        throw translateFault(cause)
      } finally {
        client.off('error', breaks)
        client.release(broken)
      }
    },
    pipelined: (slow_ms = 5) =>
      pipelined({ connect: () => pool.connect(), inUse: watch.inUse, send: runOn, translateFault, slow_ms }),
    connections: () => ({
      most: options.connections,
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      watch.end()
      await pool.end()
    },
  }
}

/** The constraint or unique index that refused the row. */
export const faultConstraint = (fault: unknown): string | undefined =>
  fault instanceof Error && 'constraint' in fault && typeof fault.constraint === 'string' ? fault.constraint : undefined
