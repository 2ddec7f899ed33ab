/** A merchant's server for tests: on loopback, it keeps the calls it received and answers as the test wants. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export type ReceivedCall = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly path: string }

/** `answer`: to the call that was just received, which is already in the list. */
export const openMerchantServer = async (answer: (heard: ReceivedCall, response: ServerResponse) => void) => {
  const heard: ReceivedCall[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const one = { headers: request.headers, body, path: request.url ?? '' }
      heard.push(one)
      answer(one, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    heard,
    at: (path: string): string => origin + path,
    heardAt: (path: string): ReceivedCall[] => heard.filter((one) => one.path === path),
  }
}
