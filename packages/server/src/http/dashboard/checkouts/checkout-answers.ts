/** Checkouts and payment links as the dashboard shows them. A role that only reads gets no link: whoever has one can act as the buyer. */
import type { ListedCheckout, ShownCheckout } from '@sanad/contract/dashboard/checkouts/checkouts'
import type { ListedLink, ShownLink } from '@sanad/contract/dashboard/checkouts/payment-links'
import type { FastifyRequest } from 'fastify'
import { renderSVG } from 'uqr'
import { keyNames } from '../../../accounts/keys/key-names-sql.ts'
import { mayDo } from '../../../accounts/people/permission.ts'
import type { TermsLookup } from '../../../accounts/tenants/account-terms.ts'
import { paidOf, stateAt, type WithIntents } from '../../../checkouts/checkout.ts'
import type { CheckoutTokens } from '../../../checkouts/checkout-token.ts'
import type { PaymentLink } from '../../../checkouts/links/payment-link.ts'
import type { Instant } from '../../../core/clock.ts'
import type { AccountId } from '../../../core/ids.ts'
import { formatMinor } from '../../../core/money.ts'
import type { Zone } from '../../../core/zone.ts'
import { listMoves } from '../../../intents/intent-sql.ts'
import { checkoutAnswer } from '../../checkout/checkout-answer.ts'
import { linkAnswer } from '../../checkout/payment-links.ts'
import { byOf, keysIn, type Move } from '../intents/intent-timeline.ts'
import type { Call, DashboardContext } from '../route.ts'
import { checkoutTimeline } from './checkout-timeline.ts'

export type CheckoutAnswerDeps = Pick<DashboardContext, 'db'> & {
  readonly terms: TermsLookup
  readonly checkoutTokens: CheckoutTokens
  readonly ownOrigin: (request: FastifyRequest) => string
}

/** A QR code that phones read from a screen and from paper. */
export const qrSvg = (url: string): string => renderSVG(url, { ecc: 'M', border: 2 })

const mayShare = ({ member }: Call): boolean => mayDo(member.role, 'checkouts.write')

const namesOf = async (
  { db }: CheckoutAnswerDeps,
  accountId: AccountId,
  by: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const clients = keysIn(by)
  const rows = clients.length === 0 ? [] : await keyNames(db, accountId, clients)
  return new Map(rows.map((row) => [row.client_id, row.name]))
}

export const listedCheckout = ({ checkout, intents }: WithIntents, zone: Zone, now: Instant): ListedCheckout => {
  const { status, endedAt } = stateAt(checkout, intents, now)
  const time = (at: Instant): string => zone.format(new Date(at))
  const last = intents.at(-1)
  return {
    id: checkout.id,
    status,
    amount: formatMinor(checkout.amount),
    paid: formatMinor(paidOf(intents)),
    currency: checkout.currency as 'YER',
    external_order_id: checkout.externalOrderId,
    description: checkout.description,
    link: checkout.linkId,
    wallet: last?.walletName ?? '',
    arrived: last?.status === 'WRONG_AMOUNT' && last.paid !== null ? formatMinor(last.paid) : null,
    created_at: time(checkout.createdAt),
    expires_at: time(checkout.expiresAt),
    ended_at: endedAt === null ? null : time(endedAt),
  }
}

export const shownCheckout = async (
  deps: CheckoutAnswerDeps,
  call: Call,
  found: WithIntents,
): Promise<ShownCheckout> => {
  const { accountId } = call.member
  const { zone } = await deps.terms(accountId, call.now)
  // At most as many as a checkout makes intents.
  const movesOf = new Map<string, readonly Move[]>()
  for (const { id } of found.intents) movesOf.set(id, await listMoves(deps.db, accountId, id))
  const moves = [...movesOf.values()].flat()
  const names = await namesOf(deps, accountId, [found.checkout.createdBy, ...moves.map(({ by }) => by)])
  const about = { tokens: deps.checkoutTokens, zone, origin: deps.ownOrigin(call.request) }
  const { url, ...answer } = checkoutAnswer(found, about, call.now)
  return {
    ...answer,
    url: mayShare(call) ? url : null,
    qr_svg: mayShare(call) ? qrSvg(url) : null,
    created_by: byOf(found.checkout.createdBy, names),
    timeline: checkoutTimeline(found, movesOf, names, zone, call.now),
  }
}

const withFunnel = (deps: CheckoutAnswerDeps, call: Call, link: PaymentLink, zone: Zone) => {
  const about = { zone, checkoutTokens: deps.checkoutTokens, origin: deps.ownOrigin }
  return { ...linkAnswer(about, call.request, link), funnel: link.funnel }
}

export const listedLink = (deps: CheckoutAnswerDeps, call: Call, link: PaymentLink, zone: Zone): ListedLink => {
  const { url, ...answer } = withFunnel(deps, call, link, zone)
  return { ...answer, url: mayShare(call) ? url : null }
}

export const shownLink = async (deps: CheckoutAnswerDeps, call: Call, link: PaymentLink): Promise<ShownLink> => {
  const { accountId } = call.member
  const { zone } = await deps.terms(accountId, call.now)
  const names = await namesOf(deps, accountId, [link.createdBy])
  const answer = listedLink(deps, call, link, zone)
  return {
    ...answer,
    qr_svg: answer.url === null ? null : qrSvg(answer.url),
    created_by: byOf(link.createdBy, names),
  }
}
