/** What helps a buyer to pay: the QR code of the account number, the company's app, and a drawn message with its number. Pure. */
import { LRUCache } from 'lru-cache'
import { encode } from 'uqr'
import { buyerSamples } from '../../checkouts/buyer/buyer-templates.ts'
import { appLinkTo, type Company } from '../../checkouts/company/company.ts'
import { Html, html, type Part } from './html.ts'
import { sentence } from './page-parts.ts'
import type { PageWords } from './page-words.ts'

/** Light modules around the code, which scanners need. */
const border = 4

/** Drawing a code costs some hundred times as much as finding it here (bench/kept-values.ts). */
const drawings = new LRUCache<string, Html>({ max: 1_000 })

/** The dark modules as one path, a run of them at a time. */
const drawn = (text: string): Html => {
  const known = drawings.get(text)
  if (known !== undefined) return known
  const { data, size } = encode(text, { ecc: 'M', border })
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`),
  )
  const made = new Html(`viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${runs.join('')}"/></svg>`)
  drawings.set(text, made)
  return made
}

export const accountCode = (account: string, company: string, words: PageWords): Html =>
  html`<details><summary>${words.qr}</summary><svg class="qr" role="img" aria-label="${words.qr}" ${drawn(account)}<p class="quiet">${sentence(words.qrHint, { company })}</p></details>`

export const appButton = (company: Company, account: string, amount: string, words: PageWords): Part => {
  const link = appLinkTo(company, account, amount)
  return (
    link !== undefined &&
    html`<p><a class="button plain" rel="noreferrer" href="${link}">${sentence(words.openApp, { company: company.name })}</a></p>`
  )
}

/** A message as the company writes it, with its number marked; a general one where its wording is not known. */
const example = (company: Company, words: PageWords): Html => {
  const sample = buyerSamples.find((one) => one.provider === company.key && one.amount !== undefined)
  if (company.key === '' || sample?.reference == null)
    return html`${words.sample} ${words.sampleNumber} <mark><bdi>220700001234</bdi></mark>`
  const [before = '', after = ''] = sample.text.split(sample.reference)
  return html`<span lang="ar" dir="rtl">${before}<mark><bdi>${sample.reference}</bdi></mark>${after}</span>`
}

export const whereToFind = (company: Company, words: PageWords): Html =>
  html`<details><summary>${words.where}</summary><p>${sentence(words.whereLong, { company: company.name })}</p><p class="sample"><b>${company.name}</b>${example(company, words)}</p></details>`
