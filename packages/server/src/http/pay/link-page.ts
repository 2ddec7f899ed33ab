/**
 * The page of a payment link. `GET /pay/link/{token}` shows what is sold, and asks for the amount if the link does not fix
 * it. Its form creates a checkout for this buyer and redirects to the page of the checkout. Opening the link creates
 * nothing: chat apps open every link to show a preview. That must not fill the table or use up a link that can be paid once.
 *
 * The page has an invisible picture, `GET /pay/link/{token}/seen`: loading it counts the link as opened. Browsers load it
 * with or without scripts, and keep it for a day, so that loading the page again is not counted. Previews do not load it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CheckoutTokens } from '../../checkouts/checkout-token.ts'
import { type PaymentLink, priceOf } from '../../checkouts/links/payment-link.ts'
import { countLinkViewed, findPaymentLinkByToken, linkOf } from '../../checkouts/links/payment-link-sql.ts'
import { checkoutOfLink, type LinkRefusal } from '../../checkouts/links/payment-links.ts'
import type { Clock } from '../../core/clock.ts'
import type { AccountId, CheckoutId } from '../../core/ids.ts'
import { LARGEST_AMOUNT } from '../../core/money.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { payBase } from '../checkout/checkout-answer.ts'
import { linkBase } from '../checkout/payment-links.ts'
import { addressKey } from '../limits/address-key.ts'
import { countCall } from '../limits/count-call.ts'
import type { Limits, Rules } from '../limits/rule.ts'
import { requireHere } from '../moved-account.ts'
import { type Html, html } from './html.ts'
import { wordsFor } from './no-contact-words.ts'
import { inertHeaders, pageHeaders, sendPage } from './page-answer.ts'
import { document, helpOf, largeAmount, money, type PageLogo, sentence } from './page-parts.ts'
import { readableInput } from './page-query.ts'
import type { PageWords } from './page-words.ts'
import { formOf, isByScript, localeOf, PageUnavailable, queryOf, readTypedAmount } from './pay-request.ts'
import { pageLogo } from './shop-logo.ts'

type LinkPageDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly limits: Limits
  /** Null: no limits at all. */
  readonly rules: Rules | null
  readonly checkoutTokens: CheckoutTokens
  /** Called after the commit, for a checkout that was created or cancelled. */
  readonly onCheckout: (accountId: AccountId, id: CheckoutId) => void
  readonly onFault: (fault: unknown) => void
}

type LinkVisit = {
  readonly token: string
  readonly link: PaymentLink
  readonly shop: {
    readonly name: string
    readonly color: string
    readonly logo: PageLogo | null
    readonly whatsapp: string
    readonly phone: string
    readonly frameOrigins: readonly string[]
  }
}

/** The link of the token in the path, and its shop. */
const findVisit = async (deps: LinkPageDeps, request: FastifyRequest): Promise<LinkVisit> => {
  const now = deps.clock.now()
  await countCall(deps, 'pay_address', addressKey(request.ip), now)
  const { token } = request.params as { token: string }
  const hash = deps.checkoutTokens.hash(token)
  const [row] = hash === undefined ? [] : await findPaymentLinkByToken(deps.db, hash)
  if (row === undefined) throw await PageUnavailable.ofLink(deps, request, now)
  requireHere(request.server, row.account_id)
  if (!row.shop_active) throw new PageUnavailable('closed')
  const frameOrigins = JSON.parse(row.frame_origins) as string[]
  const contact = { whatsapp: row.shop_whatsapp, phone: row.shop_phone }
  const shop = { name: row.shop_name, color: row.shop_color, logo: pageLogo(row), ...contact, frameOrigins }
  return { token, link: linkOf(row), shop }
}

const linkErrors = ['linkOff', 'linkPaid', 'linkAmount', 'linkInUse', 'errorBusy', 'errorFault'] as const
type LinkError = (typeof linkErrors)[number]
type Entered = { readonly error?: LinkError | undefined; readonly typed?: string }

const longestTyped = 40

/** What the page shows after its form, in the query of its address: see page-query.ts. */
const afterLinkForm = ({ error, typed = '' }: Entered): string =>
  error === undefined ? '' : `&error=${error}&typed=${encodeURIComponent(typed)}`

const enteredIn = (query: ReadonlyMap<string, string>): Entered => {
  const error = linkErrors.find((name) => name === query.get('error'))
  return error === undefined ? {} : { error, typed: readableInput(query.get('typed') ?? '').slice(0, longestTyped) }
}

const amountField = (link: PaymentLink, words: PageWords, typed: string): Html => {
  const { price } = link
  if (price.kind === 'fixed') return html`<p>${largeAmount(price.amount, words)}</p>`
  const bounds = { least: money(price.least, words), most: money(price.most, words) }
  const rule = price.most === LARGEST_AMOUNT ? words.linkLeast : words.linkBounds
  return html`<label for="amount">${words.linkHowMuch}</label><input id="amount" name="amount" inputmode="decimal" required maxlength="20" autocomplete="off" dir="ltr" value="${typed}"><p class="quiet">${sentence(rule, bounds)}</p>`
}

const show = (
  request: FastifyRequest,
  reply: FastifyReply,
  { link, token, shop }: LinkVisit,
  entered: Entered & { readonly status?: number } = enteredIn(queryOf(request)),
): FastifyReply => {
  const locale = localeOf(request, link.locale)
  const words = wordsFor(locale, shop, link.currency)
  const path = `${linkBase}/${token}`
  const error = link.active ? entered.error : 'linkOff'
  const isClosed = error === 'linkOff' || error === 'linkPaid'
  const page = document({
    locale,
    title: words.title.replace('{shop}', () => shop.name),
    otherLanguage: `${path}?lang=${locale === 'ar' ? 'en' : 'ar'}${afterLinkForm(entered)}`,
    shop: shop.name,
    color: shop.color,
    logo: shop.logo,
    body: html`${error !== undefined && html`<p class="error" role="alert">${words[error]}</p>`}${
      !isClosed &&
      html`<img class="seen" src="${path}/seen" width="1" height="1" alt=""><section class="card"><h1>${sentence(words.title, { shop: shop.name })}</h1>${
        link.description !== '' && html`<p dir="auto">${link.description}</p>`
      }<form method="post" action="${path}?lang=${locale}">${amountField(link, words, entered.typed ?? '')}<button>${words.linkGo}</button></form></section>`
    }`,
    foot: helpOf(shop, words, [link.description]),
  })
  return sendPage(request, reply, entered.status ?? 200, page, shop.frameOrigins)
}

/** Answers a form that was refused: the page for the page's script, a redirect to it otherwise. */
const refuseForm = (request: FastifyRequest, reply: FastifyReply, visit: LinkVisit, entered: Entered): FastifyReply => {
  if (isByScript(request)) return show(request, reply, visit, { ...entered, status: 400 })
  const query = `?lang=${localeOf(request, visit.link.locale)}${afterLinkForm(entered)}`
  return reply.code(303).headers(pageHeaders()).header('location', `${linkBase}/${visit.token}${query}`).send()
}

const errors: Readonly<Record<LinkRefusal['refused'], LinkError>> = {
  link_unknown: 'linkOff',
  link_off: 'linkOff',
  link_paid: 'linkPaid',
  link_amount: 'linkAmount',
  link_in_use: 'linkInUse',
}

const pay = (deps: LinkPageDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
  const visit = await findVisit(deps, request)
  const now = deps.clock.now()
  const { link } = visit
  // Counted by link and address together: the link on a poster has many buyers.
  await countCall(deps, 'pay_change', `link ${link.id} ${addressKey(request.ip)}`, now)
  const typed = readableInput(formOf(request).get('amount') ?? '').slice(0, longestTyped)
  const amount = readTypedAmount(typed)
  if (priceOf(link, amount) === undefined) return refuseForm(request, reply, visit, { error: 'linkAmount', typed })
  const tokens = deps.checkoutTokens
  const newCheckout = { scope: wholeAccount(link.accountId), id: link.id, amount }
  const created = await deps.db.transaction((tx) => checkoutOfLink(tx, tokens, newCheckout, now))
  if (isRefusal(created))
    return refuseForm(request, reply, visit, {
      error: errors[(created as Refusal<LinkRefusal['refused']>).refused],
      typed,
    })
  const { checkoutId, cancelled } = created as { checkoutId: CheckoutId; cancelled: CheckoutId | undefined }
  if (cancelled !== undefined) deps.onCheckout(link.accountId, cancelled)
  deps.onCheckout(link.accountId, checkoutId)
  const location = `${payBase}/${tokens.of(link.accountId, checkoutId)}?lang=${localeOf(request, link.locale)}`
  return reply.code(303).headers(pageHeaders()).header('location', location).send()
}

/** The smallest GIF: one transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const pixelHeaders = { ...inertHeaders, 'cache-control': 'private, max-age=86400, immutable' } as const

/** Whether the picture was requested by a page on a screen. Old browsers do not say; then it is assumed. */
const isPageView = ({ headers }: FastifyRequest): boolean =>
  (headers['sec-fetch-dest'] ?? 'image') === 'image' && !/prefetch/i.test(String(headers['sec-purpose'] ?? ''))

/** Counts a view. A view that is not counted (a prefetch, or too many views of this link) gets the same picture. */
const countView = (deps: LinkPageDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
  // The link may be counted in another cell.
  if (request.server.frozen?.cells().length) await findVisit(deps, request)
  const now = deps.clock.now()
  const address = addressKey(request.ip)
  await countCall(deps, 'pay_address', address, now)
  const hash = deps.checkoutTokens.hash((request.params as { token: string }).token)
  const isAllowed = async (): Promise<boolean> => {
    if (deps.rules === null) return true
    return (await deps.limits.take('pay', `seen ${hash} ${address}`, deps.rules.pay, now)).allowed
  }
  if (hash !== undefined && isPageView(request) && (await isAllowed()))
    await countLinkViewed(deps.db, hash, now).catch((fault) => deps.onFault(fault))
  return reply.headers(pixelHeaders).type('image/gif').send(pixel)
}

export const linkPages = (app: FastifyInstance, deps: LinkPageDeps): void => {
  app.get('/link/:token', async (request, reply) => show(request, reply, await findVisit(deps, request)))
  app.head('/link/:token', async (request, reply) => show(request, reply, await findVisit(deps, request)))
  app.get('/link/:token/seen', countView(deps))
  app.post('/link/:token', pay(deps))
}
