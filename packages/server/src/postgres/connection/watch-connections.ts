/**
 * Watches the connections of a pool: every wait for PostgreSQL ends, also when the network drops packets, when PostgreSQL hangs,
 * or when its host has vanished.
 *
 * While a connection is in use or is being closed, it looks every `tick_ms` for connections on which an answer is awaited and nothing
 * has arrived for `silent_ms`; while all are idle there is nothing to find, and no timer runs. Over a fresh
 * connection it asks PostgreSQL what they do (silent-connections.ts). Dead connections are closed, and with them all idle ones of
 * the pool: most likely these are dead too, and a new connection takes milliseconds. PostgreSQL is told to end their sessions
 * too, because it has not noticed and would keep the locks of a transaction. If PostgreSQL does not answer the fresh connection
 * either, and nothing arrives on any other, it is unavailable: waiting statements fail, and new ones fail at once, until a fresh
 * connection is answered again. A statement without an answer for `statement_ms`, and a transaction that lasts longer than
 * `transaction_ms`, is ended in any case.
 *
 * For each statement only the sending and the answer are counted here. The socket's own counter shows whether bytes have arrived.
 */
import type { Socket } from 'node:net'
import type pg from 'pg'
import { outsideCalls } from '../../core/tracing/call-context.ts'
import { type Connector, destroyConnection, shownAddress } from './connector.ts'
import { isDead, type SessionReport } from './silent-connections.ts'
import { DatabaseUnavailable, faultCode } from './unavailable.ts'

export type WatchLimits = {
  readonly tick_ms: number
  readonly silent_ms: number
  /** How long PostgreSQL may take to report what the silent connections do. */
  readonly ask_ms: number
  readonly statement_ms: number
  readonly transaction_ms: number
  /** How long a connection that we end may take to close. */
  readonly closing_ms: number
}

export const watchDefaults: WatchLimits = {
  tick_ms: 500,
  silent_ms: 2_000,
  ask_ms: 2_000,
  statement_ms: 35_000,
  transaction_ms: 90_000,
  closing_ms: 2_000,
}

/** Counts the statements on a connection in use: an answer is awaited while more were sent than answered. */
export type ConnectionInUse = {
  sent(): void
  answered(): void
}

type WatchedConnection = ConnectionInUse & {
  readonly client: pg.Client
  /** Undefined: idle in the pool. */
  inUseSince: number | undefined
  /** How many statements were sent and not answered, and since when there are any. */
  waiting: number
  waitingSince: number
  bytes: number
  /** When bytes last arrived. */
  heardAt: number
  /** When PostgreSQL was last asked about it. */
  checkedAt: number
  /** Since when it is being closed. */
  closingSince: number | undefined
}

export type ConnectionWatch = {
  opened(client: pg.Client): void
  /** The connection is in use, and an answer is awaited until it is released, unless `inUse` is called. */
  acquired(client: pg.Client): void
  /** From now on each statement is counted separately. */
  inUse(client: pg.Client): ConnectionInUse
  released(client: pg.Client, isReused: boolean): void
  /** Closes idle connections: their server refuses writes. */
  closeIdle(why: DatabaseUnavailable): void
  /** No more connections will be opened; open ones are watched until they are closed. */
  end(): void
}

const sessionStates = `
  select pg_backend_pid(), pid, state, coalesce(wait_event, ''),
         (extract(epoch from clock_timestamp() - state_change) * 1000)::bigint
    from pg_stat_activity where pid = any($1::int[]) or pid = pg_backend_pid()`

/** Ends only sessions of this service: a process id may belong to another session now. */
const terminateSessions = `
  select count(pg_terminate_backend(pid)) from pg_stat_activity
   where pid = any($1::int[]) and application_name = $2 and usename = current_user`

/** The timer is no part of the request that happens to start it. */
const startTicking = outsideCalls((tick: () => void, every_ms: number, started: (timer: NodeJS.Timeout) => void) =>
  started(setInterval(tick, every_ms).unref()),
)

export const watchConnections = (options: {
  readonly connector: Connector
  readonly application: string
  readonly limits: WatchLimits
  /** Gets a message when connections were closed, and when PostgreSQL is unavailable. */
  readonly onFault: (fault: Error) => void
}): ConnectionWatch => {
  const { connector, limits, onFault } = options
  const watchedConnections = new Map<pg.Client, WatchedConnection>()
  let timer: NodeJS.Timeout | undefined
  let lastTick = 0
  let skipped = false
  let lastHeard = 0
  let checking = false
  let unavailable = false
  let ended = false

  const bytesOf = ({ client }: WatchedConnection): number => (client.connection.stream as Socket).bytesRead ?? 0

  const readBytes = (connection: WatchedConnection, now: number): void => {
    const bytes = bytesOf(connection)
    if (bytes === connection.bytes) return
    connection.bytes = bytes
    connection.heardAt = now
    lastHeard = now
  }

  const silentFor_ms = (connection: WatchedConnection, now: number): number =>
    connection.waiting === 0 ? 0 : now - Math.max(connection.waitingSince, connection.heardAt)

  const close = (connections: readonly WatchedConnection[], why: DatabaseUnavailable): void => {
    for (const { client } of connections) destroyConnection(client, why)
  }

  const idle = (): WatchedConnection[] =>
    [...watchedConnections.values()].filter((connection) => connection.inUseSince === undefined)

  const tick = (): void => {
    const now = performance.now()
    const stalled = now - lastTick > 2 * limits.tick_ms + 100
    lastTick = now
    // This process itself was blocked, so answers may be unread. They are read before the next tick, however late that is.
    skipped = stalled && !skipped
    if (skipped) return
    const suspects: WatchedConnection[] = []
    let isNeeded = checking
    for (const connection of watchedConnections.values()) {
      if (connection.inUseSince !== undefined || connection.closingSince !== undefined) isNeeded = true
      readBytes(connection, now)
      if (connection.closingSince !== undefined && now - connection.closingSince > limits.closing_ms)
        destroyConnection(connection.client)
      const silent_ms = silentFor_ms(connection, now)
      if (silent_ms > limits.statement_ms)
        close(
          [connection],
          new DatabaseUnavailable(`PostgreSQL did not answer a statement within ${limits.statement_ms} ms`),
        )
      else if (connection.inUseSince !== undefined && now - connection.inUseSince > limits.transaction_ms)
        close([connection], new DatabaseUnavailable(`a transaction took longer than ${limits.transaction_ms} ms`))
      else if (silent_ms >= limits.silent_ms && (unavailable || now - connection.checkedAt >= limits.silent_ms))
        suspects.push(connection)
    }
    if (!isNeeded) stopTicking()
    if (suspects.length === 0 || checking) return
    if (unavailable) {
      close(suspects, new DatabaseUnavailable('PostgreSQL does not answer'))
      return
    }
    checking = true
    for (const connection of suspects) connection.checkedAt = now
    checkSuspects(suspects, now).finally(() => {
      checking = false
    })
  }

  const keepTicking = (): void => {
    if (timer !== undefined) return
    lastTick = performance.now()
    skipped = false
    startTicking(tick, limits.tick_ms, (started) => {
      timer = started
    })
  }

  const stopTicking = (): void => {
    clearInterval(timer)
    timer = undefined
  }

  const checkSuspects = async (suspects: readonly WatchedConnection[], began: number): Promise<void> => {
    const known = suspects.map((connection) => ({
      connection,
      inUseSince: connection.inUseSince,
      bytes: connection.bytes,
    }))
    const report = await readSessions(suspects).catch((fault: Error) => fault)
    // A connection on which bytes have arrived is alive; a released one no longer matters.
    const stillSilent = known
      .filter(
        ({ connection, inUseSince, bytes }) =>
          watchedConnections.has(connection.client) &&
          connection.inUseSince === inUseSince &&
          bytesOf(connection) === bytes,
      )
      .map(({ connection }) => connection)
    for (const connection of watchedConnections.values()) readBytes(connection, performance.now())
    if (report instanceof Error) {
      if (lastHeard <= began && !isServerAnswer(report)) markUnavailable(stillSilent, report)
      return
    }
    const dead = stillSilent.filter(({ client }) =>
      isDead({ pid: pidOf(client), address: shownAddress(connector.addressOf(client)) }, report),
    )
    if (dead.length === 0) return
    const why = new DatabaseUnavailable(
      `${dead.length} connections to PostgreSQL fell silent: closed, with the idle ones`,
    )
    const closed = [...dead, ...idle()]
    close(closed, why)
    onFault(why)
    if (report.knowsPids) await endSessions(sessionsOf(closed), report.address).catch(onFault)
  }

  /** The server's sessions of closed connections. */
  const sessionsOf = (connections: readonly WatchedConnection[]): { pid: number; address: string }[] =>
    connections.flatMap(({ client }) => {
      const pid = pidOf(client)
      return pid === null ? [] : [{ pid, address: shownAddress(connector.addressOf(client)) }]
    })

  const endSessions = async (
    sessions: readonly { readonly pid: number; readonly address: string }[],
    server: string,
  ): Promise<void> => {
    const pids = sessions.filter(({ address }) => address === server).map(({ pid }) => pid)
    if (pids.length === 0) return
    await withFresh((client) => client.query(terminateSessions, [pids, options.application]))
  }

  const markUnavailable = (silent: readonly WatchedConnection[], fault: Error): void => {
    const why = new DatabaseUnavailable(`PostgreSQL does not answer: ${fault.message}`, { cause: fault })
    if (ended) close(silent, why)
    if (unavailable || ended) return
    unavailable = true
    connector.forget()
    connector.refuse(why)
    const closed = [...silent, ...idle()]
    close(closed, why)
    onFault(why)
    waitUntilAvailable(sessionsOf(closed))
  }

  const waitUntilAvailable = (sessions: readonly { readonly pid: number; readonly address: string }[]): void => {
    readSessions([]).then(
      (report) => {
        unavailable = false
        connector.refuse(undefined)
        if (report.knowsPids) endSessions(sessions, report.address).catch(onFault)
      },
      () => {
        if (ended) return
        connector.forget()
        setTimeout(waitUntilAvailable, limits.tick_ms, sessions).unref()
      },
    )
  }

  /** Works on a fresh connection: an open one may be as dead as the suspects. */
  const withFresh = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = await connector.open({
      application_name: `${options.application} watch`,
      query_timeout: limits.ask_ms,
      statement_timeout: limits.ask_ms,
    })
    try {
      return await work(client)
    } finally {
      void client.end().catch(() => {})
      setTimeout(() => destroyConnection(client), limits.closing_ms).unref()
    }
  }

  const readSessions = (connections: readonly WatchedConnection[]): Promise<SessionReport> =>
    withFresh(async (client) => {
      const pids = connections.flatMap((connection) => pidOf(connection.client) ?? [])
      const { rows } = await client.query<string[]>({ text: sessionStates, values: [pids], rowMode: 'array' })
      const states = rows.map(
        ([, pid, state, waitsFor, since]) =>
          [Number(pid), { state: state ?? '', waitsFor: waitsFor ?? '', since_ms: Number(since) }] as const,
      )
      return {
        address: shownAddress(connector.addressOf(client)),
        knowsPids: rows.some(([own]) => Number(own) === pidOf(client)),
        states: new Map(states),
      }
    })

  const stopIfDone = (): void => {
    if (ended && watchedConnections.size === 0) stopTicking()
  }

  return {
    opened(client) {
      const now = performance.now()
      const connection: WatchedConnection = {
        client,
        inUseSince: undefined,
        waiting: 0,
        waitingSince: now,
        bytes: 0,
        heardAt: now,
        checkedAt: Number.NEGATIVE_INFINITY,
        closingSince: undefined,
        sent() {
          if (connection.waiting++ === 0) connection.waitingSince = performance.now()
        },
        answered() {
          connection.waiting--
        },
      }
      connection.bytes = bytesOf(connection)
      lastHeard = now
      watchedConnections.set(client, connection)
      client.once('end', () => {
        watchedConnections.delete(client)
        stopIfDone()
      })
    },
    acquired(client) {
      const connection = watchedConnections.get(client)
      if (connection === undefined) return
      connection.inUseSince = performance.now()
      connection.waitingSince = connection.inUseSince
      connection.waiting = 1
      keepTicking()
    },
    inUse(client) {
      const connection = watchedConnections.get(client)
      if (connection === undefined) return unwatched
      connection.waiting = 0
      return connection
    },
    released(client, isReused) {
      const connection = watchedConnections.get(client)
      if (connection === undefined) return
      connection.inUseSince = undefined
      connection.waiting = 0
      if (isReused && !ended) return
      connection.closingSince = performance.now()
      keepTicking()
    },
    closeIdle: (why) => close(idle(), why),
    end() {
      ended = true
      for (const connection of idle()) connection.closingSince = performance.now()
      if (watchedConnections.size > 0) keepTicking()
      stopIfDone()
    },
  }
}

/**
 * A server that has no connection left, or refuses our password, does answer: it counts as available. A server that shuts down or
 * starts does not.
 */
const isServerAnswer = (fault: Error): boolean => /^(?!57P0)(?=.*\d)[0-9A-Z]{5}$/.test(faultCode(fault) ?? '')

/** Used for a connection that ended as soon as it was opened. */
const unwatched: ConnectionInUse = { sent() {}, answered() {} }

const pidOf = (client: pg.Client): number | null => (client as unknown as { processID: number | null }).processID
