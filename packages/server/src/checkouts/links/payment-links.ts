/**
 * Creates payment links, switches them off and on, and creates the checkout of a buyer. Opening a link creates nothing: programs
 * that preview links would fill the table. The link's row is locked while a checkout is created: if a link is paid only once, the
 * second buyer gets the checkout of the first. If the buyer enters the amount, another amount replaces a checkout on which no wallet
 * was chosen yet. After the choice the link is in use, because money may be on its way.
 */

import type { WriteAudit } from '../../accounts/audit/audit.ts'
import { lockAccount } from '../../accounts/tenants/lock-account-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { type CheckoutId, type PaymentLinkId, timeOrderedId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { joinTransaction } from '../../postgres/query/joined.ts'
import { stateAt, type WithIntents } from '../checkout.ts'
import { lockFreeCheckout, storeCheckoutEnd } from '../checkout-sql.ts'
import type { CheckoutTokens } from '../checkout-token.ts'
import { createCheckout, emptyDraft } from '../create-checkout.ts'
import { intentsOf, readCheckout } from '../list-checkouts.ts'
import { emptyFunnel, mostLinks, type PaymentLink, priceOf } from './payment-link.ts'
import {
  countLinkOpened,
  insertPaymentLink,
  lastCheckoutsOfLink,
  linkOf,
  lockPaymentLink,
  switchPaymentLink,
} from './payment-link-sql.ts'

export type LinkDraft = Omit<PaymentLink, 'accountId' | 'id' | 'active' | 'createdBy' | 'createdAt' | 'funnel'>

export const createLink = async (
  tx: Tx,
  tokens: CheckoutTokens,
  request: { readonly scope: Scope; readonly createdBy: string; readonly draft: LinkDraft },
  now: Instant,
): Promise<PaymentLink | Refusal<'link_limit'>> => {
  const { scope, createdBy, draft } = request
  const id = timeOrderedId<PaymentLinkId>(now)
  const link: PaymentLink = {
    ...draft,
    accountId: scope.accountId,
    id,
    active: true,
    createdBy,
    createdAt: now,
    funnel: emptyFunnel,
  }
  const tokenHash = tokens.hash(tokens.of(scope.accountId, id))
  if (tokenHash === undefined) throw new Error('a token that this service created has the wrong form')
  await lockAccount(tx, wholeAccount(scope.accountId))
  const [inserted] = await insertPaymentLink(tx, link, tokenHash, mostLinks)
  return inserted === undefined ? refuse('link_limit', { most: String(mostLinks) }) : link
}

/** Logs nothing if the link has the requested state already. */
export const setLinkActive = async (
  tx: Tx,
  audit: WriteAudit,
  request: { readonly scope: Scope; readonly id: string; readonly active: boolean },
): Promise<PaymentLink | Refusal<'link_unknown'>> => {
  const { scope, id, active } = request
  const [before] = await lockPaymentLink(tx, scope, id)
  if (before === undefined) return refuse('link_unknown')
  const link = linkOf(before)
  if (link.active === active) return link
  await switchPaymentLink(tx, scope, id, active)
  const { description } = link
  audit({
    action: active ? 'payment_link.switch_on' : 'payment_link.switch_off',
    kind: 'payment_link',
    id,
    before: { active: !active },
    after: { active, name: description },
  })
  return { ...link, active }
}

export type LinkRefusal = Refusal<'link_unknown' | 'link_off' | 'link_paid' | 'link_amount' | 'link_in_use'>

/** What happens with the open checkout of a link that is paid once, when a buyer wants to pay `amount`. */
const reuseOpen = async (
  tx: Tx,
  { checkout }: WithIntents,
  amount: Minor,
  now: Instant,
): Promise<'shared' | 'cancelled' | 'in use'> => {
  if (checkout.amount === amount) return 'shared'
  const { accountId, id } = checkout
  const [locked] = await lockFreeCheckout(tx, wholeAccount(accountId), id)
  // Read after the lock: every transaction that adds an intent locks the checkout first.
  if (locked === undefined || (await intentsOf(tx, wholeAccount(accountId), id)).length > 0) return 'in use'
  const [ended] = await storeCheckoutEnd(tx, wholeAccount(accountId), id, 'CANCELLED', now)
  return ended === undefined ? 'in use' : 'cancelled'
}

/**
 * `amount`: the amount that the buyer entered, if the link leaves it open. Returns the checkout to pay, and the one that was
 * cancelled because it had another amount.
 */
export const checkoutOfLink = async (
  tx: Tx,
  tokens: CheckoutTokens,
  request: { readonly scope: Scope; readonly id: PaymentLinkId; readonly amount: Minor | undefined },
  now: Instant,
): Promise<{ readonly checkoutId: CheckoutId; readonly cancelled: CheckoutId | undefined } | LinkRefusal> => {
  const { scope } = request
  const [row] = await lockPaymentLink(tx, scope, request.id)
  if (row === undefined) return refuse('link_unknown')
  const link = linkOf(row)
  if (!link.active) return refuse('link_off')
  const amount = priceOf(link, request.amount)
  let cancelled: CheckoutId | undefined
  if (link.once)
    for (const { id } of await lastCheckoutsOfLink(tx, scope, link.id)) {
      const found = await readCheckout(tx, scope, id)
      const status = found && stateAt(found.checkout, found.intents, now).status
      if (status === 'COMPLETE') return refuse('link_paid')
      if (status !== 'OPEN' || amount === undefined) continue
      const reuse = await reuseOpen(tx, found!, amount, now)
      if (reuse === 'shared') return { checkoutId: id, cancelled }
      if (reuse === 'in use') return refuse('link_in_use')
      cancelled = id
    }
  if (amount === undefined) return refuse('link_amount')
  const draft = {
    ...emptyDraft,
    amount,
    currency: link.currency,
    externalOrderId: link.externalOrderId,
    description: link.description,
    wallets: link.wallets,
    returnUrl: link.returnUrl,
    metadata: link.metadata,
    locale: link.locale,
    allowRemaining: link.allowRemaining,
    life_s: link.life_s,
  }
  const newCheckout = {
    scope,
    createdBy: link.createdBy,
    linkId: link.id,
    draft,
    idempotency: undefined,
  }
  const created = await createCheckout({ db: joinTransaction(tx), tokens }, newCheckout, now)
  if (isRefusal(created)) throw new Error(`a checkout without a key was refused: ${created.refused}`)
  await countLinkOpened(tx, scope, link.id)
  return { checkoutId: created.checkout.id, cancelled }
}
