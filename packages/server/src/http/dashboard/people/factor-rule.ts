/** `/account/second_factor/`: whether every member of the account needs a second factor. The check of calls is in route.ts. */
import { type FactorRule, setFactorRule, showFactorRule } from '@sanad/contract/dashboard/people/factor-rule'
import type { FactorRule as Rule } from '../../../accounts/people/factor-rule.ts'
import { changeFactorRule, factorRuleIn } from '../../../accounts/tenants/factor-rule.ts'
import { accepted } from '../refusals.ts'
import { change, type DashboardContext, type Route, route } from '../route.ts'
import { timeOrNull } from '../time-text.ts'

export const factorRuleRoutes = (deps: DashboardContext): Route[] => {
  const answer = ({ since, graceDays }: Rule): FactorRule => ({
    required: since !== null,
    grace_days: graceDays,
    since: timeOrNull(deps.zone, since),
  })
  return [
    route(showFactorRule, async ({ member }) => answer(accepted(await factorRuleIn(deps.db, member.scope)))),
    route(setFactorRule, async (call) => {
      const { member, body, now } = call
      const by = { userId: member.userId, proved: await call.proved() }
      const wanted = { required: body.required, graceDays: body.grace_days }
      return answer(await change(deps, call, (tx, audit) => changeFactorRule(tx, audit, member.scope, by, wanted, now)))
    }),
  ]
}
