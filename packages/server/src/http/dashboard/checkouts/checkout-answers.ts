/** Checkouts and payment links as the dashboard shows them. A role that only reads gets no link: whoever has one can act as the
 *  buyer. */
import type { Currency } from '@sanad/contract/currency'
import type { ListedCheckout, ShownCheckout } from '@sanad/contract/dashboard/checkouts/checkouts'
import type { ListedLink, ShownLink } from '@sanad/contract/dashboard/checkouts/payment-links'
import type { FastifyRequest } from 'fastify'
import { mayDo } from '../../../accounts/people/permission.ts'
import type { TermsLookup } from '../../../accounts/tenants/account-terms.ts'
import {
  type CheckoutIntent,
  isTestCheckout,
  receivedOf,
  stateAt,
  type WithIntents,
} from '../../../checkouts/checkout.ts'
import type { CheckoutTokens } from '../../../checkouts/checkout-token.ts'
import type { PaymentLink } from '../../../checkouts/links/payment-link.ts'
import type { Instant } from '../../../core/clock.ts'
import { formatMinor } from '../../../core/money.ts'
import { wholeOf } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { listTimeline } from '../../../intents/intent-sql.ts'
import { checkoutAnswer } from '../../checkout/checkout-answer.ts'
import { linkAnswer } from '../../checkout/payment-links.ts'
import { actorNames } from '../actor-names.ts'
import { arrivalAnswer } from '../arrival-answer.ts'
import { byOf, type Move } from '../intent-timeline.ts'
import { qrSvg } from '../qr-svg.ts'
import type { Call, DashboardContext } from '../route.ts'
import { checkoutTimeline } from './checkout-timeline.ts'

export type CheckoutAnswerDeps = Pick<DashboardContext, 'db'> & {
  readonly terms: TermsLookup
  readonly checkoutTokens: CheckoutTokens
  readonly ownOrigin: (request: FastifyRequest) => string
}

const mayShare = ({ member }: Call): boolean => mayDo(member.role, 'checkouts.write')

const receivedAnswer = (intents: readonly CheckoutIntent[]) => {
  const { arrived, forgiven } = receivedOf(intents)
  return { arrived_amount: formatMinor(arrived), forgiven_amount: formatMinor(forgiven) }
}

export const listedCheckout = ({ checkout, intents }: WithIntents, zone: Zone, now: Instant): ListedCheckout => {
  const { status, endedAt } = stateAt(checkout, intents, now)
  const time = (at: Instant): string => zone.format(new Date(at))
  const last = intents.at(-1)
  return {
    id: checkout.id,
    status,
    amount: formatMinor(checkout.amount),
    paid: formatMinor(receivedOf(intents).arrived),
    ...receivedAnswer(intents),
    currency: checkout.currency as Currency,
    external_order_id: checkout.externalOrderId,
    description: checkout.description,
    link: checkout.linkId,
    wallet: last?.walletName ?? '',
    is_test: isTestCheckout(checkout, intents),
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
  // The checkout was found within the scope of the caller: it is shown whole.
  const scope = wholeOf(call.member.scope)
  const { zone } = await deps.terms(scope.accountId, call.now)
  // One statement for each intent: a checkout has a bounded number of them.
  const movesOf = new Map<string, readonly Move[]>()
  for (const { id } of found.intents) movesOf.set(id, await listTimeline(deps.db, scope, id))
  const moves = [...movesOf.values()].flat()
  const names = await actorNames(deps.db, scope, [found.checkout.createdBy, ...moves.map(({ by }) => by)])
  const answerContext = { tokens: deps.checkoutTokens, zone, origin: deps.ownOrigin(call.request) }
  const { url, ...answer } = checkoutAnswer(found, answerContext, call.now)
  return {
    ...answer,
    ...receivedAnswer(found.intents),
    intents: answer.intents.map((intent, i) => ({ ...intent, ...arrivalAnswer(found.intents[i]!.arrival) })),
    url: mayShare(call) ? url : null,
    qr_svg: mayShare(call) ? qrSvg(url) : null,
    created_by: byOf(found.checkout.createdBy, names),
    timeline: checkoutTimeline(found, movesOf, names, zone, call.now),
  }
}

const withFunnel = (deps: CheckoutAnswerDeps, call: Call, link: PaymentLink, zone: Zone) => {
  const answerContext = { zone, checkoutTokens: deps.checkoutTokens, origin: deps.ownOrigin }
  return { ...linkAnswer(answerContext, call.request, link), funnel: link.funnel }
}

export const listedLink = (deps: CheckoutAnswerDeps, call: Call, link: PaymentLink, zone: Zone): ListedLink => {
  const { url, ...answer } = withFunnel(deps, call, link, zone)
  return { ...answer, url: mayShare(call) ? url : null }
}

export const shownLink = async (deps: CheckoutAnswerDeps, call: Call, link: PaymentLink): Promise<ShownLink> => {
  const { scope } = call.member
  const { zone } = await deps.terms(scope.accountId, call.now)
  const names = await actorNames(deps.db, scope, [link.createdBy])
  const answer = listedLink(deps, call, link, zone)
  return {
    ...answer,
    qr_svg: answer.url === null ? null : qrSvg(answer.url),
    created_by: byOf(link.createdBy, names),
  }
}
