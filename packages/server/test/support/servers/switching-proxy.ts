/** Passes connections on to one of several services, as a host name does whose address is changed. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

export const openSwitchingProxy = async (origin: string) => {
  let port = Number(new URL(origin).port)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const service = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => sockets.delete(one))
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** New connections go there. */
    pointTo(next: string): void {
      port = Number(new URL(next).port)
    },
  }
}
