/**
 * A merchant's server for the bench, on as many ports as merchants. The path says how it answers: `/ok` at once,
 * `/after/500` after so many milliseconds. Notes which event came when. Argument: how many ports.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

type Note = { id: string; at: number }
let notes: Note[] = []
const wanted = new Set<string>()

const note = (request: IncomingMessage): void => {
  notes.push({ id: String(request.headers['x-service-event-id']), at: performance.timeOrigin + performance.now() })
}

const receive: RequestListener = (request, response) => {
  const path = request.url ?? ''
  if (wanted.size === 0 || wanted.has(path)) note(request)
  const wait_ms = path.startsWith('/after/') ? Number(path.slice(7)) : 0
  request.resume()
  request.on('end', () => {
    if (wait_ms === 0) response.end('ok')
    else setTimeout(() => response.end('ok'), wait_ms)
  })
}

/** `/heard`: how many, the first and the last; `/notes`: each; `/begin`: forget them, and note only what comes to a path. */
const tell: RequestListener = (request, response) => {
  const path = request.url ?? ''
  if (path.startsWith('/begin')) {
    notes = []
    wanted.clear()
    const only = new URL(path, 'http://receiver').searchParams.get('only')
    if (only !== null) wanted.add(only)
  }
  const answer =
    path === '/heard'
      ? { count: notes.length, first: notes[0]?.at ?? null, last: notes.at(-1)?.at ?? null }
      : path === '/notes'
        ? notes
        : { ports }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
}

const listening = async (handler: RequestListener): Promise<number> => {
  const server = createServer({ keepAliveTimeout: 60_000 }, handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const ports: number[] = []
for (let n = 0; n < Number(process.argv[2] ?? 1); n++) ports.push(await listening(receive))
const origin = `http://127.0.0.1:${await listening(tell)}`
process.stderr.write(`${JSON.stringify({ origin, msg: 'ready' })}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
