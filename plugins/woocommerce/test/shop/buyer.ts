/** A buyer in a real browser: fills the basket and places an order by the classic checkout or by the Checkout block. */
import type { Browser, Page } from 'playwright-core'

type Shop = { readonly origin: string; readonly pages: { product: number; classic: number; blocks: number } }

type StoreAnswer = { readonly payment_result?: { readonly redirect_url: string } }

const person = {
  first: 'Made',
  last: 'Up',
  street: 'Street 1',
  city: 'Sanaa',
  phone: '777000111',
  email: 'buyer@shop.example',
}

const newPage = async (browser: Browser, locale: string): Promise<Page> => {
  const context = await browser.newContext({ locale, viewport: { width: 1440, height: 1000 } })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  return page
}

/** Opens the classic checkout with one product, and fills it in. */
export const openClassic = async (browser: Browser, { origin, pages }: Shop, locale = 'en'): Promise<Page> => {
  const page = await newPage(browser, locale)
  await page.goto(`${origin}/?page_id=${pages.classic}&add-to-cart=${pages.product}`)
  await page.fill('#billing_first_name', person.first)
  await page.fill('#billing_last_name', person.last)
  await page.fill('#billing_address_1', person.street)
  await page.fill('#billing_city', person.city)
  await page.fill('#billing_phone', person.phone)
  await page.fill('#billing_email', person.email)
  return page
}

/**
 * Presses the button until the order is sent. Both checkouts store the address when a field is left, and ignore a press meanwhile.
 */
const pressUntilSent = async (page: Page, button: string, path: string): Promise<void> => {
  let isSent = false
  page.on('request', (request) => {
    if (request.method() === 'POST' && decodeURIComponent(request.url()).includes(path)) isSent = true
  })
  for (let tries = 10; !isSent && tries > 0; tries--) {
    await page.waitForLoadState('networkidle')
    if (isSent) break
    await page
      .locator(button)
      .click({ timeout: 5_000 })
      .catch(() => {})
    await page.waitForTimeout(1_000)
  }
  if (!isSent) throw new Error(`${page.url()} sent no order`)
}

export const placeClassic = (page: Page): Promise<void> => pressUntilSent(page, '#place_order', 'wc-ajax=checkout')

/** Opens the page with the Checkout block with one product, and fills it in. Its payment method is the one that the block shows. */
export const openBlocks = async (browser: Browser, { origin, pages }: Shop, locale = 'en'): Promise<Page> => {
  const page = await newPage(browser, locale)
  await page.goto(`${origin}/?page_id=${pages.classic}&add-to-cart=${pages.product}`)
  await page.goto(`${origin}/?page_id=${pages.blocks}`)
  await page.fill('#email', person.email)
  const field = (name: string) => page.locator(`#billing-${name}, #billing-${name.replace('_', '-')}`).first()
  await field('first_name').fill(person.first)
  await field('last_name').fill(person.last)
  await field('address_1').fill(person.street)
  await field('city').fill(person.city)
  await field('phone').fill(person.phone)
  return page
}

export const placeBlocks = (page: Page): Promise<void> =>
  pressUntilSent(page, '.wc-block-components-checkout-place-order-button', '/wc/store/v1/checkout')

/** Orders through the Store API, as a storefront of its own would. Returns the status and the answer. */
export const orderByStoreApi = async (
  { origin, pages }: Shop,
  paymentData: readonly { key: string; value: string }[] = [],
): Promise<{ status: number; body: StoreAnswer }> => {
  const api = (path: string): string => `${origin}/?rest_route=/wc/store/v1${path}`
  const cookiesOf = (answer: Response): string =>
    answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
  const cart = await fetch(api('/cart'))
  const headers = {
    'content-type': 'application/json',
    'cart-token': cart.headers.get('cart-token') ?? '',
    nonce: cart.headers.get('nonce') ?? '',
    cookie: cookiesOf(cart),
  }
  const added = await fetch(api('/cart/add-item'), {
    method: 'POST',
    headers,
    body: JSON.stringify({ id: pages.product, quantity: 1 }),
  })
  if (!added.ok) throw new Error(`the basket: ${added.status} ${await added.text()}`)
  const address = {
    first_name: person.first,
    last_name: person.last,
    address_1: person.street,
    city: person.city,
    country: 'YE',
    phone: person.phone,
    email: person.email,
  }
  const answer = await fetch(api('/checkout'), {
    method: 'POST',
    headers: {
      ...headers,
      nonce: added.headers.get('nonce') ?? headers.nonce,
      cookie: cookiesOf(added) || headers.cookie,
    },
    body: JSON.stringify({ billing_address: address, payment_method: 'sanad', payment_data: paymentData }),
  })
  return { status: answer.status, body: (await answer.json()) as StoreAnswer }
}
