/**
 * Listens for requests. `localhost` may be two addresses (127.0.0.1 and ::1): both are listened at, and connections of
 * both belong to one HTTP server, so that a node that stops drains all of them (drain.ts). Fastify would make a second
 * server, whose open connections are cut.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Drain } from './drain.ts'

/** A listener at one more address. Undefined: this machine does not have that address, or its port is taken there. */
const listenerFor = async (app: FastifyInstance, host: string, port: number): Promise<NetServer | undefined> => {
  // As Node's HTTP server accepts connections itself.
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

/** Of any other host Node finds the address itself. */
const addressesOf: AddressesOf = async (host) => {
  if (host !== 'localhost') return []
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** Returns the port. `find`: for tests on machines where `localhost` is one address. */
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
