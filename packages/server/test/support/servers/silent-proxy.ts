/**
 * A TCP proxy that can fall silent: it stops passing bytes on, in both directions, and closes nothing, as a firewall does
 * that has forgotten a connection. Connections that are made afterwards work.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type SilentProxy = {
  readonly port: number
  /** So many of the open connections, or all of them, are silent from now on. Answers how many. */
  silence(most?: number): number
  /** Every connection made from now on is silent from its beginning. */
  silenceNew(on: boolean): void
  /** How many connections are open and pass bytes on. */
  readonly open: number
  /** How many connections were silent and closed by the client since. */
  readonly givenUp: number
  close(): Promise<void>
}

export type Target = { readonly host: string; readonly port: number } | { readonly path: string }

export const startSilentProxy = async (target: Target): Promise<SilentProxy> => {
  const pairs = new Map<Socket, { readonly far: Socket | undefined; silent: boolean }>()
  let silenceNew = false
  let givenUp = 0
  const server = createServer((near) => {
    near.on('error', () => {})
    if (silenceNew) {
      const pair = { far: undefined, silent: true }
      pairs.set(near, pair)
      near.resume()
      near.on('close', () => {
        pairs.delete(near)
        givenUp++
      })
      return
    }
    const far = connect(target)
    const pair = { far, silent: false }
    pairs.set(near, pair)
    near.on('data', (bytes) => {
      if (!pair.silent) far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (!pair.silent) near.write(bytes)
    })
    near.on('close', () => {
      pairs.delete(near)
      // A silent connection stays open at the other side, which gets no close.
      if (pair.silent) givenUp++
      else far.destroy()
    })
    far.on('close', () => {
      if (!pair.silent) near.destroy()
    })
    far.on('error', () => {})
    far.on('end', () => {
      if (!pair.silent) near.end()
    })
    kept.add(far)
    far.on('close', () => kept.delete(far))
  })
  const kept = new Set<Socket>()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    silence(most = Number.POSITIVE_INFINITY) {
      let done = 0
      for (const pair of pairs.values()) {
        if (pair.silent || done >= most) continue
        pair.silent = true
        done++
      }
      return done
    },
    silenceNew(on) {
      silenceNew = on
    },
    get open() {
      return [...pairs.values()].filter(({ silent }) => !silent).length
    },
    get givenUp() {
      return givenUp
    },
    async close() {
      for (const near of pairs.keys()) near.destroy()
      for (const far of kept) far.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The target behind a URL of PostgreSQL, and the same URL through the proxy. */
export const targetOf = (url: string): Target => {
  const socket = /[?&]host=([^&]+)/.exec(url)?.[1]
  const port = /[?&]port=(\d+)/.exec(url)?.[1] ?? '5432'
  if (socket !== undefined) return { path: `${decodeURIComponent(socket)}/.s.PGSQL.${port}` }
  const { hostname, port: tcp } = new URL(url)
  return { host: hostname, port: Number(tcp || '5432') }
}

export const throughProxy = (url: string, port: number): string => {
  const [, user = '', database = ''] = /^postgres(?:ql)?:\/\/([^@/]*)@[^/]*\/([^?]*)/.exec(url) ?? []
  return `postgresql://${user}@127.0.0.1:${port}/${database}`
}
