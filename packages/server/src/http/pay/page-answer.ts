/**
 * How a page is answered: compressed where the browser takes it, never cached, never indexed, framed only by the sites that the
 * merchant has named, and with a policy that allows its own style and script by their hashes and nothing else. The link is the key
 * to the page, so no other site may learn it: no referrer is sent.
 *
 * Forms need no token against forged requests: there is no cookie or session that a browser would add by itself. A form of this
 * page is sent to an address that contains the link's token, and whoever knows the token may do what the page does.
 *
 * The beginning of every page is the same in a language: style and script. It is compressed once, and what follows is compressed
 * as the continuation of the same stream, which takes a third of the time.
 */
import { createHash } from 'node:crypto'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '../../checkouts/checkout.ts'
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

const beginningIn = (locale: Locale) => {
  const text = beginningOf(locale)
  const bytes = Buffer.from(text)
  // Flushed to a whole byte and not ended: another stream can follow.
  const compressed = deflateRawSync(bytes, { level: constants.Z_BEST_COMPRESSION, finishFlush: constants.Z_SYNC_FLUSH })
  return { text, bytes, head: Buffer.concat([gzipHead, compressed]), crc: crc32(bytes) }
}
const beginnings = { ar: beginningIn('ar'), en: beginningIn('en') }

export const wholeText = ({ locale, rest }: PageText): string => beginnings[locale].text + rest

/** The whole page as one gzip stream. */
export const compressed = ({ locale, rest }: PageText): Buffer => {
  const { bytes, head, crc } = beginnings[locale]
  const more = Buffer.from(rest)
  // What the reader has decompressed so far is the dictionary: the rest refers to words of the beginning.
  const body = deflateRawSync(more, { level: 5, windowBits: 14, memLevel: 7, dictionary: bytes })
  const whole = Buffer.allocUnsafe(head.length + body.length + 8)
  head.copy(whole)
  body.copy(whole, head.length)
  whole.writeUInt32LE(crc32(more, crc), whole.length - 8)
  whole.writeUInt32LE(bytes.length + more.length, whole.length - 4)
  return whole
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
