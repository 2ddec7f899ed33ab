/**
 * The dashboard's page at `/` and its files. Every path that is nobody else's is the page, because its screens have
 * addresses of their own; what is asked for as data is still 404. The policy of the page allows its own files and this
 * server, no script in the page itself, and no other host. The page names the files of the screen that was asked for, so
 * that a browser fetches them with the rest instead of after it.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound } from './answers.ts'

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // What the page sets on single elements, through the DOM and by its own hand.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The surfaces of others: an unknown path among them is not a screen. */
const others = /^\/(api|ingest|openapi|docs|healthz|readyz|metrics|assets)(\/|$)/
const file = /^\/(assets\/[\w.-]+|first\.js|sanad\.svg|manifest\.webmanifest)$/
const forEver = 'public, max-age=31536000, immutable'

/** As the build lists its files, by their sources. */
type Piece = { readonly file: string; readonly imports?: readonly string[]; readonly css?: readonly string[] }
type Pieces = Readonly<Record<string, Piece>>

const withImports = (pieces: Pieces, name: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const one of pieces[name]?.imports ?? []) withImports(pieces, one, seen)
  return seen
}

/** The hints to fetch a screen's own files, by the first part of its address: a screen lies in a folder of that name. */
const hintsOf = (pieces: Pieces): ReadonlyMap<string, string> => {
  const first = withImports(pieces, 'index.html')
  const hints = new Map<string, string>()
  for (const name of Object.keys(pieces)) {
    const screen = /^src\/screens\/([\w-]+)\/\1\.tsx$/.exec(name)?.[1]
    if (screen === undefined) continue
    const own = [...withImports(pieces, name)].filter((one) => !first.has(one)).map((one) => pieces[one]!)
    const scripts = own.map(({ file }) => `<link rel="modulepreload" href="/${file}" />`)
    const styles = own.flatMap(({ css = [] }) => css).map((css) => `<link rel="preload" as="style" href="/${css}" />`)
    hints.set(screen === 'today' ? '' : screen, [...scripts, ...styles].join(''))
  }
  return hints
}

export const dashboardPages = (folder: string) => async (app: FastifyInstance) => {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const hints = hintsOf(JSON.parse(await readFile(join(folder, 'pieces.json'), 'utf8')))
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false })

  const sendPage = (reply: FastifyReply, path: string): FastifyReply => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('content-security-policy', policy(nonce))
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'same-origin')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page.replace('@nonce@', nonce).replace('</head>', `${hints.get(path.split('/')[1]!) ?? ''}</head>`))
  }

  app.get('/*', (request, reply) => {
    const path = request.url.split('?')[0]!
    if (file.test(path)) {
      reply.header('x-content-type-options', 'nosniff')
      reply.header('cache-control', path.startsWith('/assets/') ? forEver : 'no-cache')
      return reply.sendFile(path.slice(1))
    }
    const asksForPage = (request.headers.accept ?? '').includes('text/html')
    if (others.test(path) || !(asksForPage || path === '/')) throw notFound()
    return sendPage(reply, path)
  })
}
