/** `/checkouts/` and `/checkouts/{id}/`: find, show, create and cancel checkouts. */

import * as operations from '@sanad/contract/dashboard/checkouts/checkouts'
import type { WithIntents } from '../../../checkouts/checkout.ts'
import { type CreatedCheckout, createCheckout } from '../../../checkouts/create-checkout.ts'
import { readCheckout } from '../../../checkouts/list-checkouts.ts'
import type { AccountId } from '../../../core/ids.ts'
import { formatMinor } from '../../../core/money.ts'
import { isRefusal } from '../../../core/refusal.ts'
import type { Zone } from '../../../core/zone.ts'
import { withSavepoints } from '../../../postgres/query/savepoints.ts'
import { pageOfCheckouts } from '../../../views/checkouts/page-checkouts.ts'
import type { WalletLookup } from '../../../wallets/entries/wallet-lookup.ts'
import { notFound, sendJson } from '../../answers.ts'
import { createFromRequest } from '../../checkout/checkout-api.ts'
import { checkoutReader } from '../../checkout/create-checkout-body.ts'
import { cursorText } from '../../routes/cursor.ts'
import { asSent, type Reads, readBy } from '../../routes/route.ts'
import { doerIn } from '../limited-act.ts'
import { answerTo } from '../refusals.ts'
import { actorIn, type Call, type DashboardContext, type NamedCall, type Route, route, tryChange } from '../route.ts'
import { cancelCheckoutAct } from './checkout-acts.ts'
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
    route(operations.showCheckout, checkoutIn(deps), (call, found) => shownCheckout(deps, call, found)),
    route(operations.cancelCheckout, checkoutIn(deps), async (call, found) =>
      shownCheckout(deps, call, await cancelWithAudit(deps, call, found)),
    ),
    route(readBy(operations.createCheckout, asSent), async (call) => {
      const { request, reply, body, now, member } = call
      const { scope } = member
      const created = await createFromRequest(deps, read, { request, body, scope: scope, now }, (checked) =>
        createWithAudit(deps, call, checked),
      )
      if (created.kind === 'replayed') reply.header('idempotent-replayed', 'true')
      const found = (await readCheckout(deps.db, scope, created.checkout.id))!
      return sendJson(reply, 201, JSON.stringify(await shownCheckout(deps, call, found)))
    }),
  ]
}

/** The checkout that the path names, in the account of the member. */
export const checkoutIn =
  ({ db }: Pick<CheckoutRouteDeps, 'db'>) =>
  async ({ path, member }: NamedCall): Promise<WithIntents> => {
    const found = await readCheckout(db, member.scope, path.id)
    if (found === undefined) throw notFound()
    return found
  }

const listCheckouts = async (
  deps: CheckoutRouteDeps,
  { query, member, now, ...call }: Call & Reads<typeof operations.listCheckouts>,
) => {
  const { status, search, link, after, page_size: size } = query
  const statuses = status && new Set(status)
  const filter = { scope: member.scope, linkId: link, statuses, terms: search }
  const { found, next } = await pageOfCheckouts(deps.db, filter, { after: after?.[0], size }, now)
  const zone = await call.zone()
  return {
    next: next === undefined ? null : cursorText([next]),
    results: found.map((checkout) => listedCheckout(checkout, zone, now)),
  }
}

const createWithAudit = (
  deps: CheckoutRouteDeps,
  call: Call,
  checked: Parameters<Parameters<typeof createFromRequest>[3]>[0],
): ReturnType<typeof createCheckout> =>
  tryChange(deps, call, async (db, audit) => {
    const request = { scope: call.member.scope, createdBy: actorIn(call).actor, ...checked }
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

const cancelWithAudit = async (
  deps: CheckoutRouteDeps,
  call: Call,
  { checkout }: WithIntents,
): Promise<WithIntents> => {
  const { scope } = call.member
  const { now } = call
  const input = { act: 'cancel_checkout', checkoutId: checkout.id } as const
  // Returned, not thrown: the end of a checkout that had ended before stays stored, with its event.
  const result = await tryChange(deps, call, async (db, audit) =>
    cancelCheckoutAct(deps, { db, audit, doer: await doerIn(db, call), now }, input),
  )
  if (isRefusal(result)) {
    if (result.ended) {
      deps.wake(scope.accountId)
      deps.sendHint(scope.accountId, { kind: 'checkout', id: checkout.id })
    }
    throw answerTo(result)
  }
  for (const hint of result.hints) deps.sendHint(scope.accountId, hint)
  return result.found
}
