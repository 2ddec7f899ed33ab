/**
 * The dashboard's page at `/` and its files. Every path that belongs to no API is answered with the page, because screens have
 * paths of their own; a request for data or for a file at such a path is a 404. The page's policy (CSP) allows its own files, this server, the
 * one inline script that the page was built with, and no other host. The page lists the files of the requested screen, so that a
 * browser fetches them early, and contains the answers to the first queries of the screen.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../answers.ts'
import { firstAnswers } from './first-answers.ts'

const policy = (nonce: string, scripts: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Styles that the page sets on single elements through the DOM.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Paths of the APIs: an unknown path below them is not a screen. */
const apiPaths = /^\/(api|ingest|openapi|docs|pay|healthz|readyz|metrics|assets)(\/|$)/
const file = /^\/(assets\/[\w.-]+|sanad\.svg|manifest\.webmanifest|service-worker\.js)$/
/** A path that ends like a file's name belongs to no screen: a browser or a scanner asks for a file that does not exist. */
const otherFile = /(^|\/)\.|\.\w{1,12}$/
/** Screens for users without a session. */
const openScreens = /^\/(forgot|password|invitation)(\/|$)/
const forEver = 'public, max-age=31536000, immutable'

const quickCompression = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}

/** The page in the language, colours and font that this browser used last, so that nothing changes after it is shown. */
const withPreferences = (
  page: string,
  { headers: { cookie = '', 'accept-language': accepts = '' } }: FastifyRequest,
): string => {
  const chosen = /(?:^|; )sanad_language=(ar|en)(?:;|$)/.exec(cookie)?.[1]
  const language = chosen ?? (/^ar\b/i.test(accepts) ? 'ar' : 'en')
  const theme = /(?:^|; )sanad_theme=(light|dark)(?:;|$)/.exec(cookie)?.[1]
  const themeAttribute = theme === undefined ? '' : ` data-mantine-color-scheme="${theme}"`
  const fontAttribute = /(?:^|; )sanad_letters=ours(?:;|$)/.test(cookie) ? ' data-letters="ours"' : ''
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  return page.replace(/<html [^>]*>/, `<html lang="${language}" dir="${direction}"${themeAttribute}${fontAttribute}>`)
}

const asText = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A file of the build. The build lists its files by their sources. */
type BuiltFile = { readonly file: string; readonly imports?: readonly string[] }
type BuiltFiles = Readonly<Record<string, BuiltFile>>

/** The source and all sources that it imports, directly or not. */
const withImports = (files: BuiltFiles, name: string, visited = new Set<string>()): Set<string> => {
  if (visited.has(name)) return visited
  visited.add(name)
  for (const imported of files[name]?.imports ?? []) withImports(files, imported, visited)
  return visited
}

/**
 * The tags that make a browser fetch a screen's own files, by the first part of the screen's path: a screen is in a folder
 * of that name. Files of dialogs and menus are listed as well, to be fetched when the page is idle.
 */
const preloadTagsOf = (files: BuiltFiles): ReadonlyMap<string, string> => {
  const sharedSources = withImports(files, 'index.html')
  const filesOf = (name: string, except: ReadonlySet<string>): string[] =>
    [...withImports(files, name)].filter((source) => !except.has(source)).map((source) => `/${files[source]!.file}`)
  const preloadTags = new Map<string, string>()
  for (const name of Object.keys(files)) {
    const screen = /^src\/screens\/([\w-]+)\/\1\.tsx$/.exec(name)?.[1]
    if (screen === undefined) continue
    const own = filesOf(name, sharedSources).map((file) => `<link rel="modulepreload" href="${file}" />`)
    const later = filesOf('src/parts/form/overlays.ts', withImports(files, name))
    preloadTags.set(
      screen === 'today' ? '' : screen,
      `${own.join('')}<meta name="fetch-later" content="${later.join(' ')}" />`,
    )
  }
  return preloadTags
}

/** The hashes by which the policy allows the inline scripts of the page. */
const hashesOf = (page: string): string[] =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
  )

export const dashboardPages = (folder: string) => async (app: FastifyInstance) => {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const scripts = hashesOf(page)
  const assets = new Set((await readdir(join(folder, 'assets'))).map((name) => `/assets/${name}`))
  const preloadTags = preloadTagsOf(JSON.parse(await readFile(join(folder, 'pieces.json'), 'utf8')))
  /** Called only for a file that exists. */
  const setHeaders = (reply: FastifyReply, path: string): void =>
    void reply.header('cache-control', path.startsWith(join(folder, 'assets')) ? forEver : 'no-cache')
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders,
  })

  const sendPage = async (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> => {
    const nonce = randomBytes(16).toString('base64')
    const answers = openScreens.test(path) ? {} : await firstAnswers(app, request)
    const text = withPreferences(page, request)
      .replaceAll('@nonce@', nonce)
      .replace('</head>', () => `${preloadTags.get(path.split('/')[1]!) ?? ''}</head>`)
      .replace('@first@', () => asText(JSON.stringify(answers)))
    const compressed = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
    return reply
      .headers({
        'content-security-policy': policy(nonce, scripts),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        // The page contains data of an account: a browser that goes back to it must fetch it again.
        'cache-control': 'no-store',
        vary: 'accept-encoding',
        ...(compressed ? { 'content-encoding': 'br' } : {}),
      })
      .type('text/html; charset=utf-8')
      .send(compressed ? await promisify(brotliCompress)(text, quickCompression) : text)
  }

  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const path = request.url.split('?')[0]!
    if (file.test(path)) {
      reply.header('x-content-type-options', 'nosniff')
      // Replaced if the file is found. A file that is missing on this node may exist on another.
      reply.header('cache-control', 'no-store')
      if (path.startsWith('/assets/') && !assets.has(path)) throw notFound()
      return reply.sendFile(path.slice(1))
    }
    const asksForPage = (request.headers.accept ?? '').includes('text/html')
    if (apiPaths.test(path) || otherFile.test(path) || !(asksForPage || path === '/')) throw notFound()
    return sendPage(request, reply, path)
  }
  app.route({ method: ['GET', 'HEAD'], url: '/*', handler: answer })
}
