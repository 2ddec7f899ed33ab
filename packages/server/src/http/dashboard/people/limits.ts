/** `/limits/`: what managers and cashiers may do without asking. */
import * as operations from '@sanad/contract/dashboard/people/limits'
import { changeLimits, limitsText, readLimits } from '../../../accounts/limits/account-limits.ts'
import type { Allowance, RoleLimits } from '../../../accounts/limits/role-limits.ts'
import type { Minor } from '../../../core/money.ts'
import { wholeAccount } from '../../../core/scope.ts'
import { change, type DashboardContext, type Route, route } from '../route.ts'

export const limitRoutes = (deps: DashboardContext): Route[] => [
  route(operations.showLimits, async ({ member }) =>
    limitsAnswer(await readLimits(deps.db, wholeAccount(member.scope.accountId))),
  ),
  route(operations.changeLimits, async (call) => {
    const { manager, cashier } = call.body
    const scope = wholeAccount(call.member.scope.accountId)
    const changes = {
      ...(manager === undefined ? {} : { manager: changed(manager) }),
      ...(cashier === undefined ? {} : { cashier: changed(cashier) }),
    }
    const proved = await call.proved()
    const limits = await change(deps, call, (db, audit) => changeLimits(db, audit, scope, changes, proved))
    return limitsAnswer(limits)
  }),
]

type Sent = {
  readonly short_amount?: Minor | null | undefined
  readonly booked_amount?: Minor | null | undefined
  readonly cancel?: boolean | undefined
  readonly take_sales?: boolean | undefined
  readonly other_days?: boolean | undefined
}

/** What is left out stays. */
const changed = (sent: Sent): Partial<Allowance> => ({
  ...(sent.short_amount === undefined ? {} : { short: sent.short_amount }),
  ...(sent.booked_amount === undefined ? {} : { booked: sent.booked_amount }),
  ...(sent.cancel === undefined ? {} : { cancels: sent.cancel }),
  ...(sent.take_sales === undefined ? {} : { takesSales: sent.take_sales }),
  ...(sent.other_days === undefined ? {} : { seesOtherDays: sent.other_days }),
})

const limitsAnswer = (limits: RoleLimits): operations.Limits => {
  const { short_amount, booked_amount } = limitsText(limits.manager)
  const { currency, ...cashier } = limitsText(limits.cashier)
  return { currency: currency as operations.Limits['currency'], manager: { short_amount, booked_amount }, cashier }
}
