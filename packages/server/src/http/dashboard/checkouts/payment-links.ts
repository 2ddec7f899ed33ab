/** `/payment-links/` and `/payment-links/{id}/`: list, show, create, switch off and on; download the QR code. */

import * as operations from '@sanad/contract/dashboard/checkouts/payment-links'
import type { PaymentLink } from '../../../checkouts/links/payment-link.ts'
import { findPaymentLink, linkOf, paymentLinksAfter } from '../../../checkouts/links/payment-link-sql.ts'
import { createLink, setLinkActive } from '../../../checkouts/links/payment-links.ts'
import { formatMinor } from '../../../core/money.ts'
import { invalid, notFound } from '../../answers.ts'
import { outermostFirst } from '../../body/field-error.ts'
import type { Json } from '../../body/json.ts'
import { checkWallets } from '../../checkout/checkout-api.ts'
import { linkReader } from '../../checkout/payment-links.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { asSent, readBy } from '../../routes/route.ts'
import { qrSvg } from '../qr-svg.ts'
import { accepted } from '../refusals.ts'
import { actorIn, type Call, change, type NamedCall, type Route, route } from '../route.ts'
import { listedLink, shownLink } from './checkout-answers.ts'
import type { CheckoutRouteDeps } from './checkouts.ts'
import { qrPng } from './qr-png.ts'

export const paymentLinkRoutes = (deps: CheckoutRouteDeps): Route[] => {
  const read = linkReader(deps.development)
  return [
    route(operations.listPaymentLinks, async (call) => {
      const { after, page_size: size } = call.query
      const zone = await call.zone()
      const rows = await paymentLinksAfter(deps.db, call.member.scope, after?.[0], size + 1)
      return pageAnswer(
        rows,
        size,
        ({ id }) => [id],
        (row) => listedLink(deps, call, linkOf(row), zone),
      )
    }),
    route(readBy(operations.createPaymentLink, asSent), async (call) =>
      shownLink(deps, call, await createWithAudit(deps, read, call)),
    ),
    route(operations.showPaymentLink, linkIn(deps), (call, found) => shownLink(deps, call, found)),
    route(operations.switchPaymentLink, linkIn(deps), async (call, { id }) => {
      const { scope } = call.member
      const { active } = call.body
      const link = await change(deps, call, (tx, audit) => setLinkActive(tx, audit, { scope: scope, id, active }))
      return shownLink(deps, call, link)
    }),
    route(operations.downloadLinkQr, linkIn(deps), async (call, link) => {
      const { reply } = call
      const { format = 'svg' } = call.query
      const { url } = await shownLink(deps, call, link)
      if (url === null) throw new Error('a role that may share has no link')
      const isPng = format === 'png'
      return reply
        .code(200)
        .headers({
          'content-disposition': `attachment; filename="payment-link.${format}"`,
          // An SVG opened as a page of its own must run no script and load nothing.
          'content-security-policy': "default-src 'none'; sandbox",
        })
        .type(isPng ? 'image/png' : 'image/svg+xml')
        .send(isPng ? qrPng(url) : Buffer.from(qrSvg(url)))
    }),
  ]
}

/** The link that the path names, in the account of the member. */
const linkIn =
  ({ db }: CheckoutRouteDeps) =>
  async ({ path, member }: NamedCall): Promise<PaymentLink> => {
    const [row] = await findPaymentLink(db, member.scope, path.id)
    if (row === undefined) throw notFound()
    return linkOf(row)
  }

const createWithAudit = async (
  deps: CheckoutRouteDeps,
  read: ReturnType<typeof linkReader>,
  call: Call & { readonly body: Json },
): Promise<PaymentLink> => {
  const { scope } = call.member
  const { errors, wallets, draft } = read(call.body)
  const checked = await checkWallets(deps, scope, wallets, call.now)
  const allErrors = outermostFirst([...errors, ...checked.errors])
  if (draft === undefined || allErrors.length > 0) throw invalid(allErrors)
  const link = await change(deps, call, async (tx, audit) => {
    const newLink = { scope, createdBy: actorIn(call).actor, draft: { ...draft, currency: checked.currency } }
    const created = accepted(await createLink(tx, deps.checkoutTokens, newLink, call.now))
    const { price, once, description } = created
    const amounts =
      price.kind === 'fixed'
        ? { amount: formatMinor(price.amount) }
        : { min_amount: formatMinor(price.least), max_amount: formatMinor(price.most) }
    const after = { name: description, ...amounts, once }
    audit({ action: 'payment_link.create', kind: 'payment_link', id: created.id, after })
    return created
  })
  return link
}
