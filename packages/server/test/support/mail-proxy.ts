/**
 * A proxy between the service and its mail server. It can be down, it can close the connection when the mail server has
 * accepted a mail and before the service learns it, and it records the message id of each accepted mail.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export const mailProxy = async (smtpUrl: string) => {
  const sockets = new Set<Socket>()
  const ids: string[] = []
  let up = true
  let breaksAfterNext = false
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  }
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }

  const server = createServer((service) => {
    track(service)
    if (!up) return void service.destroy()
    const mail = track(connect(Number(new URL(smtpUrl).port), '127.0.0.1'))
    let sent = ''
    service.setEncoding('latin1').on('data', (chunk) => {
      sent += chunk
      mail.write(chunk, 'latin1')
    })
    mail.setEncoding('latin1').on('data', (chunk) => {
      if (String(chunk).startsWith('250 taken')) {
        // Mails that were not accepted may have been sent before: the last id belongs to the accepted mail.
        ids.push([...sent.matchAll(/^Message-ID:\s+(<[^>]*>)/gim)].at(-1)![1]!)
        sent = ''
        if (breaksAfterNext) {
          breaksAfterNext = false
          return closeAll()
        }
      }
      service.write(chunk, 'latin1')
    })
    service.on('close', () => mail.destroy())
    mail.on('close', () => service.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The message ids of the accepted mails, in their order. */
    ids,
    goDown(): void {
      up = false
      closeAll()
    },
    comeBack(): void {
      up = true
    },
    /** The next mail is accepted, and the answer is lost. */
    breakAfterNext(): void {
      breaksAfterNext = true
    },
    async close(): Promise<void> {
      closeAll()
      await new Promise((done) => server.close(done))
    },
  }
}
