/**
 * The connections to receivers. A connection serves one call at a time and is then kept for the next call to the same origin,
 * for a minute at most. It stays with the address that was checked when it was opened: a later change of DNS cannot redirect it,
 * and every new connection is checked again (connect-guarded.ts). call-receiver.ts makes the calls.
 */
import { type buildConnector, Client } from 'undici'
import { minute_ms } from '../../core/duration.ts'
import { type ConnectOptions, connectGuarded, type Stages, type Unconnected } from './connect-guarded.ts'
import { HEAD_BYTES } from './read-answer.ts'

/** A connection, open or opening. Undici reconnects a client by itself: each time through its guarded connector. */
export type Connection = {
  readonly client: Client
  readonly stop: AbortController
  readonly openedAt: number
  reused: boolean
  address: string | undefined
  /** The stages of the last connect, if the running call had to wait for it. */
  stages: Stages
}

export type ReceiverConnections = {
  /** A kept connection to the URL's origin, or a new one. */
  take(url: URL): Connection
  open(url: URL): Connection
  /** Keeps a connection for the next call, or closes it if enough are kept. */
  keep(url: URL, connection: Connection): void
  close(connection: Connection): void
  /** Closes the kept connections, and keeps none from now on. */
  closeAll(): void
}

export type ConnectionLimits = { readonly keptPerOrigin: number; readonly keptInAll: number }

const MOST_AGE_MS = minute_ms
export const NO_STAGES: Stages = { dns_ms: null, connect_ms: null }

/** The connector's error, passed through undici to the call. It has no error code of undici, which repeats such errors for
 *  ever. */
export class ConnectError extends Error {
  readonly failure: Unconnected
  constructor(failure: Unconnected) {
    super(failure.error)
    this.failure = failure
  }
}

export const receiverConnections = (
  options: Omit<ConnectOptions, 'signal'>,
  { keptPerOrigin, keptInAll }: ConnectionLimits,
): ReceiverConnections => {
  const kept = new Map<string, Connection[]>()
  let keptCount = 0
  let closed = false

  const open = (url: URL): Connection => {
    const stop = new AbortController()
    const connect: buildConnector.connector = ({ hostname, port, protocol }, answer) => {
      const secure = protocol === 'https:'
      const target = { hostname, port: Number(port || (secure ? 443 : 80)), secure }
      connectGuarded(target, { ...options, signal: stop.signal }).then(
        (result) => {
          connection.stages = { dns_ms: result.dns_ms, connect_ms: result.connect_ms }
          connection.address = result.address
          if (result.ok) answer(null, result.socket)
          else answer(new ConnectError(result), null)
        },
        (fault: Error) => answer(fault, null),
      )
    }
    const client = new Client(url.origin, {
      connect,
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: HEAD_BYTES,
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 30_000,
      // The caller has its own timers: undici's are coarse, and have no limit for the whole call.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection: Connection = {
      client,
      stop,
      openedAt: performance.now(),
      reused: false,
      address: undefined,
      stages: NO_STAGES,
    }
    client.on('disconnect', () => {
      if (removeKept(url.origin, connection)) close(connection)
    })
    return connection
  }

  const close = (connection: Connection): void => {
    connection.stop.abort()
    void connection.client.destroy()
  }

  /** Returns false if the connection was not a kept one. */
  const removeKept = (origin: string, connection: Connection): boolean => {
    const connections = kept.get(origin)
    const index = connections?.indexOf(connection) ?? -1
    if (connections === undefined || index < 0) return false
    connections.splice(index, 1)
    if (connections.length === 0) kept.delete(origin)
    keptCount -= 1
    return true
  }

  const newestKept = (origin: string): Connection | undefined => kept.get(origin)?.at(-1)

  return {
    open,
    close,
    take(url) {
      for (let found = newestKept(url.origin); found !== undefined; found = newestKept(url.origin)) {
        removeKept(url.origin, found)
        if (performance.now() - found.openedAt < MOST_AGE_MS) {
          found.reused = true
          found.stages = NO_STAGES
          return found
        }
        close(found)
      }
      return open(url)
    },
    keep(url, connection) {
      const connections = kept.get(url.origin) ?? []
      if (closed || connections.length >= keptPerOrigin || keptCount >= keptInAll) return close(connection)
      connections.push(connection)
      kept.set(url.origin, connections)
      keptCount += 1
    },
    closeAll() {
      closed = true
      for (const connection of [...kept.values()].flat()) close(connection)
      kept.clear()
      keptCount = 0
    },
  }
}
