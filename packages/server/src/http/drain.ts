/**
 * Ends a server without failing a request. A client that keeps its connection may send the next request at the very moment
 * at which the server closes it, and then gets a reset. So the server does not close connections first. While it drains, no
 * new connection is accepted, a request on an open connection is still answered, and every answer says `Connection: close`.
 * The server only closes a connection that stays idle until the deadline, with a FIN.
 *
 * Node's own `server.close()` closes idle connections at once and so has this race; it is not used here.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

export type Drain = {
  readonly draining: boolean
  /** Adds a listener at another address that passes its connections to the same server: it stops together with it. */
  join(listener: NetServer): void
  /** Stops accepting connections. Every answer that has not begun yet ends its connection. */
  begin(): void
  /** Resolves when every connection has ended. After `idle_ms`, connections without a request are closed. */
  done(idle_ms: number): Promise<void>
}

/** How long a client has to close its side after the server's FIN. */
const lingerMost_ms = 1_000
const checkEvery_ms = 50

type Connection = {
  /** Requests on this connection that are not answered yet. */
  open: number
  /** The answer to the newest of them. */
  newest: ServerResponse | undefined
  /** Bytes that had arrived when the last answer was finished. If there are more, a request has begun. */
  readBefore: number
  ended: boolean
}

/** A turn of the event loop that was shorter than this had nothing to do. */
const quietTurn_ms = 0.1
const quietWait_ms = 1_000

/**
 * Stops listening; open connections stay. Connections that the kernel has accepted and Node has not taken yet would be
 * reset, and their requests lost. Node takes connections once in a turn of its event loop. So listening ends right after a
 * very short turn in which no connection was taken. `taken`: the number of connections so far.
 */
const stopListening = async (listeners: readonly NetServer[], taken: () => number): Promise<void> => {
  const began = performance.now()
  let turnBegan = began
  let takenBefore = taken()
  for (;;) {
    await nextTurn()
    const now = performance.now()
    const isQuiet = taken() === takenBefore && now - turnBegan <= quietTurn_ms
    if (isQuiet || now - began > quietWait_ms) break
    turnBegan = now
    takenBefore = taken()
  }
  for (const listener of listeners) if (listener.listening) NetServer.prototype.close.call(listener)
}

type Exchange = readonly [request: IncomingMessage, response: ServerResponse]

/** `server` has its request handlers, and must not have connections yet. */
export const drainOf = (server: Server): Drain => {
  const listeners: NetServer[] = [server]
  const connections = new Map<Socket, Connection>()
  let draining = false
  let taken = 0
  let stopped: Promise<void> | undefined
  /**
   * Requests that came while listening ends. They are handled right after it: a busy server would have no quiet turn, and
   * each answer makes its client connect again.
   */
  let waiting: Exchange[] | undefined

  server.on('connection', (socket: Socket) => {
    taken++
    connections.set(socket, { open: 0, newest: undefined, readBefore: 0, ended: false })
    socket.once('close', () => connections.delete(socket))
  })
  const track = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    // With pipelined requests, only the last answer may end the connection.
    if (draining && connection.newest?.headersSent === false) connection.newest.removeHeader('connection')
    connection.open++
    connection.newest = response
    if (draining) response.setHeader('connection', 'close')
    response.once('close', () => {
      connection.open--
      connection.readBefore = socket.bytesRead
      if (connection.newest === response) connection.newest = undefined
    })
  }
  const handlers = server.listeners('request') as ((...exchange: Exchange) => void)[]
  server.removeAllListeners('request')
  const handle = (...exchange: Exchange): void => {
    for (const handler of handlers) handler.apply(server, exchange as [IncomingMessage, ServerResponse])
  }
  server.on('request', (...exchange: Exchange) => {
    track(...exchange)
    if (waiting === undefined) handle(...exchange)
    else waiting.push(exchange)
  })
  const endListening = async (): Promise<void> => {
    waiting = []
    await stopListening(listeners, () => taken)
    const exchanges = waiting
    waiting = undefined
    for (const exchange of exchanges) handle(...exchange)
  }

  const closeIdle = (): void => {
    for (const [socket, connection] of connections) {
      const isIdle = connection.open === 0 && socket.bytesRead === connection.readBefore
      if (!isIdle || connection.ended) continue
      connection.ended = true
      socket.end()
      setTimeout(() => socket.destroy(), lingerMost_ms).unref()
    }
  }

  return {
    get draining() {
      return draining
    },
    join(listener) {
      listeners.push(listener)
    },
    begin() {
      if (draining) return
      draining = true
      for (const { newest } of connections.values())
        if (newest?.headersSent === false) newest.setHeader('connection', 'close')
      stopped = endListening()
    },
    done: async (idle_ms) => {
      await stopped
      return new Promise((ended) => {
        let waited_ms = 0
        const check = (): void => {
          if (waited_ms >= idle_ms) closeIdle()
          if (connections.size === 0) {
            ended()
            return
          }
          waited_ms += checkEvery_ms
          setTimeout(check, checkEvery_ms)
        }
        check()
      })
    },
  }
}
