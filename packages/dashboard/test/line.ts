/** A line between the browser and the service, which a test can cut (connections are closed) or stall (nothing passes). */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

export const openLine = async (origin: string) => {
  const { port } = new URL(origin)
  let state: 'up' | 'cut' | 'stalled' = 'up'
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  }
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((near) => {
    keep(near)
    if (state === 'cut') return void near.destroy()
    const far = keep(connect(Number(port), '127.0.0.1'))
    near.on('data', (bytes) => void (state !== 'stalled' && far.write(bytes)))
    far.on('data', (bytes) => void (state !== 'stalled' && near.write(bytes)))
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    hangUp()
    server.close()
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(): void {
      state = 'cut'
      hangUp()
    },
    stall(): void {
      state = 'stalled'
    },
    restore(): void {
      // Connections that were stalled are lost for good.
      if (state === 'stalled') hangUp()
      state = 'up'
    },
  }
}
