/**
 * Watches the connections of a pool: every wait for PostgreSQL ends, also when the network drops packets, when PostgreSQL
 * hangs, or when its host has vanished.
 *
 * Every `tick_ms` it looks for connections on which an answer is awaited and nothing has arrived for `silent_ms`. It then asks
 * PostgreSQL over a fresh connection what they do (silent-connections.ts). Dead ones are closed, with all idle ones of the pool:
 * the same has mostly happened to all, and an idle one is opened again in milliseconds. PostgreSQL is asked to end their sessions
 * too: it has not noticed, and would keep the locks of a transaction. If PostgreSQL does not answer the fresh connection either,
 * and nothing arrives on any other, it is unavailable: waiting statements fail, and new ones fail at once, until a fresh
 * connection is answered again. A statement that is silent for longer than `statement_ms`, and a transaction that lasts longer
 * than `transaction_ms`, is ended in any case.
 *
 * For each statement only its sending and its answer are noted here. Whether bytes have arrived is read from the socket's own
 * counter.
 */
import type { Socket } from 'node:net'
import type pg from 'pg'
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

/** A connection in use: whether an answer is awaited on it. */
export type HeldConnection = {
  sent(): void
  answered(): void
}

type Watched = HeldConnection & {
  readonly client: pg.Client
  /** Undefined: idle in the pool. */
  heldSince: number | undefined
  /** How many statements were sent and not answered, and since when there are any. */
  waiting: number
  waitingSince: number
  bytes: number
  heardAt: number
  /** When PostgreSQL was last asked about it. */
  checkedAt: number
  /** Since when it is being closed. */
  leavingSince: number | undefined
}

export type ConnectionWatch = {
  opened(client: pg.Client): void
  /** It is in use, and an answer is awaited until it is released, unless `held` is called. */
  acquired(client: pg.Client): void
  /** From now on each statement is noted separately. */
  held(client: pg.Client): HeldConnection
  released(client: pg.Client, isKept: boolean): void
  /** Closes idle connections: their server refuses writes. */
  closeIdle(why: DatabaseUnavailable): void
  /** No more connections will be opened; open ones are watched until they are closed. */
  end(): void
}

const whatTheyDo = `
  select pg_backend_pid(), pid, state, coalesce(wait_event, ''),
         (extract(epoch from clock_timestamp() - state_change) * 1000)::bigint
    from pg_stat_activity where pid = any($1::int[]) or pid = pg_backend_pid()`

/** Only our own sessions: a process id may have been reused meanwhile. */
const endThem = `
  select count(pg_terminate_backend(pid)) from pg_stat_activity
   where pid = any($1::int[]) and application_name = $2 and usename = current_user`

export const watchConnections = (options: {
  readonly connector: Connector
  readonly application: string
  readonly limits: WatchLimits
  /** Reports closed connections, and that PostgreSQL is unavailable. */
  readonly onFault: (fault: Error) => void
}): ConnectionWatch => {
  const { connector, limits, onFault } = options
  const all = new Map<pg.Client, Watched>()
  let timer: NodeJS.Timeout | undefined
  let lastTick = 0
  let skipped = false
  let lastHeard = 0
  let asking = false
  let away = false
  let ended = false

  const bytesOf = ({ client }: Watched): number => (client.connection.stream as Socket).bytesRead ?? 0

  const listen = (one: Watched, now: number): void => {
    const bytes = bytesOf(one)
    if (bytes === one.bytes) return
    one.bytes = bytes
    one.heardAt = now
    lastHeard = now
  }

  const silentFor_ms = (one: Watched, now: number): number =>
    one.waiting === 0 ? 0 : now - Math.max(one.waitingSince, one.heardAt)

  const close = (ones: readonly Watched[], why: DatabaseUnavailable): void => {
    for (const { client } of ones) destroyConnection(client, why)
  }

  const idle = (): Watched[] => [...all.values()].filter((one) => one.heldSince === undefined)

  const tick = (): void => {
    const now = performance.now()
    const stalled = now - lastTick > 2 * limits.tick_ms + 100
    lastTick = now
    // This process itself was blocked: answers may be unread. They are read before the next tick, however late that is.
    skipped = stalled && !skipped
    if (skipped) return
    const suspects: Watched[] = []
    for (const one of all.values()) {
      listen(one, now)
      if (one.leavingSince !== undefined && now - one.leavingSince > limits.closing_ms) destroyConnection(one.client)
      const silent_ms = silentFor_ms(one, now)
      if (silent_ms > limits.statement_ms)
        close([one], new DatabaseUnavailable(`PostgreSQL did not answer a statement within ${limits.statement_ms} ms`))
      else if (one.heldSince !== undefined && now - one.heldSince > limits.transaction_ms)
        close([one], new DatabaseUnavailable(`a transaction took longer than ${limits.transaction_ms} ms`))
      else if (silent_ms >= limits.silent_ms && (away || now - one.checkedAt >= limits.silent_ms)) suspects.push(one)
    }
    if (suspects.length === 0 || asking) return
    if (away) {
      close(suspects, new DatabaseUnavailable('PostgreSQL does not answer'))
      return
    }
    asking = true
    for (const one of suspects) one.checkedAt = now
    look(suspects, now).finally(() => {
      asking = false
    })
  }

  const look = async (suspects: readonly Watched[], began: number): Promise<void> => {
    const known = suspects.map((one) => ({ one, heldSince: one.heldSince, bytes: one.bytes }))
    const report = await askServer(suspects).catch((fault: Error) => fault)
    // A connection on which bytes have arrived is alive; one that was released no longer matters.
    const still = known
      .filter(
        ({ one, heldSince, bytes }) => all.has(one.client) && one.heldSince === heldSince && bytesOf(one) === bytes,
      )
      .map(({ one }) => one)
    for (const one of all.values()) listen(one, performance.now())
    if (report instanceof Error) {
      if (lastHeard <= began && !isRefusal(report)) goAway(still, report)
      return
    }
    const dead = still.filter(({ client }) =>
      isDead({ pid: pidOf(client), address: shownAddress(connector.addressOf(client)) }, report),
    )
    if (dead.length === 0) return
    const why = new DatabaseUnavailable(
      `${dead.length} connections to PostgreSQL fell silent: closed, with what lay idle`,
    )
    const closed = [...dead, ...idle()]
    close(closed, why)
    onFault(why)
    if (report.knowsPids) await endSessions(sessionsOf(closed), report.address).catch(onFault)
  }

  /** The server's sessions of closed connections. */
  const sessionsOf = (ones: readonly Watched[]): { pid: number; address: string }[] =>
    ones.flatMap(({ client }) => {
      const pid = pidOf(client)
      return pid === null ? [] : [{ pid, address: shownAddress(connector.addressOf(client)) }]
    })

  const endSessions = async (
    sessions: readonly { readonly pid: number; readonly address: string }[],
    at: string,
  ): Promise<void> => {
    const pids = sessions.filter(({ address }) => address === at).map(({ pid }) => pid)
    if (pids.length === 0) return
    await withFresh((client) => client.query(endThem, [pids, options.application]))
  }

  const goAway = (silent: readonly Watched[], fault: Error): void => {
    const why = new DatabaseUnavailable(`PostgreSQL does not answer: ${fault.message}`, { cause: fault })
    if (ended) close(silent, why)
    if (away || ended) return
    away = true
    connector.forget()
    connector.refuse(why)
    const closed = [...silent, ...idle()]
    close(closed, why)
    onFault(why)
    comeBack(sessionsOf(closed))
  }

  const comeBack = (left: readonly { readonly pid: number; readonly address: string }[]): void => {
    askServer([]).then(
      (report) => {
        away = false
        connector.refuse(undefined)
        if (report.knowsPids) endSessions(left, report.address).catch(onFault)
      },
      () => {
        if (ended) return
        connector.forget()
        setTimeout(comeBack, limits.tick_ms, left).unref()
      },
    )
  }

  /** Over a fresh connection: an old one may be as dead as those it is asked about. */
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

  const askServer = (about: readonly Watched[]): Promise<SessionReport> =>
    withFresh(async (client) => {
      const pids = about.flatMap((one) => pidOf(one.client) ?? [])
      const { rows } = await client.query<string[]>({ text: whatTheyDo, values: [pids], rowMode: 'array' })
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
    if (!ended || all.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    opened(client) {
      const now = performance.now()
      const one: Watched = {
        client,
        heldSince: undefined,
        waiting: 0,
        waitingSince: now,
        bytes: 0,
        heardAt: now,
        checkedAt: Number.NEGATIVE_INFINITY,
        leavingSince: undefined,
        sent() {
          if (one.waiting++ === 0) one.waitingSince = performance.now()
        },
        answered() {
          one.waiting--
        },
      }
      one.bytes = bytesOf(one)
      lastHeard = now
      all.set(client, one)
      client.once('end', () => {
        all.delete(client)
        stopIfDone()
      })
      if (timer !== undefined) return
      lastTick = now
      timer = setInterval(tick, limits.tick_ms)
      timer.unref()
    },
    acquired(client) {
      const one = all.get(client)
      if (one === undefined) return
      one.heldSince = performance.now()
      one.waitingSince = one.heldSince
      one.waiting = 1
    },
    held(client) {
      const one = all.get(client)
      if (one === undefined) return unwatched
      one.waiting = 0
      return one
    },
    released(client, isKept) {
      const one = all.get(client)
      if (one === undefined) return
      one.heldSince = undefined
      one.waiting = 0
      if (!isKept || ended) one.leavingSince = performance.now()
    },
    closeIdle: (why) => close(idle(), why),
    end() {
      ended = true
      for (const one of idle()) one.leavingSince = performance.now()
      stopIfDone()
    },
  }
}

/**
 * A server that has no connection left, or refuses our password, does answer: silent connections keep their limits. A server
 * that shuts down or starts does not count.
 */
const isRefusal = (fault: Error): boolean => /^(?!57P0)(?=.*\d)[0-9A-Z]{5}$/.test(faultCode(fault) ?? '')

/** For a connection that ended as soon as it was opened. */
const unwatched: HeldConnection = { sent() {}, answered() {} }

const pidOf = (client: pg.Client): number | null => (client as unknown as { processID: number | null }).processID
