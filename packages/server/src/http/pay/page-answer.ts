/**
 * How a page is answered: compressed where the browser takes it, never cached, never indexed, framed only by the sites that the
 * merchant has named, and with a policy that allows its own style and script by their hashes and nothing else. The link is the key
 * to the page, so no other site may learn it: no referrer is sent.
 *
 * Forms need no token against forged requests: there is no cookie or session that a browser would add by itself. A form of this
 * page is sent to an address that contains the link's token, and whoever knows the token may do what the page does.
 *
 * Compressing a page would take longer than making it. So what pages have in common is compressed once: the beginning of a
 * language with style and script, and the parts that are marked as shared (a wallet, its steps). The few hundred bytes in between are
 * sent as they are, in the same gzip stream; only long ones (an order of many lines) are compressed each time.
 */
import { createHash } from 'node:crypto'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Locale } from '../../checkouts/checkout.ts'
import { cutAtMarks, unmarked } from './html.ts'
import { beginningOf } from './page-beginning.ts'
import { script } from './page-script.ts'
import { style } from './page-style.ts'

/** A page: the beginning of its language, and the rest. */
export type PageText = { readonly locale: Locale; readonly rest: string }

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  'frame-ancestors ',
].join('; ')

const commonHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  vary: 'accept-encoding',
}

const unframed = { ...commonHeaders, 'content-security-policy': `${policy}'none'`, 'x-frame-options': 'DENY' }

/** `frameOrigins`: the sites that may show the page in a frame. Old browsers know only "no site" and "every site". */
export const pageHeaders = (frameOrigins: readonly string[] = []): Readonly<Record<string, string>> =>
  frameOrigins.length === 0
    ? unframed
    : { ...commonHeaders, 'content-security-policy': policy + frameOrigins.join(' ') }

const takesGzip = (request: FastifyRequest): boolean =>
  /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?:1|0?\.\d*[1-9]))?\s*(?:,|$)/i.test(
    String(request.headers['accept-encoding'] ?? ''),
  )

/** No flags, no time, unknown system. */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

type Packed = { readonly text: string; readonly bytes: Buffer; readonly packed: Buffer }

/** Compressed to a whole byte, not ended, and without reference to what was before: any other part can stand around it. */
const pack = (bytes: Buffer, level: number): Buffer =>
  deflateRawSync(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH })

const packed = (text: string): Packed => {
  const bytes = Buffer.from(text)
  return { text, bytes, packed: pack(bytes, constants.Z_BEST_COMPRESSION) }
}

const beginningIn = (locale: Locale) => {
  const { text, bytes, packed: body } = packed(beginningOf(locale))
  return { text, bytes, head: Buffer.concat([gzipHead, body]), crc: crc32(bytes) }
}
const beginnings = { ar: beginningIn('ar'), en: beginningIn('en') }

/** Compressed parts by their text; the least recently used are dropped. */
const sharedParts = new LRUCache<string, Packed>({
  max: 5_000,
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: ({ bytes, packed: body }) => 2 * bytes.length + body.length,
})

const sharedPart = (text: string): Packed => {
  const known = sharedParts.get(text)
  if (known !== undefined) return known
  const made = packed(text)
  sharedParts.set(text, made)
  return made
}

export const wholeText = ({ locale, rest }: PageText): string => beginnings[locale].text + unmarked(rest)

/** Up to so many bytes are sent as they are. A block has 65,535 at most. */
const mostStored_bytes = 1_000
const quickLevel = 4

/** What stands before bytes that are sent as they are. */
const storedHead = (length: number): Buffer => {
  const head = Buffer.allocUnsafe(5)
  head[0] = 0
  head.writeUInt16LE(length, 1)
  head.writeUInt16LE(~length & 0xffff, 3)
  return head
}

/** An empty last block, the check value and the length of the whole text. */
const gzipEnd = (check: number, length: number): Buffer => {
  const end = Buffer.from([1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0])
  end.writeUInt32LE(check, 5)
  end.writeUInt32LE(length, 9)
  return end
}

/** The whole page as one gzip stream. */
export const compressed = ({ locale, rest }: PageText): Buffer => {
  const { bytes: beginning, head, crc } = beginnings[locale]
  const blocks: Buffer[] = [head]
  let [check, length] = [crc, beginning.length]
  const parts = cutAtMarks(rest)
  for (let i = 0; i < parts.length; i++) {
    const known = i % 2 === 1 ? sharedPart(parts[i]!) : undefined
    const bytes = known?.bytes ?? Buffer.from(parts[i]!)
    check = crc32(bytes, check)
    length += bytes.length
    if (known !== undefined) blocks.push(known.packed)
    else if (bytes.length > mostStored_bytes) blocks.push(pack(bytes, quickLevel))
    else blocks.push(storedHead(bytes.length), bytes)
  }
  blocks.push(gzipEnd(check, length))
  return Buffer.concat(blocks)
}

export const sendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  page: PageText,
  frameOrigins: readonly string[] = [],
): FastifyReply => {
  reply.code(status).headers(pageHeaders(frameOrigins)).type('text/html; charset=utf-8')
  if (!takesGzip(request)) return reply.send(Buffer.from(wholeText(page)))
  return reply.header('content-encoding', 'gzip').send(compressed(page))
}
