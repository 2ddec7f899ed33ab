/** `/buyers/`: what is kept of a buyer, found and erased by phone number, in steps. */

import { buyerKinds } from '@sanad/contract/buyer-kinds'
import * as operations from '@sanad/contract/dashboard/people/buyers'
import type { Hiding } from '../../../alerts/hidden/hidden-text.ts'
import { type BuyerStep, buyerStepRows, eraseBuyer, findBuyer } from '../../../checkouts/erasing/erase-buyer.ts'
import type { Instant } from '../../../core/clock.ts'
import { wholeAccount } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { accepted } from '../refusals.ts'
import { change, type DashboardContext, type Route, route } from '../route.ts'
import { timeIn } from '../time-text.ts'

export type BuyerDeps = DashboardContext & { readonly readReport: { readonly hiding: Hiding } }

const answer = ({ counts, lookedAt, cursor }: BuyerStep, zone: Zone): operations.BuyerStep => {
  const time = (at: Instant | null): string | null => (at === null ? null : timeIn(zone, at))
  return {
    found: buyerKinds.map((kind) => {
      const { oldest, newest, ...count } = counts[kind]
      return { kind, ...count, oldest: time(oldest), newest: time(newest) }
    }),
    looked_at: lookedAt,
    cursor,
  }
}

export const buyerRoutes = (deps: BuyerDeps): Route[] => [
  route(operations.findBuyer, async ({ member, body: { phone, cursor }, now, zone }) => {
    const request = { phone, cursor, most: buyerStepRows }
    const step = await deps.db.transaction((tx) =>
      findBuyer(tx, deps.readReport.hiding, wholeAccount(member.scope.accountId), request, now),
    )
    return answer(accepted(step), await zone())
  }),
  route(operations.eraseBuyer, async (call) => {
    const { member, now, zone } = call
    const request = { phone: call.body.phone, cursor: call.body.cursor, most: buyerStepRows }
    const scope = wholeAccount(member.scope.accountId)
    const step = await change(deps, call, (tx, audit) =>
      eraseBuyer(tx, audit, deps.readReport.hiding, scope, request, now),
    )
    return answer(step, await zone())
  }),
]
