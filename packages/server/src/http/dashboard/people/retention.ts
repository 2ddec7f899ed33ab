/** `/retention/`: for how long the account keeps texts, payers, calls and the audit log. */
import * as operations from '@sanad/contract/dashboard/people/retention'
import { retentionKinds } from '@sanad/contract/kinds'
import { changeRetention, type OwnRetention, readOwnRetention } from '../../../accounts/retention/account-retention.ts'
import { longestRetention, type Retention, retentionBounds } from '../../../accounts/retention/retention.ts'
import { wholeAccount } from '../../../core/scope.ts'
import { change, type DashboardContext, type Route, route } from '../route.ts'

/** `retention`: what holds for an account that has set nothing. */
export type RetentionDeps = DashboardContext & { readonly retention: Retention }

export const retentionRoutes = (deps: RetentionDeps): Route[] => {
  const answer = (own: OwnRetention): operations.Retention => ({
    kept: retentionKinds.map((kind) => ({
      kind,
      days: own[kind],
      usual_days: deps.retention[kind],
      least_days: retentionBounds[kind].least,
      most_days: longestRetention,
    })),
  })
  return [
    route(operations.showRetention, async ({ member }) =>
      answer(await readOwnRetention(deps.db, wholeAccount(member.scope.accountId))),
    ),
    route(operations.changeRetention, async (call) => {
      const { body, member, now } = call
      const changes = Object.fromEntries(
        retentionKinds.flatMap((kind) => (body[kind] === undefined ? [] : [[kind, body[kind]]])),
      )
      return answer(
        await change(deps, call, (tx, audit) =>
          changeRetention(tx, audit, wholeAccount(member.scope.accountId), changes, now),
        ),
      )
    }),
  ]
}
