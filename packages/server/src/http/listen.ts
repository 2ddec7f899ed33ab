/**
 * Listens for requests. `localhost` may be two addresses (127.0.0.1 and ::1): the service listens at both, and connections
 * of both belong to one HTTP server, so that a stopping node drains all of them (drain.ts). Fastify would create a second
 * server, whose open connections would be cut off.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Drain } from './drain.ts'

/** A listener at one more address. Undefined: this machine does not have that address, or its port is taken there. */
const listenerFor = async (app: FastifyInstance, host: string, port: number): Promise<NetServer | undefined> => {
  // The options with which Node's HTTP server accepts connections.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    app.server.emit('connection', socket)
  })
  try {
    listener.listen({ host, port })
    await once(listener, 'listening')
    return listener
  } catch {
    return undefined
  }
}

export type AddressesOf = (host: string) => Promise<readonly string[]>

/** The addresses of `localhost`. Node finds the address of any other host itself. */
const addressesOf: AddressesOf = async (host) => {
  if (host !== 'localhost') return []
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** Returns the port. `find` is replaced by tests on machines where `localhost` is one address. */
export const listenAt = async (
  app: FastifyInstance,
  drain: Pick<Drain, 'join'>,
  host: string,
  port: number,
  find = addressesOf,
): Promise<number> => {
  const [first, ...others] = new Set(await find(host).catch((): string[] => []))
  await app.listen({ host: first ?? host, port })
  const bound = (app.server.address() as AddressInfo).port
  for (const other of others) {
    const listener = await listenerFor(app, other, bound)
    if (listener !== undefined) drain.join(listener)
  }
  return bound
}
