/**
 * The guide at `/docs/guide`: pages in both languages, rendered once from docs/guide, with a search that runs in the
 * browser. A page loads only files of this server, and its policy allows nothing else. Without scripts the page of contents
 * lists every heading.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../answers.ts'
import { Html, html } from '../pay/html.ts'
import { type Book, type GuidePage, guideBase, guidePages, readBook } from './guide-book.ts'
import { guideStyle } from './guide-style.ts'
import { guideWords, type Language, languageOf, languages } from './guide-words.ts'
import { medusaPackage, sdkPackage, vendurePackage } from './npm-packages.ts'
import { laravelPackage, phpPackage } from './php-package.ts'
import { pythonWheel, wheelName } from './python-package.ts'
import { woocommercePackage } from './woocommerce-package.ts'

/** The text of a script for the browser: plain JavaScript, because nothing builds it. */
const source = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
/** One script without modules: guide-search.js uses the functions of guide-find.js, which comes before it. */
const script = `${source('./guide-find.js').replaceAll(/^export /gm, '')}\n${source('./guide-search.js')}`

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const mark = new Html(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0F5C63"/><path d="M9 17l5 5 9-11" fill="none" stroke="#FBFAF7" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)

const files = {
  style: `${guideBase}/guide.css`,
  script: `${guideBase}/guide-search.js`,
  icon: `${guideBase}/guide.svg`,
  sdk: `${guideBase}/sanad-sdk.tgz`,
  php: `${guideBase}/sanad-php.zip`,
  laravel: `${guideBase}/sanad-laravel.zip`,
  python: `${guideBase}/sanad-python.whl`,
  vendure: `${guideBase}/sanad-vendure.tgz`,
  medusa: `${guideBase}/sanad-medusa.tgz`,
  woocommerce: `${guideBase}/sanad-for-woocommerce.zip`,
}
/** The path of a page; without a page, of the contents. */
const pathOf = (language: Language, page: GuidePage | '' = ''): string => `${guideBase}/${language}/${page}`
const indexOf = (language: Language): string => `${guideBase}/${language}/search-index.json`

type PageContent = {
  readonly language: Language
  readonly page: GuidePage | ''
  readonly title: string
  readonly main: Html
}

const document = (book: Book, { language, page, title, main }: PageContent): string => {
  const words = guideWords[language]
  const other: Language = language === 'ar' ? 'en' : 'ar'
  const listed = guidePages.map(
    (name) =>
      html`<li><a href="${pathOf(language, name)}"${name === page && new Html(' aria-current="page"')}>${book.pages[language][name].title}</a></li>`,
  )
  return html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · ${words.name}</title>
<link rel="icon" type="image/svg+xml" href="${files.icon}">
<link rel="stylesheet" href="${files.style}">
<link rel="alternate" hreflang="${other}" href="${pathOf(other, page)}">
<script defer src="${files.script}"></script>
</head>
<body data-index="${indexOf(language)}" data-nothing="${words.nothing}" data-unavailable="${words.unavailable}" data-results="${words.results}" data-copy="${words.copy}" data-copied="${words.copied}">
<a class="skip" href="#main">${words.skip}</a>
<header><div class="bar">
<a class="brand" href="${pathOf(language)}">${mark}${words.name}</a>
<div class="search" role="search" hidden><input type="search" aria-label="${words.search}" placeholder="${words.search}" autocomplete="off" spellcheck="false"><ol class="results" hidden></ol></div>
<nav class="links"><a class="down" href="#pages">${words.contents}</a><a href="/docs">${words.reference}</a><a href="${pathOf(other, page)}" lang="${other}" hreflang="${other}">${words.other}</a></nav>
</div></header>
<div class="frame">
<main id="main">${main}</main>
<nav class="pages" id="pages" aria-label="${words.contents}"><h2>${words.contents}</h2><ol>${listed}
<li><a href="${pathOf(language)}"${page === '' && new Html(' aria-current="page"')}>${words.allHeadings}</a></li></ol></nav>
</div>
</body>
</html>`.text
}

/** The links to the previous and the next page. */
const neighbourLinks = (book: Book, language: Language, page: GuidePage): Html => {
  const words = guideWords[language]
  const at = guidePages.indexOf(page)
  const link = (to: GuidePage | undefined, kind: 'previous' | 'next'): Html | undefined =>
    to === undefined
      ? undefined
      : html`<a class="${kind}" rel="${kind === 'next' ? 'next' : 'prev'}" href="${pathOf(language, to)}"><small>${words[kind]}</small>${book.pages[language][to].title}</a>`
  return html`<nav class="around">${link(guidePages[at - 1], 'previous')}${link(guidePages[at + 1], 'next')}</nav>`
}

/** Every heading of every page as a plain list, for readers without the search. */
const contents = (book: Book, language: Language): Html => {
  const words = guideWords[language]
  const rows = guidePages.map((page) => {
    const { title, headings } = book.pages[language][page]
    const inner = headings
      .filter(({ level }) => level > 1)
      .map(({ id, text }) => html`<li><a href="${pathOf(language, page)}#${encodeURIComponent(id)}">${text}</a></li>`)
    return html`<li><a href="${pathOf(language, page)}">${title}</a>${inner.length > 0 && html`<ul>${inner}</ul>`}</li>`
  })
  return html`<h1>${words.name}</h1><p>${words.contentsLead}</p>
<p><a href="/docs">${words.reference}</a> · <a href="/docs/checkout">${words.checkouts}</a> · <a href="/docs/developer">${words.developer}</a></p><ol class="toc">${rows}</ol>`
}

const searchIndex = (book: Book, language: Language): string =>
  JSON.stringify(
    guidePages.flatMap((page) => {
      const { title, sections } = book.pages[language][page]
      return sections.map(({ id, heading, text }, at) => [
        at === 0 ? pathOf(language, page) : `${pathOf(language, page)}#${encodeURIComponent(id)}`,
        title,
        heading,
        text,
      ])
    }),
  )

type Answer = {
  readonly type: string
  readonly policy: string
  readonly etag: string
  readonly plain: Buffer
  /** Undefined: the content is compressed already, so it is always sent as `plain`. */
  readonly gzipped: Buffer | undefined
  /** The name under which the file is saved: pip reads name and version from it. */
  readonly saveAs?: string
}

const etagOf = (content: Buffer): string => `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

const answerOf = (text: string, type: string, allowed = policy): Answer => {
  const plain = Buffer.from(text)
  return { type: `${type}; charset=utf-8`, policy: allowed, etag: etagOf(plain), plain, gzipped: gzipSync(plain) }
}

const archiveAnswer = (plain: Buffer, type: string): Answer => ({
  type,
  policy,
  etag: etagOf(plain),
  plain,
  gzipped: undefined,
})

/** A picture contains its style, which the policy allows by its hash. */
const pictureAnswer = (text: string): Answer => {
  const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  return answerOf(text, 'image/svg+xml', `default-src 'none'; style-src 'sha256-${hash}'`)
}

/** Every path of the guide with its answer. */
export const guideAnswers = (): Map<string, Answer> => {
  const book = readBook()
  const answers = new Map<string, Answer>([
    [files.style, answerOf(guideStyle, 'text/css')],
    [files.script, answerOf(script, 'text/javascript')],
    [files.icon, answerOf(mark.text, 'image/svg+xml')],
    [files.sdk, archiveAnswer(sdkPackage(), 'application/gzip')],
    [files.vendure, archiveAnswer(vendurePackage(), 'application/gzip')],
    [files.medusa, archiveAnswer(medusaPackage(), 'application/gzip')],
    [files.woocommerce, archiveAnswer(woocommercePackage(), 'application/zip')],
    [files.php, archiveAnswer(phpPackage(), 'application/zip')],
    [files.laravel, archiveAnswer(laravelPackage(), 'application/zip')],
    [files.python, { ...archiveAnswer(pythonWheel(), 'application/zip'), saveAs: wheelName() }],
  ])
  for (const language of languages) {
    const page = (content: Omit<PageContent, 'language'>): Answer =>
      answerOf(document(book, { language, ...content }), 'text/html')
    answers.set(indexOf(language), answerOf(searchIndex(book, language), 'application/json'))
    answers.set(
      pathOf(language),
      page({ page: '', title: guideWords[language].contents, main: contents(book, language) }),
    )
    for (const name of guidePages) {
      const { title, html: body } = book.pages[language][name]
      const main = html`${new Html(body)}${neighbourLinks(book, language, name)}`
      answers.set(pathOf(language, name), page({ page: name, title, main }))
    }
  }
  for (const { url, type, text } of book.files)
    answers.set(url, type === 'image/svg+xml' ? pictureAnswer(text) : answerOf(text, type))
  return answers
}

const send = (request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply => {
  reply.headers({
    'content-security-policy': answer.policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    etag: answer.etag,
  })
  if (answer.saveAs !== undefined) reply.header('content-disposition', `attachment; filename="${answer.saveAs}"`)
  if (request.headers['if-none-match'] === answer.etag) return reply.code(304).send()
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  if (!takesGzip || answer.gzipped === undefined) return reply.type(answer.type).send(answer.plain)
  return reply.type(answer.type).header('content-encoding', 'gzip').send(answer.gzipped)
}

export const guide = async (app: FastifyInstance): Promise<void> => {
  // Rendered at the first request for a page: most processes never show one.
  let answers: Map<string, Answer> | undefined
  const answerAt = (path: string): Answer | undefined => {
    answers ??= guideAnswers()
    return answers.get(path) ?? answers.get(`${path}/`) ?? answers.get(path.replace(/\/$/, ''))
  }
  const home = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply
      .headers({ vary: 'accept-language', 'cache-control': 'no-cache' })
      .redirect(pathOf(languageOf(String(request.headers['accept-language'] ?? ''))), 302)

  app.get(guideBase, home)
  app.get(`${guideBase}/*`, (request, reply) => {
    const path = request.url.split('?')[0]!
    if (path === `${guideBase}/`) return home(request, reply)
    const answer = answerAt(path)
    if (answer === undefined) throw notFound()
    return send(request, reply, answer)
  })
}
