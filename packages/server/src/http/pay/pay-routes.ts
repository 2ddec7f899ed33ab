/**
 * The buyer's page: `GET /pay/{token}`, and the forms on it: choosing a wallet, sending the reference, paying the rest. It
 * works without scripts: a form is always answered with a redirect to the page, also if it is refused (page-query.ts), so that
 * *Back* and *Reload* never send it again. The script of the page sends forms itself and gets the page at once. Whoever has the
 * link may do what the page does, within limits by link and by address. Unknown links, malformed links and links of old
 * receipts get the same answer.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { longestMessage, readBuyerMessage } from '../../checkouts/buyer/buyer-message.ts'
import type { FindPage } from '../../checkouts/buyer/find-page.ts'
import type { PageShop } from '../../checkouts/buyer/page-shop.ts'
import { isSentBefore, type SendRefusal, sendReference } from '../../checkouts/buyer/send-reference.ts'
import type { UsualWait } from '../../checkouts/buyer/usual-wait.ts'
import { isForgotten, mayCollectInto, openIntentAt, stateAt, type WithIntents } from '../../checkouts/checkout.ts'
import type { CheckoutTokens, TokenHash } from '../../checkouts/checkout-token.ts'
import { endCheckout } from '../../checkouts/end-checkouts.ts'
import { type OpenDeps, type Opened, type OpenRefusal, openIntent, openRest } from '../../checkouts/open-intent.ts'
import type { PageClaim } from '../../checkouts/page-claim.ts'
import type { Clock, Instant } from '../../core/clock.ts'
import type { AccountId, CheckoutId, IntentId } from '../../core/ids.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import { sharedZone, type Zone } from '../../core/zone.ts'
import type { AttachReference } from '../../matching/resolve/attach-references.ts'
import { isWholePhone } from '../../matching/rules/payer-phone.ts'
import type { WalletLookup } from '../../wallets/entries/wallet-lookup.ts'
import type { Wallet } from '../../wallets/wallet.ts'
import { Problem, throttled } from '../answers.ts'
import { payBase } from '../checkout/checkout-answer.ts'
import { addressKey } from '../limits/address-key.ts'
import { countCall, uncountCall } from '../limits/count-call.ts'
import { countLink, countVisit } from '../limits/count-visit.ts'
import type { Limits, Rules } from '../limits/rule.ts'
import { linkPages } from './link-page.ts'
import { checkoutPage, noticePage, type PageFacts } from './page.ts'
import { inertHeaders, pageHeaders, sendPage } from './page-answer.ts'
import { type AfterForm, afterFormQuery, type PageError, readAfterForm, readableInput } from './page-query.ts'
import { conditionOf, pageKey, stateKey, viewAt, type WalletCondition } from './page-view.ts'
import { formOf, isByScript, isNavigation, leftToAnswer, localeOf, PageUnavailable, queryOf } from './pay-request.ts'
import type { PageState, PayStreams } from './pay-streams.ts'
import { logoPages, pageLogo } from './shop-logo.ts'
import type { ShopWalletLookup, ShopWallets } from './shop-wallets.ts'

export type PayDeps = OpenDeps & {
  readonly clock: Clock
  readonly limits: Limits
  /** Null: no limits at all. */
  readonly rules: Rules | null
  readonly wallets: WalletLookup
  readonly checkoutTokens: CheckoutTokens
  readonly attach: AttachReference
  readonly usualWait: UsualWait
  readonly findPage: FindPage
  readonly shopWallets: ShopWalletLookup
  readonly streams: PayStreams
  /** Called after the commit: intents of an account have changed. */
  readonly onIntents: (accountId: AccountId, ids: readonly IntentId[]) => void
  /** Called after the commit: an event waits to be sent. */
  readonly onEvent: (accountId: AccountId) => void
  /** Called after the commit: a checkout was created or has ended. */
  readonly onCheckout: (accountId: AccountId, id: CheckoutId) => void
  readonly onFault: (fault: unknown) => void
}

type Shop = Omit<PageShop, 'logo'> & Pick<PageFacts['shop'], 'logo'> & { readonly zone: Zone }
type Visit = {
  readonly token: string
  readonly hash: TokenHash
  readonly found: WithIntents
  readonly claim: PageClaim | undefined
  readonly shop: Shop
  readonly now: Instant
}

/** The checkout of a link with its intents. The call is counted against the limits first. */
const findVisit = async (deps: PayDeps, request: FastifyRequest, bucket: 'pay' | 'pay_change'): Promise<Visit> => {
  const now = deps.clock.now()
  const { token } = request.params as { token: string }
  const hash = deps.checkoutTokens.hash(token)
  // Awaited only if it is a promise: counting in memory needs none.
  const counted = countVisit(deps, bucket, addressKey(request.ip), hash, now)
  const early = counted && (await counted)
  const page = hash === undefined ? undefined : await deps.findPage(hash)
  if (page === undefined) {
    // Only links that exist are counted.
    if (early?.allowed) uncountCall(deps, bucket, hash!, now)
    throw await PageUnavailable.ofLink(deps, request, now)
  }
  const countedLink = countLink(deps, bucket, hash!, early, now)
  if (countedLink !== undefined) await countedLink
  const { found, shop, claim } = page
  if (!shop.active) throw new PageUnavailable('closed')
  if (isForgotten(stateAt(found.checkout, found.intents, now), now)) throw new PageUnavailable('unknown')
  const zone = sharedZone(shop.timeZone, deps.zone)
  return { token, hash: hash!, found, claim, shop: { ...shop, logo: pageLogo(shop.logo), zone }, now }
}

/** Whether the checkout has ended and the end is not stored yet. */
const hasUnstoredEnd = ({ found: { checkout, intents }, now }: Visit): boolean =>
  checkout.status === 'OPEN' && stateAt(checkout, intents, now).status !== 'OPEN'

/** Stores the end of a checkout at once, so that its event does not wait for the background job. */
const storeEnd = async (deps: PayDeps, { found, now }: Visit): Promise<void> => {
  const { checkout } = found
  if (!(await endCheckout(deps.db, deps.zone, wholeAccount(checkout.accountId), checkout.id, now))) return
  deps.onEvent(checkout.accountId)
  deps.onCheckout(checkout.accountId, checkout.id)
}

/** The condition of the wallet whose intent is open. */
const openCondition = ({ intents }: WithIntents, wallets: ShopWallets, now: Instant): WalletCondition => {
  const open = openIntentAt(intents, now)
  return open === undefined ? 'good' : conditionOf(open.walletId, wallets)
}

const mostOffered = 50

const offeredWallets = ({ found }: Visit, usable: readonly Wallet[]): Wallet[] =>
  usable.filter((wallet) => mayCollectInto(found.checkout, wallet)).slice(0, mostOffered)

type PageOptions = AfterForm & { readonly status?: number }

const show = async (
  deps: PayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  options: PageOptions = {},
) => {
  if (hasUnstoredEnd(visit)) await storeEnd(deps, visit)
  const { found, now, shop } = visit
  const { accountId } = found.checkout
  const view = viewAt(found, now)
  const query = queryOf(request)
  const state = stateKey(found, now)
  const { error, typed = '', confirm } = options.error || options.confirm ? options : readAfterForm(query, state)
  const choosing = query.get('change') === '1' || error === 'errorPayer'
  const typing = query.get('number') === '1'
  const chooses = view.kind === 'choose' || view.kind === 'pay' || (choosing && view.kind === 'wrong')
  const cached = deps.shopWallets(accountId, now)
  const shopWallets = cached instanceof Promise ? await cached : cached
  const { usable, companies, silent } = shopWallets
  const wallets = chooses ? offeredWallets(visit, usable) : []
  const intent = view.kind === 'pay' || view.kind === 'looking' ? view.intent : undefined
  const wallet = intent && (await deps.wallets.get(wholeAccount(accountId), intent.walletId, now))
  const locale = localeOf(request, found.checkout.locale)
  const page = checkoutPage({
    found,
    view,
    locale,
    shop,
    zone: shop.zone,
    now,
    path: `${payBase}/${visit.token}`,
    wallets,
    companies,
    silent,
    wallet,
    condition: openCondition(found, shopWallets, now),
    usualWait_ms:
      view.kind === 'looking' && wallet ? await deps.usualWait(wholeAccount(accountId), wallet.id, now) : undefined,
    choosing,
    typing,
    error,
    claim: visit.claim,
    typed,
    confirm,
    kept: `${choosing ? '&change=1' : ''}${typing ? '&number=1' : ''}${afterFormQuery({ ...(error && { error }), typed, ...(confirm && { confirm }) }, state)}`,
  })
  return sendPage(request, reply, options.status ?? 200, page, shop.frameOrigins)
}

/** `GET` on the address of a form: a browser reloads that address after the form was answered with the page. */
const redirectFormAddress = (deps: PayDeps) => async (request: FastifyRequest, reply: FastifyReply) =>
  redirectToPage(request, reply, await findVisit(deps, request, 'pay'))

/** Redirects to the page after a form was processed, so that a reload does not send the form again. `shown`: what it shows. */
const redirectToPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  { token, found, now }: Visit,
  shown: AfterForm = {},
): FastifyReply => {
  const query = `?lang=${localeOf(request, found.checkout.locale)}${afterFormQuery(shown, stateKey(found, now))}`
  return reply.code(303).headers(pageHeaders()).header('location', `${payBase}/${token}${query}`).send()
}

/** Answers a form with the page that shows `options`: the page itself for the page's script, a redirect to it otherwise. */
const answerWith = (
  deps: PayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  options: PageOptions,
): FastifyReply | Promise<FastifyReply> =>
  isByScript(request) ? show(deps, request, reply, visit, options) : redirectToPage(request, reply, visit, options)

const openErrors: Readonly<Record<OpenRefusal['refused'], PageError>> = {
  checkout_unknown: 'errorChanged',
  checkout_not_open: 'errorChanged',
  checkout_wallet_refused: 'errorWallet',
  checkout_intent_limit: 'errorTries',
  checkout_rest_refused: 'errorRest',
  quota_exceeded: 'errorQuota',
}

const sendErrors: Readonly<Record<SendRefusal['refused'], PageError>> = {
  checkout_no_open_intent: 'errorChanged',
  checkout_reference_limit: 'errorTries',
  intent_unknown: 'errorChanged',
  intent_not_pending: 'errorChanged',
  reference_already_used: 'errorUsed',
  reference_limit: 'errorTries',
}

const isOver = ({ checkout, intents }: WithIntents, now: Instant): boolean =>
  stateAt(checkout, intents, now).status === 'EXPIRED'

/** Shows the page, read again after a refusal, with the error. After the end of the checkout the error is that it has ended. */
const showRefusal = async (
  deps: PayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  options: PageOptions,
) => {
  const { found, claim } = (await deps.findPage(visit.hash)) ?? visit
  const shown = isOver(found, visit.now) ? ({ error: 'errorEnded' } as const) : options
  return answerWith(deps, request, reply, { ...visit, found, claim }, { status: 400, ...shown })
}

/** Answers a form that opens an intent. */
const answerOpened = async (
  deps: PayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  result: Opened | OpenRefusal,
) => {
  if (isRefusal(result))
    return showRefusal(deps, request, reply, visit, {
      error: openErrors[(result as Refusal<OpenRefusal['refused']>).refused],
    })
  const { accountId } = visit.found.checkout
  const { changed, ended } = result as Opened
  deps.onIntents(accountId, changed)
  if (ended || changed.length > 1) deps.onEvent(accountId)
  // The form came too late. A checkout that ended because it was paid is shown as paid.
  if (ended && isOver(visit.found, visit.now)) return showRefusal(deps, request, reply, visit, { error: 'errorEnded' })
  return redirectToPage(request, reply, visit)
}

const chooseWallet = (deps: PayDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
  const visit = await findVisit(deps, request, 'pay_change')
  const { accountId, id } = visit.found.checkout
  const sent = formOf(request)
  const walletId = (sent.get('wallet') ?? '').toLowerCase()
  const payerPhone = readableInput(sent.get('payer') ?? '')
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(walletId))
    return showRefusal(deps, request, reply, visit, { error: 'errorWallet' })
  if (payerPhone !== '' && (payerPhone.length > 32 || !isWholePhone(payerPhone)))
    return showRefusal(deps, request, reply, visit, { error: 'errorPayer', typed: payerPhone.slice(0, 32) })
  const result = await openIntent(
    deps,
    { scope: wholeAccount(accountId), id, walletId, payerPhone, quota: visit.shop.quota },
    visit.now,
  )
  return answerOpened(deps, request, reply, visit, result)
}

const payRest = (deps: PayDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
  const visit = await findVisit(deps, request, 'pay_change')
  formOf(request)
  const { accountId, id } = visit.found.checkout
  const walletId = visit.found.intents.at(-1)?.walletId ?? ''
  const result = await openRest(
    deps,
    { scope: wholeAccount(accountId), id, walletId, quota: visit.shop.quota },
    visit.now,
  )
  return answerOpened(deps, request, reply, visit, result)
}

/** The key of the company whose wallet the buyer chose; empty: not known, or a provider of the account's own. */
const companyKey = async (deps: PayDeps, { found, now }: Visit): Promise<string> => {
  const { accountId } = found.checkout
  const open = openIntentAt(found.intents, now)
  const wallet = open && (await deps.wallets.get(wholeAccount(accountId), open.walletId, now))
  if (wallet === undefined) return ''
  return (await deps.shopWallets(accountId, now)).companies.get(wallet.provider.id)?.en.key ?? ''
}

/**
 * A checkout takes 20 references, but a payment link creates a checkout for everyone who opens it. So references that
 * verify nothing are also counted by address. Otherwise a buyer could find another buyer's payment by trying references,
 * 20 on each checkout.
 */
const countReference = async <T>(
  deps: PayDeps,
  request: FastifyRequest,
  visit: Visit,
  send: () => Promise<T>,
): Promise<T> => {
  const key = `${visit.found.checkout.accountId} ${addressKey(request.ip)}`
  await countCall(deps, 'pay_reference', key, visit.now)
  const result = await send()
  const isPaid = typeof result === 'object' && result !== null && 'status' in result && result.status === 'VERIFIED'
  if ((isPaid || result === 'unchanged') && deps.rules !== null)
    await deps.limits.giveBack('pay_reference', key, deps.rules.pay_reference, visit.now)
  return result
}

const takeReference = (deps: PayDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
  const visit = await findVisit(deps, request, 'pay_change')
  // A redirect shows nothing itself: the end is stored here, whether or not the browser follows.
  if (hasUnstoredEnd(visit)) await storeEnd(deps, visit)
  const sent = readableInput(formOf(request).get('reference') ?? '')
  const typed = sent.slice(0, longestMessage)
  // Sent again because the first answer was lost: nothing to refuse, whatever has happened to the checkout since.
  if (sent !== '' && isSentBefore(visit.found, sent, visit.now)) return redirectToPage(request, reply, visit)
  if (isOver(visit.found, visit.now)) return showRefusal(deps, request, reply, visit, { error: 'errorEnded' })
  if (sent === '') return showRefusal(deps, request, reply, visit, { error: 'errorEmpty' })
  const message = readBuyerMessage(sent, await companyKey(deps, visit))
  if (message.kind === 'cut') return showRefusal(deps, request, reply, visit, { error: 'errorCut', typed })
  if (message.kind === 'not found' || message.kind === 'too long')
    return showRefusal(deps, request, reply, visit, { error: 'errorNotFound', typed })
  if (message.kind === 'found') return answerWith(deps, request, reply, visit, { confirm: message })
  const { db, attach } = deps
  const readAgain = async () => (await deps.findPage(visit.hash))?.found
  const result = await countReference(deps, request, visit, () =>
    sendReference({ db, attach, readAgain }, visit.found, message.reference, visit.now),
  )
  if (result !== 'unchanged' && isRefusal(result))
    return showRefusal(deps, request, reply, visit, {
      error: sendErrors[(result as Refusal<SendRefusal['refused']>).refused],
      typed,
    })
  return redirectToPage(request, reply, visit)
}

const eventHeaders = {
  ...inertHeaders,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // A proxy that buffers answers would delay events by minutes.
  'x-accel-buffering': 'no',
  connection: 'close',
}

const openStream = (deps: PayDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
  const { token, hash, found } = await findVisit(deps, request, 'pay')
  if (!deps.streams.hasCapacity(token)) throw throttled(10)
  const { accountId } = found.checkout
  reply.headers(eventHeaders).hijack()
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  const watchedOf = ({ checkout, intents }: WithIntents): string[] => [checkout.id, ...intents.map(({ id }) => id)]
  const read = async (): Promise<PageState | undefined> => {
    const page = await deps.findPage(hash)
    return page && { key: stateKey(page.found, deps.clock.now()), watched: watchedOf(page.found) }
  }
  deps.streams.open({ raw: reply.raw, token, accountId, watched: watchedOf(found), read })
  return reply
}

const sendState = (deps: PayDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
  const visit = await findVisit(deps, request, 'pay')
  const { found, now } = visit
  const wallets = await deps.shopWallets(found.checkout.accountId, now)
  const key = pageKey(found, openCondition(found, wallets, now), now)
  return reply.headers(pageHeaders()).type('text/plain; charset=utf-8').send(key)
}

/** Sends the page "unknown link". Also for addresses that cannot be decoded: the hooks of requests do not see those. */
export const sendUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendPage(request, reply.header('x-content-type-options', 'nosniff'), 404, noticePage(localeOf(request), 'unknown'))

/** The page of a form that could not be processed, for a browser that sent the form itself: shown by GET, with the input. */
const redirectToRetry = (request: FastifyRequest, reply: FastifyReply, isBusy: boolean): FastifyReply => {
  const path = request.raw.url!.replace(/\?.*$/s, '').replace(/\/(?:wallet|reference|rest)\/$/, '')
  const fields = new URLSearchParams(request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : '')
  const typed = readableInput(fields.get('reference') ?? fields.get('payer') ?? fields.get('amount') ?? '')
  const query = `?lang=${localeOf(request)}${afterFormQuery({ error: isBusy ? 'errorBusy' : 'errorFault', typed }, '')}`
  return reply
    .code(303)
    .headers(pageHeaders())
    .header('location', path + query)
    .send()
}

export const payPages = (deps: PayDeps) => async (app: FastifyInstance) => {
  app.setErrorHandler(async (thrown: Error, request, reply) => {
    const fault = await leftToAnswer(thrown, request, reply)
    if (fault === undefined) return reply
    const locale = localeOf(request)
    if (fault instanceof PageUnavailable)
      return sendPage(request, reply, fault.kind === 'unknown' ? 404 : 403, noticePage(locale, fault.kind))
    if (fault instanceof Problem) {
      if ([429, 503].includes(fault.status) && isNavigation(request))
        return redirectToRetry(request, reply, fault.status === 429)
      const kind = fault.status === 429 ? 'busy' : fault.status === 404 ? 'unknown' : 'fault'
      return sendPage(request, reply.headers(fault.headers), fault.status, noticePage(locale, kind))
    }
    const { statusCode } = fault as Error & { statusCode?: number }
    if (statusCode === undefined || statusCode >= 500) deps.onFault(fault)
    if (statusCode === undefined && isNavigation(request)) return redirectToRetry(request, reply, false)
    return sendPage(request, reply, statusCode ?? 503, noticePage(locale, 'fault'))
  })
  app.setNotFoundHandler((request, reply) => sendUnknown(request, reply))
  linkPages(app, deps)
  logoPages(app, deps)
  app.get('/:token', async (request, reply) => show(deps, request, reply, await findVisit(deps, request, 'pay')))
  app.head('/:token', async (request, reply) => show(deps, request, reply, await findVisit(deps, request, 'pay')))
  app.post('/:token/wallet/', chooseWallet(deps))
  app.post('/:token/reference/', takeReference(deps))
  app.post('/:token/rest/', payRest(deps))
  for (const verb of ['wallet', 'reference', 'rest']) app.get(`/:token/${verb}/`, redirectFormAddress(deps))
  app.get('/:token/state/', sendState(deps))
  app.get('/:token/stream/', openStream(deps))
}
