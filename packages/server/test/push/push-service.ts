/**
 * A browser's push service for tests, on loopback, and browsers that subscribe at it. A browser decrypts what it receives with
 * node:crypto alone (RFC 8188 and 8291), independently of the library that encrypts.
 */
import assert from 'node:assert/strict'
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { PushMessage } from '../../src/push/push-message.ts'
import { listenHere } from '../support/servers/listen-here.ts'

export type ReceivedPush = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const hkdf = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** A browser: its keys, and what it reads of a message. */
export const newBrowser = () => {
  const curve = createECDH('prime256v1')
  const publicKey = curve.generateKeys()
  const auth = randomBytes(16)
  return {
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    decrypt(body: Buffer): string {
      const salt = body.subarray(0, 16)
      assert.equal(body.readUInt32BE(16), 4096, 'the record size')
      const sender = body.subarray(21, 21 + body[20]!)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
      const secret = hkdf(curve.computeSecret(sender), auth, info, 32)
      const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
      const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
      const record = body.subarray(21 + body[20]!)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(record.subarray(-16))
      const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      const end = padded.lastIndexOf(2)
      assert.ok(
        padded.subarray(end + 1).every((byte) => byte === 0),
        'the padding',
      )
      return padded.subarray(0, end).toString('utf8')
    },
  }
}

/** Checks the signature of the request, as a push service does. Returns what was signed. */
export const signedBy = ({ headers }: ReceivedPush, publicKey: string): { aud: string; exp: number; sub: string } => {
  const { t, k } = /^vapid t=(?<t>[^,]+), k=(?<k>.+)$/.exec(headers.authorization ?? '')!.groups!
  assert.equal(k, publicKey)
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url')) as [
    string,
    string,
  ]
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const [head, body, signature] = t!.split('.') as [string, string, string]
  const bytes = Buffer.from(signature, 'base64url')
  assert.ok(verify('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' }, bytes))
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
}

export const openPushService = async () => {
  const received: ReceivedPush[] = []
  /** How each path is answered; a path that is not here gets 201. */
  const answers = new Map<string, (response: ServerResponse) => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
      const answer = answers.get(path)
      if (answer === undefined) response.writeHead(201).end()
      else answer(response)
    })
  })
  const origin = await listenHere(server)
  let count = 0
  return {
    origin,
    received,
    answers,
    /** A browser with its own address here. */
    newSubscription() {
      const path = `/subscription/${++count}`
      const browser = newBrowser()
      return {
        path,
        body: { endpoint: origin + path, keys: browser.keys },
        requests: () => received.filter((one) => one.path === path),
        /** What the browser has received, decrypted. */
        messages: (): PushMessage[] =>
          received.filter((one) => one.path === path).map(({ body }) => JSON.parse(browser.decrypt(body))),
      }
    },
  }
}

export type TestSubscription = ReturnType<Awaited<ReturnType<typeof openPushService>>['newSubscription']>
