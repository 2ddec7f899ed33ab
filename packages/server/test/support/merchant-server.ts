/** A merchant's server for tests, on loopback. It records the calls that it receives and answers as the test wants. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { listenHere } from './servers/listen-here.ts'

export type ReceivedCall = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly path: string }

/** `answer` writes the response to a call. The call is in `calls` already. */
export const openMerchantServer = async (answer: (call: ReceivedCall, response: ServerResponse) => void) => {
  const calls: ReceivedCall[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const call = { headers: request.headers, body, path: request.url ?? '' }
      calls.push(call)
      answer(call, response)
      for (const check of [...waiting]) check()
    })
  })
  const origin = await listenHere(server)
  return {
    calls,
    at: (path: string): string => origin + path,
    /** Waits until `count` calls have arrived. */
    untilCalls: (count: number): Promise<void> =>
      new Promise((done) => {
        const check = (): void => {
          if (calls.length < count) return
          waiting.delete(check)
          done()
        }
        waiting.add(check)
        check()
      }),
    callsAt: (path: string): ReceivedCall[] => calls.filter((call) => call.path === path),
  }
}
