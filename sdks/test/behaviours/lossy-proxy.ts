/**
 * An HTTP proxy before the service that loses requests and answers, holds them, cuts them or answers itself, as it is told, and that
 * remembers what it saw. Other than the proxy for bytes of the server's tests it counts requests and can choose one by its path.
 */
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Fault =
  /** The connection is closed before the request reaches the service. */
  | 'loses the request'
  /** The service has processed the request, and the connection is closed before the answer. */
  | 'loses the answer'
  /** The service has processed the request, and the answer never comes. */
  | 'holds the answer'
  /** The connection is closed in the middle of the answer. */
  | 'cuts the answer'
  /** An answer that is complete for HTTP, with half of the JSON. */
  | 'cuts the JSON'
  /** The service does not get the request. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: string }

/** `on`: a part of the path. */
export type Trouble = { readonly on: string; readonly fault: Fault; times: number }

/** `key`: its idempotency key, or null. */
export type Seen = { readonly method: string; readonly path: string; readonly key: string | null }

export const startLossyProxy = async (target: string) => {
  const seen: Seen[] = []
  const troubles: Trouble[] = []
  let keepsConnections = false

  const server = createServer(async (request, response) => {
    try {
      await pass(request, response)
    } catch {
      request.socket.destroy()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const key = headers['service-idempotency-key']
    seen.push({ method, path: url, key: typeof key === 'string' ? key : null })
    const trouble = troubles.find(({ on, times }) => url.includes(on) && times > 0)
    if (trouble !== undefined) trouble.times--
    const fault = trouble?.fault
    // curl sends a request again by itself if a kept connection turns out to be closed: then the SDK's own rules would not be counted.
    if (!keepsConnections) response.setHeader('connection', 'close')
    if (fault === 'loses the request') return void request.socket.destroy()
    if (typeof fault === 'object') return void response.writeHead(fault.status, fault.headers).end(fault.body)
    const answer = await ask(method, `${target}${url}`, headers, Buffer.concat(chunks))
    if (fault === 'loses the answer') return void request.socket.destroy()
    // The client closes the connection when it has waited for long enough.
    if (fault === 'holds the answer') return
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = answer.headers
    const half = answer.body.subarray(0, Math.floor(answer.body.length / 2))
    const sent = fault === 'cuts the JSON' ? half : answer.body
    response.writeHead(answer.status, { ...kept, 'content-length': sent.length })
    if (fault === 'cuts the answer') response.write(half, () => request.socket.destroy())
    else response.end(sent)
  }

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** The requests whose path contains this text. */
    seenAt: (part: string): Seen[] => seen.filter(({ path }) => path.includes(part)),
    fail(on: string, fault: Fault, times = 1): void {
      troubles.push({ on, fault, times })
    },
    keepConnections(): void {
      keepsConnections = true
    },
    reset(): void {
      seen.length = 0
      troubles.length = 0
      keepsConnections = false
    },
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export type LossyProxy = Awaited<ReturnType<typeof startLossyProxy>>

const ask = (method: string, url: string, headers: IncomingMessage['headers'], body: Buffer) =>
  new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((done, fail) => {
    const { host: _, connection: __, 'accept-encoding': ___, ...passed } = headers
    const request = httpRequest(url, { method, headers: passed, agent: false }, async (answer) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(chunk)
        done({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) })
      } catch (fault) {
        fail(fault)
      }
    })
    request.on('error', fail)
    request.end(body)
  })
