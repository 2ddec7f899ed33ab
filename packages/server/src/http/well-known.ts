/**
 * Files at addresses that programs know: `/robots.txt`, so that search engines list no page of a buyer or a shop, and
 * `/.well-known/security.txt` (RFC 9116), so that whoever finds a hole knows whom to tell.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../core/clock.ts'
import { day_ms } from '../core/duration.ts'

export type WellKnownDeps = {
  readonly clock: Clock
  /** A `mailto:` or `https:` address; undefined: the page of the guide that says whom to tell. */
  readonly securityContact: string | undefined
  readonly origin: (request: FastifyRequest) => string
}

const reportPage = '/docs/guide/en/going-live#report-a-security-problem'
/** The file must be read again after this time; RFC 9116 recommends less than a year. */
const validFor_ms = 90 * day_ms

const robots = 'User-agent: *\nAllow: /docs\nDisallow: /\n'

const securityText = ({ clock, securityContact }: WellKnownDeps, origin: string): string => {
  const expires = new Date(clock.now() + validFor_ms).toISOString().replace(/\.\d+Z$/, 'Z')
  return [
    `Contact: ${securityContact ?? origin + reportPage}`,
    `Expires: ${expires}`,
    'Preferred-Languages: ar, en',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n')
}

const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(text)

export const wellKnown = (deps: WellKnownDeps) => async (app: FastifyInstance) => {
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/robots.txt', handler: (_request, reply) => sendText(reply, robots) })
  app.route({
    method,
    url: '/.well-known/security.txt',
    handler: (request, reply) => sendText(reply, securityText(deps, deps.origin(request))),
  })
}
