/**
 * Sends a page: compressed if the browser accepts it, never cached, never indexed, in frames only of the sites that the
 * merchant has named, and with a policy that allows only its own style and script, by their hashes. Whoever has the link
 * can act as the buyer, so no other site may learn it: no referrer is sent.
 *
 * Forms need no token against forged requests: there is no cookie or session that a browser would add by itself. A form of
 * this page is sent to an address that contains the link's token, and whoever knows the token may do what the page does.
 *
 * Compressing a page would take longer than building it. So the parts that pages have in common are compressed once: the
 * beginning in each language with style and script, and the parts that are marked as shared (a wallet, its steps). The few
 * hundred bytes in between are stored uncompressed in the same gzip stream; only long ones (an order of many lines) are
 * compressed each time.
 */
import { createHash } from 'node:crypto'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Locale } from '../../checkouts/checkout.ts'
import { cutAtMarks, unmarked } from './html.ts'
import { beginningOf } from './page-beginning.ts'
import { script, style } from './page-inline.ts'

/** A page: `locale` stands for the beginning that all pages in this language share; `rest` is the text after it. */
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

export const commonHeaders = {
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

/** For pictures and streams. Nothing in them can run if they are opened as a page. */
export const inertHeaders = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
} as const

export const takesGzip = (request: FastifyRequest): boolean =>
  /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?:1|0?\.\d*[1-9]))?\s*(?:,|$)/i.test(
    String(request.headers['accept-encoding'] ?? ''),
  )

/** The gzip header: no flags, no time, unknown system. */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

type CompressedPart = { readonly text: string; readonly bytes: Buffer; readonly deflated: Buffer }

/** Compresses to whole bytes, without an end and without references to earlier text: it can stand between any other parts. */
const deflate = (bytes: Buffer, level: number): Buffer =>
  deflateRawSync(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH })

const compressPart = (text: string, level: number): CompressedPart => {
  const bytes = Buffer.from(text)
  return { text, bytes, deflated: deflate(bytes, level) }
}

const beginningIn = (locale: Locale) => {
  const { text, bytes, deflated: body } = compressPart(beginningOf(locale), constants.Z_BEST_COMPRESSION)
  return { text, bytes, head: Buffer.concat([gzipHead, body]), crc: crc32(bytes) }
}
const beginnings = { ar: beginningIn('ar'), en: beginningIn('en') }

/** Compressed parts by their text; the least recently used are dropped. */
const sharedParts = new LRUCache<string, CompressedPart>({
  max: 5_000,
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: ({ bytes, deflated }) => 2 * bytes.length + deflated.length,
})

const sharedPart = (text: string): CompressedPart => {
  const cached = sharedParts.get(text)
  if (cached !== undefined) return cached
  const part = compressPart(text, constants.Z_BEST_COMPRESSION)
  sharedParts.set(text, part)
  return part
}

export const wholeText = ({ locale, rest }: PageText): string => beginnings[locale].text + unmarked(rest)

/** Parts up to this length are stored uncompressed. A stored block has 65,535 bytes at most. */
const mostStored_chars = 1_000
const quickLevel = 4
const storedHead_bytes = 5
/** A 16-bit character of a JavaScript string takes at most 3 bytes in UTF-8; the fourth is for the headers of blocks. */
const mostOfChar_bytes = 4

/** The header of a stored block that is not the last one. */
const writeStoredHead = (to: Buffer, at: number, length: number): void => {
  to[at] = 0
  to.writeUInt16LE(length, at + 1)
  to.writeUInt16LE(~length & 0xffff, at + 3)
}

/** An empty last block; the check value and the length of the whole text follow. */
const lastBlock = Buffer.from([1, 0, 0, 0xff, 0xff])
const gzipEnd_bytes = lastBlock.length + 8

/** Pages are written here and then copied: writing into one large buffer is faster than joining small ones. */
const scratch = Buffer.allocUnsafe(128 * 1024)

/** The whole page as one gzip stream. */
export const compressed = ({ locale, rest }: PageText): Buffer => {
  const { bytes: beginning, head, crc } = beginnings[locale]
  let [check, length] = [crc, beginning.length]
  const parts = cutAtMarks(rest)
  // An upper bound: a part that compression cannot make smaller is stored in blocks with a header of five bytes.
  const most_bytes = head.length + rest.length * mostOfChar_bytes + parts.length * 64 + gzipEnd_bytes
  const to = most_bytes > scratch.length ? Buffer.allocUnsafe(most_bytes) : scratch
  to.set(head)
  let at = head.length
  for (let i = 0; i < parts.length; i++) {
    const text = parts[i]!
    if (i % 2 === 0 && text.length <= mostStored_chars) {
      const begin = at + storedHead_bytes
      const written = to.write(text, begin)
      writeStoredHead(to, at, written)
      at = begin + written
      check = crc32(to.subarray(begin, at), check)
      length += written
    } else {
      const part = i % 2 === 0 ? compressPart(text, quickLevel) : sharedPart(text)
      to.set(part.deflated, at)
      at += part.deflated.length
      check = crc32(part.bytes, check)
      length += part.bytes.length
    }
  }
  to.set(lastBlock, at)
  to.writeUInt32LE(check, at + lastBlock.length)
  to.writeUInt32LE(length, at + lastBlock.length + 4)
  return Buffer.from(to.subarray(0, at + gzipEnd_bytes))
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
