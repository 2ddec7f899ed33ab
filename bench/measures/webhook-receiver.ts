/**
 * A merchant's server for the benchmark, on one port per merchant. The path selects the answer: `/ok` at once,
 * `/after/500` after so many milliseconds. Records which event came when. Argument: the number of ports.
 *
 * Real merchants have their own machines; this server shares the sender's. So it parses only the HTTP it needs, from
 * the socket: the CPU time that it uses is missing in what is measured.
 */
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

type Note = { id: string; at: number }
let notes: Note[] = []
const wanted = new Set<string>()

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
  if (wanted.size === 0 || wanted.has(path)) {
    notes.push({ id: eventId(head), at: performance.timeOrigin + performance.now() })
  }
  if (path.startsWith('/after/')) setTimeout(() => socket.write(plain), Number(path.slice(7)))
  else socket.write(plain)
}

/** One request after the other, as the sender sends them: a head, then the body of the given length. */
const receive = (socket: Socket): void => {
  socket.setNoDelay(true)
  socket.on('error', () => {})
  let got = ''
  socket.on('data', (chunk) => {
    got += chunk.toString('latin1')
    const end = got.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = got.slice(0, end + 2)
    if (got.length < end + 4 + Number(contentLength(head))) return
    got = ''
    answer(socket, head)
  })
}

/**
 * `/heard`: the count, the first and the last time; `/notes`: all; `/begin`: forget them, and record only a given path.
 */
const control: RequestListener = (request, response) => {
  const path = request.url ?? ''
  if (path.startsWith('/begin')) {
    notes = []
    wanted.clear()
    const only = new URL(path, 'http://receiver').searchParams.get('only')
    if (only !== null) wanted.add(only)
  }
  const state =
    path === '/heard'
      ? { count: notes.length, first: notes[0]?.at ?? null, last: notes.at(-1)?.at ?? null }
      : path === '/notes'
        ? notes
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
