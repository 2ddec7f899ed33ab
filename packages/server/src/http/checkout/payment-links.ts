/** `/links/` and `/links/{id}/`: creates, lists and retrieves payment links of the account; switches them off and on. */

import { CreateLink, type PaymentLink as LinkAnswer } from '@sanad/contract/checkout'
import * as operations from '@sanad/contract/checkout/links'
import type { Currency } from '@sanad/contract/currency'
import { errorOf } from '@sanad/contract/error-sentences'
import type { FastifyRequest } from 'fastify'
import type { CheckoutTokens } from '../../checkouts/checkout-token.ts'
import type { PaymentLink } from '../../checkouts/links/payment-link.ts'
import {
  countPaymentLinks,
  findPaymentLink,
  linkOf,
  listPaymentLinks,
  switchPaymentLink,
} from '../../checkouts/links/payment-link-sql.ts'
import { createLink, type LinkDraft } from '../../checkouts/links/payment-links.ts'
import type { Instant } from '../../core/clock.ts'
import type { WalletId } from '../../core/ids.ts'
import { formatMinor, type Minor } from '../../core/money.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { WalletLookup } from '../../wallets/entries/wallet-lookup.ts'
import { invalid, notFound } from '../answers.ts'
import { type FieldError, outermostFirst } from '../body/field-error.ts'
import type { Json } from '../body/json.ts'
import { bodyReader } from '../body/schema-reader.ts'
import { numberedPage, pageLinks } from '../query/numbered-page.ts'
import { type KeyRoute, keyRoute, type NamedKeyCall } from '../routes/key-route.ts'
import { asSent, readBy } from '../routes/route.ts'
import { payBase } from './checkout-answer.ts'
import { walletsIn } from './create-checkout-body.ts'

/** The path of payment links, below that of the buyers' pages. */
export const linkBase = `${payBase}/link`

type LinkRouteDeps = {
  readonly db: Db
  readonly zone: Zone
  readonly wallets: WalletLookup
  readonly checkoutTokens: CheckoutTokens
  readonly development: boolean
  readonly origin: (request: FastifyRequest) => string
}

export type CheckedWallets = {
  readonly errors: FieldError[]
  readonly currency: string
  readonly offered: readonly WalletId[] | undefined
}

type CheckWallets = (
  deps: Pick<LinkRouteDeps, 'db' | 'wallets'>,
  scope: Scope,
  ids: readonly WalletId[],
  now: Instant,
) => Promise<CheckedWallets>

export const linkRoutes = (deps: LinkRouteDeps, checkWallets: CheckWallets): KeyRoute[] => [
  keyRoute(operations.listLinks, async ({ request, query, key }) => {
    const count = (await countPaymentLinks(deps.db, key.scope))[0]!.count
    const page = numberedPage(query.page, count, query.page_size)
    const rows = await listPaymentLinks(deps.db, key.scope, query.page_size, page.offset)
    return {
      count,
      ...pageLinks(`${deps.origin(request)}/api/v1/checkout/links/`, request.raw.url ?? '', page),
      results: rows.map((row) => linkAnswer(deps, request, linkOf(row))),
    }
  }),
  createRoute(deps, checkWallets),
  keyRoute(operations.retrieveLink, linkIn(deps), ({ request }, link) => linkAnswer(deps, request, link)),
  keyRoute(operations.changeLink, linkIn(deps), async ({ request, key, path, body }) => {
    const [row] = await switchPaymentLink(deps.db, key.scope, path.id, body.active)
    if (row === undefined) throw notFound()
    return linkAnswer(deps, request, linkOf(row))
  }),
]

/** The link that the path names, in the account of the key. */
const linkIn =
  ({ db }: LinkRouteDeps) =>
  async ({ key, path }: NamedKeyCall): Promise<PaymentLink> => {
    const [row] = await findPaymentLink(db, key.scope, path.id)
    if (row === undefined) throw notFound()
    return linkOf(row)
  }

/** Its currency is that of its wallets. */
type SentLink = Omit<LinkDraft, 'currency'>

export const linkReader = (development: boolean) => {
  const readLink = bodyReader(CreateLink, { development })
  return (sent: Json): { errors: FieldError[]; wallets: readonly WalletId[]; draft: SentLink | undefined } => {
    const reading = readLink(sent)
    if (reading.kind === 'no') return { errors: reading.errors, wallets: walletsIn(sent), draft: undefined }
    const { value } = reading
    const wallets = (value.wallets ?? []) as WalletId[]
    if (value.amount === undefined && value.min_amount > value.max_amount) {
      const error = errorOf('min_value', { min: formatMinor(value.min_amount) })
      return { errors: [{ attr: 'max_amount', ...error }], wallets, draft: undefined }
    }
    const draft: SentLink = {
      price:
        value.amount === undefined
          ? { kind: 'open', least: value.min_amount, most: value.max_amount }
          : { kind: 'fixed', amount: value.amount },
      externalOrderId: value.external_order_id ?? '',
      description: value.description ?? '',
      wallets: [...new Set(wallets)],
      returnUrl: value.return_url ?? '',
      metadata: JSON.stringify(value.metadata ?? {}),
      locale: value.locale ?? '',
      allowRemaining: value.allow_remaining,
      once: value.once,
      life_s: value.expires_in,
    }
    return { errors: [], wallets, draft }
  }
}

export const linkAnswer = (
  deps: Pick<LinkRouteDeps, 'zone' | 'checkoutTokens' | 'origin'>,
  request: FastifyRequest,
  link: PaymentLink,
): LinkAnswer => {
  const { price } = link
  const amountOrNull = (value: Minor | undefined): string | null => (value === undefined ? null : formatMinor(value))
  return {
    id: link.id,
    url: `${deps.origin(request)}${linkBase}/${deps.checkoutTokens.of(link.accountId, link.id)}`,
    active: link.active,
    amount: amountOrNull(price.kind === 'fixed' ? price.amount : undefined),
    min_amount: amountOrNull(price.kind === 'open' ? price.least : undefined),
    max_amount: amountOrNull(price.kind === 'open' ? price.most : undefined),
    currency: link.currency as Currency,
    external_order_id: link.externalOrderId,
    description: link.description,
    wallets: [...link.wallets],
    return_url: link.returnUrl,
    metadata: JSON.parse(link.metadata),
    locale: link.locale,
    expires_in: link.life_s,
    allow_remaining: link.allowRemaining,
    once: link.once,
    created_at: deps.zone.format(new Date(link.createdAt)),
  }
}

const createRoute = (deps: LinkRouteDeps, checkWallets: CheckWallets): KeyRoute => {
  const read = linkReader(deps.development)
  return keyRoute(readBy(operations.createLink, asSent), async ({ request, body, key, now }) => {
    const { scope } = key
    const { errors, wallets, draft } = read(body)
    const checked = await checkWallets(deps, scope, wallets, now)
    const all = outermostFirst([...errors, ...checked.errors])
    if (draft === undefined || all.length > 0) throw invalid(all)
    const { currency, offered = draft.wallets } = checked
    const newLink = { scope, createdBy: `key ${key.clientId}`, draft: { ...draft, currency, wallets: offered } }
    const link = await deps.db.transaction((tx) => createLink(tx, deps.checkoutTokens, newLink, now))
    if (isRefusal(link))
      throw invalid([{ ...errorOf('link_limit', { most: link.facts?.most }), attr: 'non_field_errors' }])
    return linkAnswer(deps, request, link)
  })
}
