/** `/checkouts/` and `/checkouts/{id}/`: find, show, create and cancel checkouts. */

import * as operations from '@sanad/contract/dashboard/checkouts/checkouts'
import { cancelCheckout } from '../../../checkouts/cancel-checkout.ts'
import { checkoutStatuses, type WithIntents } from '../../../checkouts/checkout.ts'
import { type CreatedCheckout, createCheckout } from '../../../checkouts/create-checkout.ts'
import { readCheckout } from '../../../checkouts/list-checkouts.ts'
import type { AccountId, CheckoutId } from '../../../core/ids.ts'
import { formatMinor } from '../../../core/money.ts'
import { isRefusal } from '../../../core/refusal.ts'
import type { Zone } from '../../../core/zone.ts'
import { withSavepoints } from '../../../postgres/query/savepoints.ts'
import type { CheckoutSearch } from '../../../views/checkouts/checkout-pages-sql.ts'
import { pageOfCheckouts } from '../../../views/checkouts/page-checkouts.ts'
import type { WalletLookup } from '../../../wallets/wallets/wallet-lookup.ts'
import { invalid, notFound, type ProblemEntry, sendJson } from '../../answers.ts'
import { uuidOfText } from '../../body/uuid.ts'
import { createFromRequest } from '../../checkout/checkout-api.ts'
import { checkoutReader } from '../../checkout/create-checkout-body.ts'
import { readStatuses, readTerms } from '../../merchant/list-query.ts'
import { idIn } from '../../path-id.ts'
import { lastValues } from '../../query/parameters.ts'
import { pageCursor, readPageQuery } from '../keyset.ts'
import { answerTo } from '../refusals.ts'
import { actorIn, type Call, change, type DashboardContext, type Route, route, tryChange } from '../route.ts'
import { type CheckoutAnswerDeps, listedCheckout, shownCheckout } from './checkout-answers.ts'

export type CheckoutRouteDeps = DashboardContext &
  CheckoutAnswerDeps & {
    /** The zone of the service: events are written in it. Answers use the zone of the account. */
    readonly zone: Zone
    readonly wallets: WalletLookup
    /** Outside production, addresses of shops may use http to this machine. */
    readonly development: boolean
    /** Wakes the sender of webhooks, because events may be due. */
    readonly wake: (accountId: AccountId) => void
  }

export const checkoutRoutes = (deps: CheckoutRouteDeps): Route[] => {
  const read = checkoutReader(deps.development)
  return [
    route(operations.listCheckouts, (call) => listCheckouts(deps, call)),
    route(operations.showCheckout, async (call) => shownCheckout(deps, call, await checkoutIn(deps, call))),
    route(operations.cancelCheckout, async (call) => shownCheckout(deps, call, await cancelWithAudit(deps, call))),
    route(operations.createCheckout, async (call) => {
      const { request, reply, now, member } = call
      const { accountId } = member
      const created = await createFromRequest(deps, read, { request, accountId, now }, (checked) =>
        createWithAudit(deps, call, checked),
      )
      if (created.kind === 'replayed') reply.header('idempotent-replayed', 'true')
      const found = (await readCheckout(deps.db, accountId, created.checkout.id))!
      return sendJson(reply, 201, JSON.stringify(await shownCheckout(deps, call, found)))
    }),
  ]
}

/** The checkout that the path names, in the account of the member. */
const checkoutIn = async (deps: CheckoutRouteDeps, { request, member }: Call): Promise<WithIntents> => {
  const found = await readCheckout(deps.db, member.accountId, idIn<CheckoutId>(request, 'id'))
  if (found === undefined) throw notFound()
  return found
}

const searchIn = ({ request, member }: Call): CheckoutSearch => {
  const sent = lastValues(request.raw.url ?? '')
  const errors: ProblemEntry[] = []
  const statuses = readStatuses(sent, checkoutStatuses, errors)
  const link = sent.get('link') ?? ''
  const linkId = link === '' ? undefined : uuidOfText(link)
  if (link !== '' && linkId === undefined) errors.push({ code: 'invalid', detail: 'Enter a valid UUID.', attr: 'link' })
  if (errors.length > 0) throw invalid(errors)
  return { accountId: member.accountId, linkId, statuses, terms: readTerms(sent) }
}

const listCheckouts = async (deps: CheckoutRouteDeps, call: Call) => {
  const { request, member, now } = call
  const search = searchIn(call)
  const { after, size } = readPageQuery(request, 'uuid')
  const { zone } = await deps.terms(member.accountId, now)
  const { found, next } = await pageOfCheckouts(deps.db, search, { after: after?.[0], size }, now)
  return {
    next: next === undefined ? null : pageCursor([next]),
    results: found.map((checkout) => listedCheckout(checkout, zone, now)),
  }
}

const createWithAudit = (
  deps: CheckoutRouteDeps,
  call: Call,
  checked: Parameters<Parameters<typeof createFromRequest>[3]>[0],
): ReturnType<typeof createCheckout> =>
  tryChange(deps, call, async (db, audit) => {
    const request = { accountId: call.member.accountId, createdBy: actorIn(call).actor, ...checked }
    const created = await createCheckout({ db: withSavepoints(db), tokens: deps.checkoutTokens }, request, call.now)
    if (!isRefusal(created) && created.kind === 'created') audit(createEntry(created))
    return created
  })

const createEntry = ({ checkout }: CreatedCheckout) => ({
  action: 'checkout.create',
  kind: 'checkout' as const,
  id: checkout.id,
  after: {
    external_order_id: checkout.externalOrderId,
    amount: formatMinor(checkout.amount),
    description: checkout.description,
  },
})

const cancelWithAudit = async (deps: CheckoutRouteDeps, call: Call): Promise<WithIntents> => {
  const { member, now } = call
  const { accountId } = member
  const { checkout } = await checkoutIn(deps, call)
  const cancellation = { accountId, id: checkout.id, by: actorIn(call).actor }
  const result = await change(deps, call, async (tx, audit) => {
    const done = await cancelCheckout(tx, deps.zone, cancellation, now)
    if (done.kind === 'cancelled')
      audit({
        action: 'checkout.cancel',
        kind: 'checkout',
        id: checkout.id,
        before: { status: 'OPEN' },
        after: {
          status: 'CANCELLED',
          external_order_id: checkout.externalOrderId,
          amount: formatMinor(checkout.amount),
        },
      })
    return done
  })
  if (result.kind === 'refused') {
    // The checkout had ended before: that end is now stored, with its event.
    if (result.ended) {
      deps.wake(accountId)
      deps.sendHint(accountId, { kind: 'checkout', id: checkout.id })
    }
    throw answerTo(result.refusal)
  }
  const { cancelledIntent, ...found } = result.cancelled
  if (cancelledIntent !== undefined) deps.sendHint(accountId, { kind: 'intent', id: cancelledIntent })
  return found
}
