/**
 * Webhook receivers on loopback, each with its own fault. The path names the fault: `receivers.url('closes-at-once')`. Three
 * receivers have no path, because they fail before HTTP: one that accepts connections and sends nothing, one with TLS and a
 * self-signed certificate, and a port on which nothing listens.
 */
import { generateKeyPairSync, sign } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

export type ReceivedCall = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Counted from 1: calls with the same number came over the same connection. */
  readonly connection: number
}

export const RETRY_DATE = 'Wed, 21 Oct 2037 07:28:00 GMT'

const answer = (response: ServerResponse, status: number, headers: Record<string, string> = {}, body = ''): void => {
  response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body)
}

/** Writes without end, as fast as the other side reads. */
const writeForever = (response: ServerResponse, chunk: Buffer): void => {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}

const kilobyte = Buffer.alloc(1024, 'a')
/** Made once: compressing it blocks the other receivers, which then seem slower than they are. */
const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))

const FAULTS = {
  ok: (response) => answer(response, 200, {}, 'thank you'),
  'ok-and-closes': (response) => answer(response, 200, { connection: 'close' }, 'bye'),
  'no-content': (response) => void response.writeHead(204).end(),
  'early-hints': (response) => {
    response.writeProcessing()
    answer(response, 200, {}, 'at last')
  },
  'slow-first-byte': () => {},
  'slow-body': (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 10)
    response.on('close', () => clearInterval(timer))
  },
  'endless-body': (response) => {
    response.writeHead(200)
    writeForever(response, kilobyte)
  },
  'endless-refusal': (response) => {
    response.writeHead(500)
    writeForever(response, kilobyte)
  },
  'long-body': (response) => answer(response, 200, {}, `!${'س'.repeat(20_000)}`),
  'gzip-bomb': (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb)
  },
  binary: (response) => void response.writeHead(200).end(Buffer.from([0x61, 0x00, 0xff, 0xd8, 0x62])),
  redirect: (response) => answer(response, 302, { location: 'http://169.254.169.254/latest/meta-data/' }),
  'redirect-to-ok': (response) => answer(response, 307, { location: '/ok' }),
  cookie: (response) => answer(response, 200, { 'set-cookie': 'seen=1' }),
  gone: (response) => answer(response, 410),
  'busy-seconds': (response) => answer(response, 429, { 'retry-after': '120' }),
  'busy-date': (response) => answer(response, 429, { 'retry-after': RETRY_DATE }),
  broken: (response) => answer(response, 500, {}, 'sorry'),
  'closes-at-once': (response) => void response.socket?.destroy(),
  'closes-half-way': (response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('half', () => response.socket?.end())
  },
  'reset-half-way': (response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('half', () => response.socket?.resetAndDestroy())
  },
  'huge-headers': (response) => answer(response, 200, { 'x-huge': 'a'.repeat(100_000) }),
  'not-http': (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.2p1\r\n'),
  'switches-protocols': (response) =>
    void response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  'two-answers': (response) =>
    void response.socket?.write(
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n',
    ),
} satisfies Readonly<Record<string, (response: ServerResponse) => void>>

export type ReceiverFault = keyof typeof FAULTS

export type HostileReceivers = {
  readonly url: (fault: ReceiverFault) => string
  readonly port: number
  readonly visits: readonly ReceivedCall[]
  /** The connections that are open now. */
  readonly open: ReadonlySet<Socket>
  /** Waits until at most this many connections are open. */
  readonly untilOpen: (most: number) => Promise<void>
  /** Accepts the connection and never sends anything. */
  readonly silentUrl: string
  /** A port on which nothing listens. */
  readonly emptyUrl: string
  readonly secure: {
    readonly port: number
    /** The self-signed certificate, for the host receiver.example. */
    readonly certificate: string
    /** The host names that callers sent in SNI; false for a caller that sent none. */
    readonly names: readonly (string | false)[]
  }
  readonly close: () => Promise<void>
}

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export const openHostileReceivers = async (): Promise<HostileReceivers> => {
  const visits: ReceivedCall[] = []
  const open = new Set<Socket>()
  const closing = new EventEmitter()
  const numbers = new WeakMap<Socket, number>()
  const names: (string | false)[] = []

  const receive: RequestListener = (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const path = request.url ?? ''
      visits.push({
        path,
        headers: request.headers,
        body: Buffer.concat(parts),
        connection: numbers.get(request.socket)!,
      })
      const fault = FAULTS[path.slice(1).split('?')[0] as ReceiverFault]
      if (fault === undefined) answer(response, 404)
      else fault(response)
    })
  }
  const { certificate, key } = selfSigned('receiver.example')
  const plain = createServer(receive)
  const secure = createSecureServer({ key, cert: certificate }, receive)
  const silent = createTcpServer()
  const empty = createTcpServer()
  let count = 0
  for (const server of [plain, secure, silent])
    server.on('connection', (socket: Socket) => {
      count += 1
      numbers.set(socket, count)
      open.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket)
          closing.emit('closed')
        })
    })
  secure.on('secureConnection', (socket) => {
    numbers.set(socket, count)
    names.push(socket.servername ?? false)
  })
  // A socket that is never read does not notice that the caller has closed it.
  silent.on('connection', (socket) => socket.resume())
  // A caller that does not trust the certificate sends an alert and closes.
  secure.on('tlsClientError', () => {})

  const [port, securePort, silentPort, emptyPort] = [
    await listen(plain),
    await listen(secure),
    await listen(silent),
    await listen(empty),
  ]
  empty.close()
  return {
    url: (fault) => `http://127.0.0.1:${port}/${fault}`,
    port,
    visits,
    open,
    async untilOpen(most) {
      while (open.size > most) await once(closing, 'closed')
    },
    silentUrl: `http://127.0.0.1:${silentPort}/`,
    emptyUrl: `http://127.0.0.1:${emptyPort}/`,
    secure: { port: securePort, certificate, names },
    async close() {
      const closed = [plain, secure, silent].map((server) => once(server.close(), 'close'))
      for (const socket of open) socket.destroy()
      await Promise.all(closed)
    },
  }
}

/** A self-signed certificate. It is made anew in each run, so that no certificate in the repository can expire. */
const selfSigned = (host: string): { readonly certificate: string; readonly key: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  // DER: a tag, a length, a value.
  const der = (tag: number, ...parts: Buffer[]): Buffer => {
    const value = Buffer.concat(parts)
    const length = value.length < 128 ? [value.length] : [0x82, value.length >> 8, value.length & 255]
    return Buffer.concat([Buffer.from([tag, ...length]), value])
  }
  const list = (...parts: Buffer[]): Buffer => der(0x30, ...parts)
  const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
  const octets = (value: Buffer): Buffer => der(0x04, value)
  const date = (text: string): Buffer => der(0x18, Buffer.from(text))
  const ecdsaWithSha256 = list(oid('2a8648ce3d040302'))
  const name = list(der(0x31, list(oid('550403'), der(0x0c, Buffer.from(host)))))
  const altNames = list(oid('551d11'), octets(list(der(0x82, Buffer.from(host)))))
  const body = list(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    list(date('20200101000000Z'), date('21200101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, list(altNames)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const whole = list(body, ecdsaWithSha256, signature).toString('base64')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${whole.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}
