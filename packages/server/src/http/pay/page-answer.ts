/**
 * How a page is answered: compressed where the browser takes it, never cached, never indexed, never framed, and with a policy that
 * allows its own style and script by their hashes and nothing else. The link is the key to the page, so no other site may learn
 * it: no referrer is sent.
 *
 * Forms need no token against forged requests: there is no cookie or session that a browser would add by itself. A form of this
 * page is sent to an address that contains the link's token, and whoever knows the token may do what the page does.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { script } from './page-script.ts'
import { style } from './page-style.ts'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export const pageHeaders = {
  'content-security-policy': policy,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
} as const

const compress = promisify(gzip)
const quick = { level: constants.Z_BEST_SPEED + 4 }

const takesGzip = (request: FastifyRequest): boolean =>
  /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?:1|0?\.\d*[1-9]))?\s*(?:,|$)/i.test(
    String(request.headers['accept-encoding'] ?? ''),
  )

export const sendPage = async (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  page: string,
): Promise<FastifyReply> => {
  reply.code(status).headers(pageHeaders).header('vary', 'accept-encoding').type('text/html; charset=utf-8')
  if (!takesGzip(request)) return reply.send(Buffer.from(page))
  return reply.header('content-encoding', 'gzip').send(await compress(page, quick))
}
