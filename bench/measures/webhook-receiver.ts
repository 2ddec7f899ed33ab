/**
 * A merchant's server for the benchmark, on one port per endpoint. The path selects the answer: `/ok` at once, `/after/500` after
 * 500 milliseconds. Records when each event arrived. Argument: the number of ports.
 *
 * Real merchants have their own machines; this server shares the machine of the sender and takes CPU time from it. So it
 * reads only the parts of HTTP that it needs, from the socket.
 */
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

type Arrival = { id: string; at: number }
let arrivals: Arrival[] = []
const recordedPaths = new Set<string>()

const plain = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok')

const header =
  (name: string) =>
  (head: string): string => {
    const from = head.indexOf(name)
    if (from < 0) return ''
    const value = from + name.length
    return head.slice(value, head.indexOf('\r\n', value))
  }
const eventId = header('\r\nx-service-event-id: ')
const contentLength = header('\r\ncontent-length: ')

const answer = (socket: Socket, head: string): void => {
  const path = head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/'))
  if (recordedPaths.size === 0 || recordedPaths.has(path)) {
    arrivals.push({ id: eventId(head), at: performance.timeOrigin + performance.now() })
  }
  if (path.startsWith('/after/')) setTimeout(() => socket.write(plain), Number(path.slice(7)))
  else socket.write(plain)
}

/** One request after the other, as the sender sends them: a head, then the body of the given length. */
const receive = (socket: Socket): void => {
  socket.setNoDelay(true)
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = received.slice(0, end + 2)
    if (received.length < end + 4 + Number(contentLength(head))) return
    received = ''
    answer(socket, head)
  })
}

/**
 * `/count`: how many events arrived, and when the first and the last did. `/arrivals`: all events. `/begin`: deletes them; with
 * `?only=<path>`, only events at that path are recorded from then on.
 */
const control: RequestListener = (request, response) => {
  const path = request.url ?? ''
  if (path.startsWith('/begin')) {
    arrivals = []
    recordedPaths.clear()
    const only = new URL(path, 'http://receiver').searchParams.get('only')
    if (only !== null) recordedPaths.add(only)
  }
  const state =
    path === '/count'
      ? { count: arrivals.length, first: arrivals[0]?.at ?? null, last: arrivals.at(-1)?.at ?? null }
      : path === '/arrivals'
        ? arrivals
        : { ports }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(state))
}

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const ports: number[] = []
for (let n = 0; n < Number(process.argv[2] ?? 1); n++) ports.push(await listening(createServer(receive)))
const origin = `http://127.0.0.1:${await listening(createHttpServer({ keepAliveTimeout: 60_000 }, control))}`
process.stderr.write(`${JSON.stringify({ origin, msg: 'ready' })}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
