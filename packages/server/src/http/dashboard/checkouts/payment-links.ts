/** `/payment-links/` and `/payment-links/{id}/`: list, show, create, switch off and on; download the QR code. */

import * as operations from '@sanad/contract/dashboard/checkouts/payment-links'
import type { PaymentLink } from '../../../checkouts/links/payment-link.ts'
import { findPaymentLink, linkOf, paymentLinksAfter } from '../../../checkouts/links/payment-link-sql.ts'
import { createLink, setLinkActive } from '../../../checkouts/links/payment-links.ts'
import type { PaymentLinkId } from '../../../core/ids.ts'
import { formatMinor } from '../../../core/money.ts'
import { invalid, notFound } from '../../answers.ts'
import { outermostFirst } from '../../body/field-error.ts'
import { bodyReader } from '../../body/schema-reader.ts'
import { walletErrors } from '../../checkout/checkout-api.ts'
import { linkReader } from '../../checkout/payment-links.ts'
import { sentBody } from '../../merchant/sent-body.ts'
import { idIn } from '../../path-id.ts'
import { lastValues } from '../../query/parameters.ts'
import { pageAnswer, readPageQuery } from '../keyset.ts'
import { qrSvg } from '../qr-svg.ts'
import { accepted } from '../refusals.ts'
import { actorIn, bodyOf, type Call, change, type Route, route } from '../route.ts'
import { listedLink, shownLink } from './checkout-answers.ts'
import type { CheckoutRouteDeps } from './checkouts.ts'
import { qrPng } from './qr-png.ts'

const readSwitch = bodyReader(operations.switchPaymentLink.body)

export const paymentLinkRoutes = (deps: CheckoutRouteDeps): Route[] => {
  const read = linkReader(deps.development)
  return [
    route(operations.listPaymentLinks, async (call) => {
      const { after, size } = readPageQuery(call.request, 'uuid')
      const { zone } = await deps.terms(call.member.accountId, call.now)
      const rows = await paymentLinksAfter(deps.db, call.member.accountId, after?.[0], size + 1)
      return pageAnswer(
        rows,
        size,
        ({ id }) => [id],
        (row) => listedLink(deps, call, linkOf(row), zone),
      )
    }),
    route(operations.createPaymentLink, async (call) => shownLink(deps, call, await createWithAudit(deps, read, call))),
    route(operations.showPaymentLink, async (call) => shownLink(deps, call, await linkIn(deps, call))),
    route(operations.switchPaymentLink, async (call) => {
      const { accountId } = call.member
      const { id } = await linkIn(deps, call)
      const { active } = bodyOf(call, readSwitch)
      const link = await change(deps, call, (tx, audit) => setLinkActive(tx, audit, { accountId, id, active }))
      return shownLink(deps, call, link)
    }),
    route(operations.downloadLinkQr, async (call) => {
      const { reply, request } = call
      const format = lastValues(request.raw.url ?? '').get('format') || 'svg'
      const { url } = await shownLink(deps, call, await linkIn(deps, call))
      if (!operations.qrFormats.some((known) => known === format)) {
        const detail = 'Select a valid choice: svg or png.'
        throw invalid([{ code: 'invalid_choice', detail, attr: 'format' }])
      }
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
const linkIn = async (deps: CheckoutRouteDeps, { request, member }: Call): Promise<PaymentLink> => {
  const [row] = await findPaymentLink(deps.db, member.accountId, idIn<PaymentLinkId>(request, 'id'))
  if (row === undefined) throw notFound()
  return linkOf(row)
}

const createWithAudit = async (
  deps: CheckoutRouteDeps,
  read: ReturnType<typeof linkReader>,
  call: Call,
): Promise<PaymentLink> => {
  const { accountId } = call.member
  const { errors, wallets, draft } = read(sentBody(call.request))
  const allErrors = outermostFirst([...errors, ...(await walletErrors(deps, accountId, wallets, call.now))])
  if (draft === undefined || allErrors.length > 0) throw invalid(allErrors)
  const link = await change(deps, call, async (tx, audit) => {
    const newLink = { accountId, createdBy: actorIn(call).actor, draft }
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
