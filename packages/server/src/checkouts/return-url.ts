/**
 * The addresses of the merchant's shop to which a page sends its buyer. They come from the merchant's server and never from a
 * request of the page, so a page redirects nowhere else. Pure.
 */
import type { CheckoutId } from '../core/ids.ts'

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)

// URL parsers drop white space and control characters: the address that is shown would not be the one that is opened.
const unsafe = /[\s\p{Cc}\p{Cf}\\]/u

export type UrlFault = 'not_a_url' | 'url_with_user' | 'url_not_https'

/** What is wrong with the URL; undefined: nothing. `development`: plain http to this machine is allowed. */
export const urlFault = (text: string, development: boolean): UrlFault | undefined => {
  const url = unsafe.test(text) ? null : URL.parse(text)
  if (url === null || !/^https?:\/\//i.test(text)) return 'not_a_url'
  if (url.username !== '' || url.password !== '') return 'url_with_user'
  if (url.protocol === 'https:') return undefined
  if (development && isLoopback(url.hostname)) return undefined
  return 'url_not_https'
}

/** The shop's address with the id of the checkout. The id is no proof of payment: only the API and the webhook are. */
export const withCheckout = (text: string, id: CheckoutId): string => {
  const url = new URL(text)
  url.searchParams.set('checkout', id)
  return url.href
}
