/**
 * A TCP proxy that simulates an unreliable network: it passes bytes on, refuses connections, stalls, or loses the answers.
 * Its target can be changed.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * `stalled`: connections stay open and no bytes pass; they are closed when the state changes. `loses answers`: requests
 * arrive, and the connection is closed when the answer comes.
 */
export type NetworkState = 'up' | 'down' | 'stalled' | 'loses answers'

export type FlakyProxy = {
  readonly origin: string
  /** Changing it to `down` also closes the open connections. */
  state: NetworkState
  /** The origin to which new connections go. */
  target: string
  /** Closes every open connection. */
  cut(): void
  close(): Promise<void>
}

export const startFlakyProxy = async (origin: string): Promise<FlakyProxy> => {
  const open = new Set<Socket>()
  let state: NetworkState = 'up'
  const server = createServer((client) => {
    client.on('error', () => {})
    if (state === 'down') return void client.destroy()
    const { hostname, port } = new URL(proxy.target)
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (state !== 'stalled') upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (state === 'loses answers') client.destroy()
      else if (state !== 'stalled') client.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: FlakyProxy = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get state() {
      return state
    },
    set state(next) {
      if (next === 'down' || (state === 'stalled' && next !== 'stalled')) proxy.cut()
      state = next
    },
    target: origin,
    cut() {
      for (const socket of open) socket.destroy()
    },
    async close() {
      server.close()
      proxy.cut()
      await once(server, 'close')
    },
  }
  return proxy
}
