/**
 * A TCP proxy that can make connections silent: it stops passing bytes on, in both directions, and closes nothing. A firewall
 * that has dropped a connection from its table does the same. Connections that are made afterwards work.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type SilentProxy = {
  readonly port: number
  /** Makes at most `most` of the open connections silent, or all of them. Returns how many. */
  silence(most?: number): number
  /** `true`: every connection that is made from now on is silent from its start. */
  silenceNew(on: boolean): void
  /** The number of connections that are open and not silent. */
  readonly open: number
  /** The number of silent connections that the client has closed. */
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
      // The server's side of a silent connection stays open.
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
    serverSockets.add(far)
    far.on('close', () => serverSockets.delete(far))
  })
  const serverSockets = new Set<Socket>()
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
      for (const far of serverSockets) far.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The host and port, or the socket, that a PostgreSQL URL points to. */
export const targetOf = (url: string): Target => {
  const socket = /[?&]host=([^&]+)/.exec(url)?.[1]
  const port = /[?&]port=(\d+)/.exec(url)?.[1] ?? '5432'
  if (socket !== undefined) return { path: `${decodeURIComponent(socket)}/.s.PGSQL.${port}` }
  const { hostname, port: tcp } = new URL(url)
  return { host: hostname, port: Number(tcp || '5432') }
}

/** The PostgreSQL URL with the proxy's port as its host. */
export const throughProxy = (url: string, port: number): string => {
  const [, user = '', database = ''] = /^postgres(?:ql)?:\/\/([^@/]*)@[^/]*\/([^?]*)/.exec(url) ?? []
  return `postgresql://${user}@127.0.0.1:${port}/${database}`
}
