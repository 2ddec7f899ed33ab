/** Helps a buyer to pay: the QR code of the account number, a link to the company's app, and a sample message. Pure. */
import { LRUCache } from 'lru-cache'
import { encode } from 'uqr'
import { buyerSamples } from '../../checkouts/buyer/buyer-templates.ts'
import { appLinkTo, type Company } from '../../checkouts/company/company.ts'
import { Html, html, type Part } from './html.ts'
import { sentence } from './page-parts.ts'
import type { PageWords } from './page-words.ts'

/** The margin around the code, in modules (squares), which scanners need. */
const border = 4

/** Drawing a code costs some hundred times as much as finding it here. */
const drawings = new LRUCache<string, Html>({ max: 1_000 })

/** Draws the dark modules as one path, row by row. */
const drawQr = (text: string): Html => {
  const cached = drawings.get(text)
  if (cached !== undefined) return cached
  const { data, size } = encode(text, { ecc: 'M', border })
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`),
  )
  const path = new Html(`viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${runs.join('')}"/></svg>`)
  drawings.set(text, path)
  return path
}

export const accountCode = (account: string, company: string, words: PageWords): Html =>
  html`<details><summary>${words.qr}</summary><svg class="qr" role="img" aria-label="${words.qr}" ${drawQr(account)}<p class="quiet">${sentence(words.qrHint, { company })}</p></details>`

export const appButton = (company: Company, account: string, amount: string, words: PageWords): Part => {
  const link = appLinkTo(company, account, amount)
  return (
    link !== undefined &&
    html`<p><a class="button plain" rel="noreferrer" href="${link}">${sentence(words.openApp, { company: company.name })}</a></p>`
  )
}

/** A sample message with its reference marked: in the company's wording, or a general one if that is not known. */
const example = (company: Company, words: PageWords): Html => {
  const sample = buyerSamples.find(({ provider, amount }) => provider === company.key && amount !== undefined)
  if (company.key === '' || sample?.reference == null)
    return html`${words.sample} ${words.sampleNumber} <mark><bdi>220700001234</bdi></mark>`
  const [before = '', after = ''] = sample.text.split(sample.reference)
  return html`<span lang="ar" dir="rtl">${before}<mark><bdi>${sample.reference}</bdi></mark>${after}</span>`
}

export const whereToFind = (company: Company, words: PageWords): Html =>
  html`<details><summary>${words.where}</summary><p>${sentence(words.whereLong, { company: company.name })}</p><p class="sample"><b>${company.name}</b>${example(company, words)}</p></details>`
