/**
 * `GET /voucher/{token}`: the public page of a voucher, without a sign-in. Unknown, malformed and revoked addresses get the same
 * answer. `POST /voucher/of/{token}/`: the buyer shares the voucher of a paid checkout; the token is that of the buyer's page.
 * Pages are counted with the buyers' pages, by address and by link. `GET /voucher/image.js` draws the picture; it has no data.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FindPage } from '../../checkouts/buyer/find-page.ts'
import { isForgotten, pageActor, stateAt } from '../../checkouts/checkout.ts'
import type { CheckoutTokens } from '../../checkouts/checkout-token.ts'
import type { Clock } from '../../core/clock.ts'
import type { AccountId, IntentId } from '../../core/ids.ts'
import type { TokenHash } from '../../core/public-token.ts'
import { isRefusal } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import { sharedZone, type Zone } from '../../core/zone.ts'
import { shareVoucher } from '../../intents/vouchers/share-voucher.ts'
import type { VoucherTokens } from '../../intents/vouchers/voucher.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { findVoucher } from '../../views/vouchers/find-voucher.ts'
import { Problem } from '../answers.ts'
import { addressKey } from '../limits/address-key.ts'
import { countCall } from '../limits/count-call.ts'
import type { Limits, Rules } from '../limits/rule.ts'
import { requireHere } from '../moved-account.ts'
import { noticePage } from '../pay/page.ts'
import { commonHeaders, inertHeaders, sendPage, takesGzip } from '../pay/page-answer.ts'
import { afterFormQuery, type PageError } from '../pay/page-query.ts'
import { formOf, isNavigation, leftToAnswer, localeOf, PageUnavailable } from '../pay/pay-request.ts'
import { sendUnknown } from '../pay/pay-routes.ts'
import { imageScript, pageScript, style, voucherPage } from './voucher-page.ts'

export const voucherBase = '/voucher'

export type VoucherDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly zone: Zone
  readonly limits: Limits
  /** Null: no limits at all. */
  readonly rules: Rules | null
  readonly voucherTokens: VoucherTokens
  readonly checkoutTokens: CheckoutTokens
  readonly findPage: FindPage
  /** Called after the commit: intents of an account have changed. */
  readonly onIntents: (accountId: AccountId, ids: readonly IntentId[]) => void
  readonly onFault: (fault: unknown) => void
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const headers = {
  ...commonHeaders,
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${hashOf(imageScript)} ${hashOf(pageScript)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
}

/**
 * What the token names. The call is counted by its address first; then by the link if there is one, else once more by the address, so
 * that links cannot be guessed. Only links that exist have a count of their own.
 */
const findCounted = async <Found>(
  deps: VoucherDeps,
  request: FastifyRequest,
  tokens: { readonly hash: (token: string) => TokenHash | undefined },
  bucket: 'pay' | 'pay_change',
  find: (hash: TokenHash) => Promise<Found | undefined>,
): Promise<Found> => {
  const now = deps.clock.now()
  await countCall(deps, 'pay_address', addressKey(request.ip), now)
  const hash = tokens.hash(tokenOf(request))
  const found = hash === undefined ? undefined : await find(hash)
  if (found === undefined) return unknown(deps, request)
  await countCall(deps, bucket, hash!, now)
  return found
}

const tokenOf = (request: FastifyRequest): string => (request.params as { token: string }).token

const unknown = async (deps: VoucherDeps, request: FastifyRequest): Promise<never> => {
  throw await PageUnavailable.ofLink(deps, request, deps.clock.now())
}

const show = (deps: VoucherDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
  const voucher = await findCounted(deps, request, deps.voucherTokens, 'pay', (hash) =>
    findVoucher(deps.db, hash, deps.clock.now()),
  )
  requireHere(request.server, voucher.accountId)
  if (!voucher.shop.active) throw new PageUnavailable('closed')
  const path = `${voucherBase}/${tokenOf(request)}`
  const page = Buffer.from(voucherPage(voucher, localeOf(request), path, sharedZone(voucher.shop.timeZone, deps.zone)))
  reply.code(200).headers(headers).type('text/html; charset=utf-8')
  return takesGzip(request) ? reply.header('content-encoding', 'gzip').send(gzipSync(page)) : reply.send(page)
}

/** The buyer shares a paid part of the checkout: its `code` is in the form. */
const shareByBuyer = (deps: VoucherDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
  const now = deps.clock.now()
  const page = await findCounted(deps, request, deps.checkoutTokens, 'pay_change', (hash) => deps.findPage(hash))
  const { checkout, intents } = page.found
  if (isForgotten(stateAt(checkout, intents, now), now)) return unknown(deps, request)
  if (!page.shop.active) throw new PageUnavailable('closed')
  const code = formOf(request).get('code')
  const intent = intents.find((one) => one.status === 'VERIFIED' && one.code === code)
  if (intent === undefined) return unknown(deps, request)
  const scope = wholeAccount(checkout.accountId)
  const shared = await deps.db.transaction((tx) =>
    shareVoucher(tx, deps.voucherTokens, { scope, intentId: intent.id, by: pageActor, byPage: true }, now),
  )
  // The shop has revoked it: for everybody else it does not exist.
  if (isRefusal(shared)) throw new PageUnavailable('unknown')
  if (shared.first) deps.onIntents(checkout.accountId, [intent.id])
  const query = `?lang=${localeOf(request, checkout.locale)}`
  return reply.code(303).headers(headers).header('location', `${voucherBase}/${shared.token}${query}`).send()
}

/** A form that a browser sent itself is answered with a redirect, also a refused one: *Reload* never sends it again. */
const redirectRefused = (request: FastifyRequest, reply: FastifyReply, error?: PageError): FastifyReply => {
  const path = error === undefined ? request.raw.url!.replace(/\?.*$/s, '') : `/pay/${tokenOf(request)}`
  const query = error === undefined ? '' : afterFormQuery({ error }, '')
  return reply
    .code(303)
    .headers(headers)
    .header('location', `${path}?lang=${localeOf(request)}${query}`)
    .send()
}

export const voucherPages = (deps: VoucherDeps) => async (app: FastifyInstance) => {
  app.setErrorHandler(async (thrown: Error, request, reply) => {
    const fault = await leftToAnswer(thrown, request, reply)
    if (fault === undefined) return reply
    const locale = localeOf(request)
    if (fault instanceof PageUnavailable && isNavigation(request)) return redirectRefused(request, reply)
    if (fault instanceof PageUnavailable)
      return sendPage(request, reply, fault.kind === 'unknown' ? 404 : 403, noticePage(locale, fault.kind))
    if (fault instanceof Problem) {
      if (fault.status === 429 && isNavigation(request)) return redirectRefused(request, reply, 'errorBusy')
      if (fault.status === 503 && isNavigation(request)) return redirectRefused(request, reply, 'errorFault')
      const kind = fault.status === 429 ? 'busy' : fault.status === 404 ? 'unknown' : 'fault'
      return sendPage(request, reply.headers(fault.headers), fault.status, noticePage(locale, kind))
    }
    const { statusCode } = fault as Error & { statusCode?: number }
    if (statusCode === undefined || statusCode >= 500) deps.onFault(fault)
    if (statusCode === undefined && isNavigation(request)) return redirectRefused(request, reply, 'errorFault')
    return sendPage(request, reply, statusCode ?? 503, noticePage(locale, 'fault'))
  })
  app.setNotFoundHandler((request, reply) => sendUnknown(request, reply))
  app.get('/image.js', (_request, reply) =>
    reply
      .headers({ ...inertHeaders, 'cache-control': 'public, max-age=300' })
      .type('text/javascript; charset=utf-8')
      .send(imageScript),
  )
  app.get('/:token', show(deps))
  app.head('/:token', show(deps))
  app.post('/of/:token/', shareByBuyer(deps))
}
