/**
 * The public page of a voucher: the shop, what arrived, the order, the time, the state, the mark of test money, and the first name
 * of the payer. If it is not paid, the first line says so, and no large amount is shown. Pure.
 */
import { currencies } from '@sanad/contract/currency'
import type { Locale } from '../../checkouts/checkout.ts'
import { formatMinor, type Minor } from '../../core/money.ts'
import type { Zone } from '../../core/zone.ts'
import type { PublicVoucher } from '../../views/vouchers/public-voucher.ts'
import { minifiedScript } from '../minify/minify-script.ts'
import { minifiedStyle } from '../minify/minify-style.ts'
import { escapeText, type Html, html, type Part, unmarked } from '../pay/html.ts'
import { timeText } from '../pay/page-parts.ts'
import { voucherWords } from './voucher-words.ts'

/** The rules for paper are last, and are the dashboard's too: both print the same voucher. */
export const style = ['voucher-style', 'voucher-paper']
  .map((name) => minifiedStyle(new URL(`./browser/${name}.css`, import.meta.url)))
  .join('')
/** Draws the picture of a voucher; the dashboard loads it too. */
export const imageScript = minifiedScript(new URL('./browser/voucher-image.ts', import.meta.url), 'es5')
export const pageScript = minifiedScript(new URL('./browser/voucher-script.ts', import.meta.url), 'es5')

const beginningOf = (locale: Locale): string =>
  `<!doctype html><html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><style>${style}</style><script>${imageScript}</script><script>${pageScript}</script>`
const beginnings = { ar: beginningOf('ar'), en: beginningOf('en') }

const currencyWord = (currency: string, locale: Locale): string =>
  (currencies as Readonly<Record<string, Readonly<Record<Locale, string>>>>)[currency]?.[locale] ?? currency

/** `1,500` and `.00`. */
const partsOf = (amount: Minor): readonly [whole: string, cents: string] => {
  const text = formatMinor(amount)
  return [text.slice(0, -3).replace(/\B(?=(\d{3})+$)/g, ','), text.slice(-3)]
}

/** More characters do not fit in large letters on paper of 58 mm. */
const mostLarge = 9

export const voucherPage = (voucher: PublicVoucher, locale: Locale, path: string, zone: Zone): string => {
  const words = voucherWords[locale]
  const { state, isTest, arrived, asked, shop } = voucher
  const isPaid = state === 'VERIFIED'
  const tone = isTest ? 'test' : isPaid ? 'paid' : 'not'
  const currency = currencyWord(voucher.currency, locale)
  const first = isPaid
    ? isTest
      ? words.testPaid
      : words.state.VERIFIED
    : isTest
      ? words.testNot.replace('{state}', words.state[state])
      : words.state[state]
  const money = (amount: Minor): string => `${partsOf(amount).join('').replace(/\.00$/, '')}\u00a0${currency}`
  const row = (name: string, value: string): Part =>
    value !== '' && html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`
  const time = timeText(voucher.at, zone)
  const other = locale === 'ar' ? 'en' : 'ar'
  const data = (name: 'copied' | 'saved' | 'failed'): string => ` data-${name}="${escapeText(words[name])}"`
  const body: Html = html`<main><section class="card paper" data-tone="${tone}"><p class="state">${first}</p><h1 class="shop"><bdi>${shop.name}</bdi></h1>${
    isPaid && [
      largeAmount(arrived ?? asked, currency),
      html`<p class="mark"><span class="stamp">${isTest ? words.testStamp : words.stamp} <bdi>${time.slice(11)}</bdi></span></p>`,
    ]
  }<dl>${row(words.order, voucher.order)}${
    !isPaid && [row(words.arrived, arrived === null ? words.nothing : money(arrived)), row(words.asked, money(asked))]
  }${row(words.payer, voucher.payer)}${row(words.at[state], time)}</dl><p class="check">${words.check}</p></section></main><nav><button type="button" data-act="image">${words.image}</button><button type="button" data-act="copy">${words.copy}</button><button type="button" data-act="print">${words.print}</button><a href="${path}?lang=${other}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a><p role="status"></p></nav>`
  const title = `${isPaid && !isTest ? '' : `${first} · `}${words.title.replace('{shop}', () => shop.name)}`
  return `${beginnings[locale]}<title>${escapeText(title)}</title></head><body data-tone="${tone}"${data('copied')}${data('saved')}${data('failed')}>${unmarked(body.text)}</body></html>`
}

const largeAmount = (amount: Minor, currency: string): Html => {
  const [whole, cents] = partsOf(amount)
  return html`<p class="amount${whole.length > mostLarge && ' long'}"><bdi><span class="whole">${whole}</span><span class="cents${cents === '.00' && ' dim'}">${cents}</span></bdi> <small class="currency">${currency}</small></p>`
}
