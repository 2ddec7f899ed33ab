/**
 * The pages of the guide, read from docs/guide and rendered: the list of pages in their order, each in both languages, and
 * the files that they show. The pages do not depend on the request: they are the same for everybody.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorPage, refusalTable } from './error-page.ts'
import { guideWords, type Language, languages } from './guide-words.ts'
import { type Embeds, type Rendered, renderMarkdown } from './markdown.ts'

export const guideBase = '/docs/guide'

/** The files `docs/guide/{language}/{page}.md`, in the order in which they are read. */
export const guidePages = [
  'quick-start',
  'life-of-a-payment',
  'payment-page',
  'without-code',
  'references',
  'idempotency',
  'webhooks',
  'outcomes',
  'reconciliation',
  'errors',
  'going-live',
  'migration',
  'api-changelog',
] as const
export type GuidePage = (typeof guidePages)[number]

const folder = resolve(import.meta.dirname, '../../../../../docs/guide')

/** A file that is served unchanged. */
export type GuideFile = { readonly url: string; readonly type: string; readonly text: string }

export type Book = {
  readonly pages: Readonly<Record<Language, Readonly<Record<GuidePage, Rendered>>>>
  readonly files: readonly GuideFile[]
}

const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8')

const examples = (): Map<string, string> =>
  new Map(
    readdirSync(join(folder, 'examples'))
      .filter((name) => /\.(ts|py|php|go)$/.test(name))
      .map((name) => [name, read('examples', name)]),
  )

const pictures = (language: Language): GuideFile[] =>
  readdirSync(join(folder, language))
    .filter((name) => name.endsWith('.svg'))
    .map((name) => ({ url: `${guideBase}/${language}/${name}`, type: 'image/svg+xml', text: read(language, name) }))

/** Throws if a page is missing or its Markdown is wrong; a test reads all pages. */
export const readBook = (): Book => {
  const programs = examples()
  const embedsFor = (language: Language): Embeds => ({
    tabsName: guideWords[language].tabs,
    link: (target) => target.replace(/^([\w-]+)\.md(?=#|$)/, `${guideBase}/${language}/$1`),
    picture: (target) => `${guideBase}/${language}/${target}`,
    example: (target) => {
      const name = /^\.\.\/examples\/([\w.-]+)$/.exec(target)?.[1]
      const text = name === undefined ? undefined : programs.get(name)
      return name === undefined || text === undefined ? undefined : { name, url: `${guideBase}/examples/${name}`, text }
    },
    generated: (name) => {
      if (name === 'error-codes') return errorPage(language)
      return name === 'dashboard-refusals' ? refusalTable(language) : undefined
    },
  })
  const pagesIn = (language: Language) =>
    Object.fromEntries(
      guidePages.map((page) => [page, renderMarkdown(read(language, `${page}.md`), embedsFor(language))]),
    ) as Record<GuidePage, Rendered>
  return {
    pages: { en: pagesIn('en'), ar: pagesIn('ar') },
    files: [
      ...languages.flatMap(pictures),
      ...[...programs].map(([name, text]) => ({ url: `${guideBase}/examples/${name}`, type: 'text/plain', text })),
    ],
  }
}
