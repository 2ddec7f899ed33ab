/**
 * Many open pages of buyers: each is a connection that waits for server-sent events. Arguments: the origin and a file with the
 * tokens of the pages. Prints `open` when every page has got its state, then a line `<n> <time>` for each page that is
 * notified of COMPLETE.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

const [origin, file] = process.argv.slice(2)
const { hostname, port } = new URL(origin!)
const tokens = readFileSync(file!, 'utf8').trim().split('\n')
/** How many connections are opened at the same time. */
const atOnce = 100

const openPage = (token: string, n: number): Promise<void> =>
  new Promise((done, fail) => {
    const socket = connect(Number(port), hostname)
    socket.setEncoding('latin1')
    socket.on('error', fail)
    socket.on('close', () => fail(new Error(`page ${n} was closed`)))
    socket.on('data', (text: string) => {
      if (text.includes('data: COMPLETE')) process.stdout.write(`${n} ${Date.now()}\n`)
      else if (text.includes('data: ')) done()
    })
    socket.write(`GET /pay/${token}/stream/ HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
  })

for (let from = 0; from < tokens.length; from += atOnce)
  await Promise.all(tokens.slice(from, from + atOnce).map((token, i) => openPage(token, from + i)))
process.stdout.write('open\n')
