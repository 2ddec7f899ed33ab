/**
 * A TCP proxy for a network that comes and goes: it passes on, refuses, stalls, or loses the answers; and its target can
 * change.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * `stalled`: connections stay open and nothing passes; they break when the state changes. `loses answers`: requests
 * arrive, and the connection breaks when the answer comes.
 */
export type NetworkState = 'up' | 'down' | 'stalled' | 'loses answers'

export type FlakyProxy = {
  readonly origin: string
  /** When it goes down, open connections break too. */
  state: NetworkState
  /** Where connections made from now on go. */
  target: string
  /** Breaks every open connection. */
  cut(): void
  close(): Promise<void>
}

export const startFlakyProxy = async (origin: string): Promise<FlakyProxy> => {
  const open = new Set<Socket>()
  let state: NetworkState = 'up'
  const server = createServer((near) => {
    near.on('error', () => {})
    if (state === 'down') return void near.destroy()
    const { hostname, port } = new URL(proxy.target)
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (bytes) => {
      if (state !== 'stalled') far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (state === 'loses answers') near.destroy()
      else if (state !== 'stalled') near.write(bytes)
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
