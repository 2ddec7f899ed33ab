/** The guide at /docs/guide: every page exists in both languages, no link is broken, every error code has a cause and a cure. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { Script } from 'node:vm'
import { catalogue } from '@sanad/contract/error-catalogue'
import { checkoutErrors, knownErrors } from '@sanad/contract/errors'
import Fastify from 'fastify'
import { guideBase, guidePages, readBook } from '../../src/http/guide/guide-book.ts'
import { guide, guideAnswers } from '../../src/http/guide/guide-pages.ts'
import { languageOf, languages } from '../../src/http/guide/guide-words.ts'

const book = readBook()
const answers = guideAnswers()
const pages = languages.flatMap((language) =>
  guidePages.map((page) => ({ language, page, ...book.pages[language][page] })),
)
const htmlOf = (path: string): string => answers.get(path)!.plain.toString()

const app = Fastify()
await app.register(guide)
after(() => app.close())

test('every page is served in both languages, each in its own direction', async () => {
  for (const { language, page, title } of pages) {
    const answer = await app.inject(`${guideBase}/${language}/${page}`)
    assert.equal(answer.statusCode, 200, `${language} ${page}`)
    assert.match(answer.body, new RegExp(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`))
    assert.ok(answer.body.includes('<h1 id='), title)
    // Markdown that the renderer does not know would be shown to the reader.
    assert.doesNotMatch(answer.body.replace(/<pre[\s\S]*?<\/pre>|<code[\s\S]*?<\/code>/g, ''), /\*\*|\]\(|```|&lt;!--/)
  }
})

test('a page has the same number of sections, programs and tables in both languages', () => {
  const shape = (html: string) =>
    ['<h2', '<h3', '<figure', '<table', '<aside', '<img'].map((tag) => `${tag} ${html.split(tag).length - 1}`)
  for (const page of guidePages)
    assert.deepEqual(shape(book.pages.ar[page].html), shape(book.pages.en[page].html), page)
})

test('Arabic pages are written in Arabic, English ones in English', () => {
  const letters = (text: string, script: RegExp): number => [...text.matchAll(script)].length
  for (const { language, page, sections } of pages) {
    // The last section of the errors page quotes the English sentences of the service.
    const text = (page === 'errors' ? sections.slice(0, -1) : sections).map((section) => section.text).join(' ')
    const arabic = letters(text, /\p{Script=Arabic}/gu)
    if (language === 'en') assert.equal(arabic, 0, page)
    else assert.ok(arabic > letters(text, /\p{Script=Latin}/gu) * 0.6, page)
  }
})

test('every link, picture and file leads to something that is served', () => {
  const elsewhere = new Set(['/docs', '/docs/checkout', '/docs/dashboard', '/docs/developer'])
  for (const [path, { type }] of answers) {
    if (!type.startsWith('text/html')) continue
    for (const [, target] of htmlOf(path).matchAll(/(?:href|src|data-index)="([^"]*)"/g)) {
      if (elsewhere.has(target!)) continue
      const { pathname, hash } = new URL(target!, `http://localhost${path}`)
      assert.ok(answers.has(pathname), `${path}: ${target}`)
      const id = decodeURIComponent(hash.slice(1))
      if (id !== '') assert.ok(htmlOf(pathname).includes(` id="${id}"`), `${path}: ${target}`)
    }
  }
})

test('the links between the Markdown files work on a git host as well', () => {
  const folder = resolve(import.meta.dirname, '../../../../docs/guide')
  const broken = globSync('{*,en/*,ar/*}.md', { cwd: folder }).flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(/\]\(((?!https?:|\/|#)[^)#\s]+)/g)]
      .filter(([, target]) => !existsSync(join(folder, dirname(path), target!)))
      .map(([, target]) => `${path}: ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('programs are included from files, which tests run; a page itself contains only commands, JSON and SQL', () => {
  for (const { language, page, html } of pages)
    for (const [, caption, kind] of html.matchAll(
      /<figure class="code">(<figcaption>)?.*?<code data-language="(\w+)"/g,
    ))
      if (caption === undefined) assert.match(kind!, /^(?:sh|json|sql)$/, `${language} ${page}`)
})

test('a page loads nothing from other hosts, and its content security policy allows nothing else', async () => {
  const { headers, body } = await app.inject(`${guideBase}/en/webhooks`)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.doesNotMatch(body, /<style|style="|<script>|onclick=|(?:href|src)="(?:https?:)?\/\//)
  const picture = await app.inject(`${guideBase}/ar/life-of-a-payment.svg`)
  assert.match(String(picture.headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-[^']+'$/)
})

test('without scripts, the contents list every heading of every page', () => {
  for (const { language, page, headings } of pages)
    for (const { id, level } of headings)
      if (level > 1)
        assert.ok(htmlOf(`${guideBase}/${language}/`).includes(`/${page}#${encodeURIComponent(id)}"`), `${page} ${id}`)
})

test('the index of the search has every section with its text', () => {
  const rows = JSON.parse(htmlOf(`${guideBase}/en/search-index.json`)) as [string, string, string, string][]
  const late = rows.filter(([, , , text]) => /stays usable for 24 hours/.test(text))
  assert.deepEqual(
    late.map(([url]) => url),
    [`${guideBase}/en/references#late-money`],
  )
  assert.ok(rows.some(([url]) => url.endsWith('/errors#wallet_not_monitored')))
})

test('what developers type leads to the right section, in both languages', async () => {
  // Imported by its URL: it is JavaScript for the browser, without types.
  const { findSections, fold } = await import(new URL('../../src/http/guide/guide-find.js', import.meta.url).href)
  const searches = {
    en: {
      'install sdk': 'quick-start#the-same-in-your-own-project-typescript',
      'quick start php': 'quick-start#the-same-in-your-own-project-php',
      'late payment': 'references#late-money',
      'order paid twice?': 'references#paid-twice',
      'rate limit': 'errors#throttled',
      'hosted checkout': 'payment-page',
      'how to test expired payment': 'going-live#tests-of-your-shop',
      'localhost webhooks': 'webhooks#on-your-own-machine',
      'partial payments': 'references#the-wrong-amount',
      'idempotency key': 'idempotency',
      express: 'webhooks#typescript',
      'nothing-like-this': undefined,
    },
    ar: {
      استرداد: 'references#الاسترجاع',
      'المبلغ ناقص': 'references#المبلغ-غير-المطابق',
      'التحقق من التوقيع': 'webhooks#أربع-قواعد',
      'دفع متاخر': 'references#الدفع-المتأخر',
      'كيف اجرب على جهازي؟': 'quick-start#تشغيل-سند-على-جهازك',
      'ويب هوك': 'webhooks',
      'صفحة الدفع': 'payment-page',
      'الدفع بدون سيرفر': 'payment-page#بدون-خادم-روابط-الدفع',
      اختبار: 'going-live#اختبارات-متجرك',
      'لا-يوجد-هذا': undefined,
    },
  }
  for (const language of languages) {
    const index = JSON.parse(htmlOf(`${guideBase}/${language}/search-index.json`)) as [string, string, string, string][]
    const rows = index.map(([url, page, heading, text]) => {
      return { url, inPage: fold(page), inHeading: fold(heading), inText: fold(text) }
    })
    for (const [words, expected] of Object.entries(searches[language])) {
      const found = findSections(rows, words)[0]?.row.url
      assert.equal(found && decodeURIComponent(found), expected && `${guideBase}/${language}/${expected}`, words)
    }
  }
})

test('the script of the guide is one script without modules', () => {
  const script = htmlOf(`${guideBase}/guide-search.js`)
  assert.doesNotMatch(script, /^(?:export|import) /m)
  assert.doesNotThrow(() => new Script(script))
})

test('every error code has a cause and a cure, in both languages', () => {
  const codes = [...knownErrors, ...checkoutErrors].map(({ code }) => code)
  assert.deepEqual(Object.keys(catalogue).sort(), [...new Set(codes)].sort())
  for (const code of codes)
    for (const language of languages) {
      const { cause, cure } = catalogue[code][language]
      assert.ok(cause.length > 10 && cure.length > 10, code)
      assert.ok(htmlOf(`${guideBase}/${language}/errors`).includes(`id="${code}"`), code)
    }
})

test('refusals of the dashboard are on the errors page, in both languages', () => {
  for (const language of languages) {
    const page = htmlOf(`${guideBase}/${language}/errors`)
    for (const code of ['phone_has_wallets', 'endpoint_limit', 'last_owner', 'alert_not_open'])
      assert.ok(page.includes(`<code dir="ltr">${code}</code>`), code)
    assert.doesNotMatch(page, /undefined/)
  }
})

test('the guide opens in the language of the browser', async () => {
  assert.equal(languageOf('en-US,en;q=0.9,ar;q=0.8'), 'en')
  assert.equal(languageOf('ar-YE,ar;q=0.9,en;q=0.8'), 'ar')
  assert.equal(languageOf(''), 'ar')
  const answer = await app.inject({ url: guideBase, headers: { 'accept-language': 'en' } })
  assert.equal(answer.statusCode, 302)
  assert.equal(answer.headers.location, `${guideBase}/en/`)
  for (const path of [`${guideBase}/en`, `${guideBase}/en/`, `${guideBase}/en/errors/`])
    assert.equal((await app.inject(path)).statusCode, 200, path)
})

test('a page that the browser has cached is not sent again; an unknown page is 404', async () => {
  const url = `${guideBase}/en/errors`
  const first = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
  assert.equal(first.headers['content-encoding'], 'gzip')
  const again = await app.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } })
  assert.equal(again.statusCode, 304)
  for (const path of ['/fr/errors', '/en/nothing', '/en/../../../package.json', '/examples/none.py'])
    assert.equal((await app.inject(`${guideBase}${path}`)).statusCode, 404, path)
})
