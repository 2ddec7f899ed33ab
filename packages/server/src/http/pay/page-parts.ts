/** The parts that the buyer's pages have in common: the document with the shop's name and logo, amounts and times. Pure. */
import type { Locale } from '../../checkouts/checkout.ts'
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import { formatMinor, type Minor, minor } from '../../core/money.ts'
import type { Zone } from '../../core/zone.ts'
import { escapeText, Html, html, type Part } from './html.ts'
import type { ShopContact } from './no-contact-words.ts'
import type { PageText } from './page-answer.ts'
import { type PageWords, pageWords } from './page-words.ts'

export type PageLogo = { readonly url: string; readonly width: number; readonly height: number }

export type PageDocument = {
  readonly locale: Locale
  readonly title: string
  /** The address of the same page in the other language; undefined: the page has no address of its own. */
  readonly otherLanguage: string | undefined
  readonly shop: string
  /** `#RRGGBB` for a band at the top; empty: none. */
  readonly color?: string
  readonly logo?: PageLogo | null
  /** For the script: the address of the page, the address of its live state, and the state that is shown. */
  readonly url?: string
  readonly live?: string
  readonly state?: string
  /** The address to which the buyer is redirected after three seconds. */
  readonly back?: string | undefined
  /** The sites that may show the page in a frame: its state is sent to them. */
  readonly frameOrigins?: readonly string[]
  /** Without the script the page is loaded again after so many seconds. */
  readonly refresh_s?: number | undefined
  readonly body: Html
  readonly foot?: Part
}

/** Puts values into a sentence. Each value keeps its own direction of writing (`bdi`). */
export const sentence = (text: string, values: Readonly<Record<string, string>>): Html => {
  const parts = partsOfSentence(text)
  let all = parts[0]!
  for (let i = 1; i < parts.length; i += 2) all += `<bdi>${escapeText(values[parts[i]!] ?? '')}</bdi>${parts[i + 1]}`
  return new Html(all)
}

const sentences = new Map<string, readonly string[]>()

/** The sentence cut into escaped texts and names of values, alternating. Cached: sentences are constants, so there are few. */
const partsOfSentence = (text: string): readonly string[] => {
  const cached = sentences.get(text)
  if (cached !== undefined) return cached
  const parts = text.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? escapeText(part) : part))
  sentences.set(text, parts)
  return parts
}

/** `1,500` or `1,500.50`. */
export const plainAmount = (amount: Minor): string => {
  if (amount < 0n) return `-${plainAmount(minor(-amount))}`
  const text = formatMinor(amount)
  const point = text.length - 3
  let first = point % 3 === 0 ? 3 : point % 3
  let grouped = text.slice(0, first)
  for (; first < point; first += 3) grouped += `,${text.slice(first, first + 3)}`
  return text.endsWith('.00') ? grouped : grouped + text.slice(point)
}

/** `1500` or `1500.50`: as a buyer types it into a wallet's app. */
export const typedAmount = (amount: Minor): string => formatMinor(amount).replace(/\.00$/, '')

/** The space does not break: an amount and its currency stay on one line. */
export const money = (amount: Minor, words: PageWords): string => `${plainAmount(amount)}\u00a0${words.currency}`

export const largeAmount = (amount: Minor, words: PageWords): Html =>
  html`<span class="amount"><bdi>${plainAmount(amount)}</bdi> <small>${words.currency}</small></span>`

/** `2026-01-02 06:04`, in the zone of the shop. */
export const timeText = (at: Instant, zone: Zone): string => zone.format(new Date(at)).slice(0, 16).replace('T', ' ')

/** An end, without the date if it is today: `06:04`. Its seconds are left out: the page counts down the last ten minutes. */
export const soonText = (at: Instant, zone: Zone, now: Instant): string => {
  const then = zone.format(new Date(at))
  const isToday = zone.format(new Date(now)).startsWith(then.slice(0, 11))
  return isToday ? then.slice(11, 16) : `${then.slice(0, 10)} ${then.slice(11, 16)}`
}

// English has all of these texts too.
const plural = new Intl.PluralRules('ar')

export const waitText = (wait_ms: number, words: PageWords): string => {
  const minutes = Math.round(wait_ms / minute_ms)
  if (minutes < 1) return words.seconds
  const form = plural.select(minutes)
  if (form === 'one') return words.minuteOne
  if (form === 'two') return words.minuteTwo
  return (form === 'few' ? words.minutesFew : words.minutes).replace('{n}', String(minutes))
}

/**
 * Whom to ask if there is a problem, and how. The message already contains the order and the code of the payment, so that the
 * shop finds it. A shop without contacts has other words (no-contact-words.ts).
 */
export const helpOf = (
  shop: ShopContact & { readonly name: string },
  words: PageWords,
  subjects: readonly string[] = [],
  code?: string,
): Part => {
  const text = code === undefined ? words.helpPlain : words.help
  const message = [...subjects, code ?? ''].filter((part) => part !== '').join(' / ')
  return [
    text !== '' && html`<p>${sentence(text, { shop: shop.name, code: code ?? '' })}</p>`,
    shop.whatsapp !== '' &&
      html`<p><a class="button plain" rel="noreferrer" target="_top" href="https://wa.me/${shop.whatsapp}?text=${encodeURIComponent(message)}">${words.whatsapp}</a></p>`,
    shop.phone !== '' &&
      html`<p><a class="button plain" href="tel:${shop.phone}">${sentence(words.call, { phone: shop.phone })}</a></p>`,
  ]
}

const refreshTag = (seconds: number | undefined, target: string | undefined): Part => {
  if (target !== undefined) return html`<noscript><meta http-equiv="refresh" content="3;url=${target}"></noscript>`
  return seconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`
}

export const document = (page: PageDocument): PageText => {
  const words = pageWords[page.locale]
  const other = page.locale === 'ar' ? 'en' : 'ar'
  const frames = page.frameOrigins?.length ? page.frameOrigins.join(' ') : undefined
  const rest = html`<title>${page.title}</title>${refreshTag(page.refresh_s, page.back)}</head><body${data('url', page.url)}${data('live', page.live)}${data('state', page.state)}${data('back', page.back)}${data('frames', frames)}>${band(page.color ?? '')}<header><b>${logoOf(page.logo ?? null)}${page.shop}</b>${
    page.otherLanguage !== undefined &&
    html`<a href="${page.otherLanguage}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a>`
  }</header><main>${page.body}</main>${page.foot !== undefined && html`<footer>${page.foot}</footer>`}</body></html>`
  return { locale: page.locale, rest: rest.text }
}

/** The alternative text is empty, because the shop's name is beside the logo. */
const logoOf = (logo: PageLogo | null): Part =>
  logo !== null && html`<img src="${logo.url}" width="${logo.width}" height="${logo.height}" alt="">`

/** A band in the colour of the shop. It is a picture, because the policy allows no inline style. */
const band = (color: string): Part =>
  color !== '' &&
  html`<svg class="band" aria-hidden="true" viewBox="0 0 1 1" preserveAspectRatio="none"><rect width="1" height="1" fill="${color}"/></svg>`

const data = (name: string, value: string | undefined): Part =>
  value !== undefined && new Html(` data-${name}="${escapeText(value)}"`)
