/**
 * A TCP proxy that can make connections silent: it stops passing bytes on, in both directions, and closes nothing. A firewall
 * that has dropped a connection from its table does the same. Connections that are made afterwards work.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type SilentProxy = {
  readonly port: number
  /** Makes at most `most` of the open connections silent; without `most`, all of them. Returns how many became silent. */
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
  const pairs = new Map<Socket, { readonly upstream: Socket | undefined; silent: boolean }>()
  let silenceNew = false
  let givenUp = 0
  const server = createServer((client) => {
    client.on('error', () => {})
    if (silenceNew) {
      const pair = { upstream: undefined, silent: true }
      pairs.set(client, pair)
      client.resume()
      client.on('close', () => {
        pairs.delete(client)
        givenUp++
      })
      return
    }
    const upstream = connect(target)
    const pair = { upstream, silent: false }
    pairs.set(client, pair)
    client.on('data', (bytes) => {
      if (!pair.silent) upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (!pair.silent) client.write(bytes)
    })
    client.on('close', () => {
      pairs.delete(client)
      // The server's side of a silent connection stays open.
      if (pair.silent) givenUp++
      else upstream.destroy()
    })
    upstream.on('close', () => {
      if (!pair.silent) client.destroy()
    })
    upstream.on('error', () => {})
    upstream.on('end', () => {
      if (!pair.silent) client.end()
    })
    serverSockets.add(upstream)
    upstream.on('close', () => serverSockets.delete(upstream))
  })
  const serverSockets = new Set<Socket>()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    silence(most = Number.POSITIVE_INFINITY) {
      let silenced = 0
      for (const pair of pairs.values()) {
        if (pair.silent || silenced >= most) continue
        pair.silent = true
        silenced++
      }
      return silenced
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
      for (const client of pairs.keys()) client.destroy()
      for (const upstream of serverSockets) upstream.destroy()
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

/** The same PostgreSQL URL, with 127.0.0.1 and the proxy's port instead of its host. */
export const throughProxy = (url: string, port: number): string => {
  const [, user = '', database = ''] = /^postgres(?:ql)?:\/\/([^@/]*)@[^/]*\/([^?]*)/.exec(url) ?? []
  return `postgresql://${user}@127.0.0.1:${port}/${database}`
}
