/** The receipt on the buyer's page: what arrived, for which order, and when; and the lines of an order. Pure. */
import {
  type Checkout,
  type CheckoutIntent,
  isTestCheckout,
  receivedOf,
  type WithIntents,
} from '../../checkouts/checkout.ts'
import { withCheckout } from '../../checkouts/return-url.ts'
import type { Zone } from '../../core/zone.ts'
import { type Html, html, type Part } from './html.ts'
import { largeAmount, money, sentence, timeText } from './page-parts.ts'
import type { PageWords } from './page-words.ts'

/** Of more paid parts than these, the page shows no voucher each. */
const mostShared = 5

/**
 * The reference of a paid part. The first part of a payment in two has none: it was made when the buyer went on to pay the rest. Its
 * money is that of the try that ended with another amount, whose reference the buyer sent.
 */
const referenceOf = (part: CheckoutIntent, intents: readonly CheckoutIntent[]): string =>
  part.reference !== ''
    ? part.reference
    : (intents.find(
        ({ status, alertId, paid, reference }) =>
          status === 'WRONG_AMOUNT' &&
          alertId !== null &&
          alertId === part.alertId &&
          paid !== null &&
          reference !== '',
      )?.reference ?? '')

/** `returns`: the page goes back to the shop by itself. */
export const receiptCard = (
  { checkout, intents }: WithIntents,
  zone: Zone,
  words: PageWords,
  returns: boolean,
  /** The address of the forms that share a voucher. */
  share: string,
): Html => {
  const paid = intents.filter(({ status }) => status === 'VERIFIED')
  const at = Math.max(...paid.map(({ verifiedAt }) => verifiedAt ?? 0))
  const { arrived, forgiven } = receivedOf(intents)
  const rows = paid.map((part) => {
    const { code, arrival } = part
    const reference = referenceOf(part, intents)
    return html`<dt>${words.code}</dt><dd><bdi>${code}</bdi></dd>${
      paid.length > 1 &&
      arrival !== null &&
      html`<dt>${words.sentAmount}</dt><dd><bdi>${money(arrival.arrived, words)}</bdi></dd>`
    }${reference !== '' && html`<dt>${words.reference}</dt><dd><bdi>${reference}</bdi></dd>`}`
  })
  const isTest = isTestCheckout(checkout, intents)
  // The mark is inside the card, so that it is on every print and picture of the receipt.
  return html`<section class="card paid"><h1>${isTest ? words.testPaid : words.paidLong}</h1>${largeAmount(arrived, words)}<div><span class="stamp${isTest && ' trial'}">${isTest ? words.testStamp : words.paid}</span></div><dl>${
    checkout.externalOrderId !== '' &&
    html`<dt>${sentence(words.order, { order: '' })}</dt><dd><bdi>${checkout.externalOrderId}</bdi></dd>`
  }${arrived !== checkout.amount && html`<dt>${words.price}</dt><dd><bdi>${money(checkout.amount, words)}</bdi></dd>`}${
    forgiven > 0n && html`<dt>${words.forgiven}</dt><dd><bdi>${money(forgiven, words)}</bdi></dd>`
  }${rows}<dt>${words.paidAt}</dt><dd><bdi>${timeText(at, zone)}</bdi></dd></dl>${itemsOf(checkout, words)}<p class="quiet keep">${words.receipt}</p><p class="pair"><button type="button" class="copy plain" data-copy="">${words.copyLink}</button><button type="button" class="copy plain" data-print>${words.print}</button></p>${paid
    .slice(0, mostShared)
    .map(
      (intent) =>
        html`<form method="post" target="_blank" rel="noopener" action="${share}"><input type="hidden" name="code" value="${intent.code}"><p><button class="plain">${words.voucher}${
          paid.length > 1 && intent.arrival !== null && html` <bdi>${money(intent.arrival.arrived, words)}</bdi>`
        }</button></p></form>`,
    )}${
    returns && html`<p class="quiet">${words.returning}</p>`
  }<details><summary>${words.paidTwice}</summary><p>${words.paidTwiceLong}</p></details>${
    checkout.returnUrl !== '' &&
    html`<a class="button" target="_top" href="${withCheckout(checkout.returnUrl, checkout.id)}">${words.back}</a>`
  }</section>`
}

/** The description and the lines of the order; at most 30 lines. */
export const itemsOf = ({ description, items }: Checkout, words: PageWords): Part => {
  if (items === '[]') return description !== '' && html`<p dir="auto">${description}</p>`
  const lines = JSON.parse(items) as { name: string; quantity: number; total_price: string }[]
  const shown = lines.slice(0, 30).map((line) => {
    const total = line.total_price.replace(/\.00$/, '').replace(/\B(?=(\d{3})+(?!\d))/g, ',')
    return html`<li><bdi>${line.name}</bdi> × <bdi>${line.quantity}</bdi>: <bdi>${total}</bdi> ${words.currency}</li>`
  })
  if (lines.length > 30) shown.push(html`<li>…</li>`)
  return [
    description !== '' && html`<p dir="auto">${description}</p>`,
    lines.length > 0 && html`<details><summary>${words.details}</summary><ul>${shown}</ul></details>`,
  ]
}
