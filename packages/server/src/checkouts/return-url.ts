/**
 * The addresses of the merchant's shop to which a page sends its buyer. They come from the merchant's server and never from a
 * request of the page, so a page redirects nowhere else. Pure.
 */
import type { CheckoutId } from '../core/ids.ts'

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)

// White space and control characters are dropped by URL parsers: what is shown would not be where it leads.
const unsafe = /[\s\p{Cc}\p{Cf}\\]/u

/** What is wrong with it, as a sentence; undefined: nothing. `development`: plain http to this machine is allowed. */
export const urlFault = (text: string, development: boolean): string | undefined => {
  const url = unsafe.test(text) ? null : URL.parse(text)
  if (url === null || !/^https?:\/\//i.test(text)) return 'Enter a valid URL.'
  if (url.username !== '' || url.password !== '') return 'A URL may not contain a user name or a password.'
  if (url.protocol === 'https:') return undefined
  if (development && isLoopback(url.hostname)) return undefined
  return 'Enter a URL that begins with https://.'
}

/** The shop's address with the id of the checkout. It proves nothing: only the API and the webhook do. */
export const withCheckout = (text: string, id: CheckoutId): string => {
  const url = new URL(text)
  url.searchParams.set('checkout', id)
  return url.href
}
