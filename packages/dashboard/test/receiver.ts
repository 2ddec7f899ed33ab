/** A merchant's server for tests: receives webhooks on loopback, keeps them, and can be set to refuse. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export type Heard = { readonly headers: Readonly<Record<string, unknown>>; readonly body: string }

export const openReceiver = async () => {
  const heard: Heard[] = []
  let status = 200
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      heard.push({ headers: request.headers, body })
      response.writeHead(status).end(status === 200 ? 'thanks' : 'no')
      for (const look of [...waiting]) look()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    heard,
    answers: (from: number): void => {
      status = from
    },
    /** Waits until so many have arrived. */
    until: (count: number): Promise<void> =>
      new Promise((done) => {
        const look = (): void => {
          if (heard.length < count) return
          waiting.delete(look)
          done()
        }
        waiting.add(look)
        look()
      }),
  }
}
