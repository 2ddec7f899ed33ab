/** `/account/`: the account that the user acts for, its settings, and how much of its quota is used. */
import { type Account, changeAccount, showAccount } from '@sanad/contract/dashboard/people/account'
import { changeSettings, type Settings, settingsOf } from '../../../accounts/tenants/settings.ts'
import type { Instant } from '../../../core/clock.ts'
import { type Scope, wholeOf } from '../../../core/scope.ts'
import { createdSince } from '../../../intents/list/intent-list.ts'
import { quotaUse } from '../../../intents/totals/quota-use.ts'
import type { ListIntents } from '../../../views/intents/list-intents.ts'
import { accepted } from '../refusals.ts'
import { change, type DashboardContext, type Route, route } from '../route.ts'

export type AccountDeps = DashboardContext & { readonly list: ListIntents }

export const accountRoutes = (deps: AccountDeps): Route[] => [
  route(showAccount, async ({ member, now }) => {
    const settings = accepted(await settingsOf(deps.db, member.scope.accountId))
    return accountAnswer(deps, member.scope, settings, now)
  }),
  route(changeAccount, async (call) => {
    const { name, time_zone: timeZone, country } = call.body
    const changes = { name, timeZone, country }
    const settings = await change(deps, call, (db, audit) =>
      changeSettings(db, audit, call.member.scope.accountId, changes),
    )
    return accountAnswer(deps, call.member.scope, settings, call.now)
  }),
]

const accountAnswer = async (deps: AccountDeps, scope: Scope, settings: Settings, now: Instant): Promise<Account> => {
  const { used: usedByAll, monthFrom } = await quotaUse(deps, wholeOf(scope), settings.monthly_intent_quota, now)
  // A member with some wallets, or with today alone, is told what these have used.
  const used =
    scope.wallets === null && scope.today === null
      ? usedByAll
      : await deps.list.count(createdSince(scope, monthFrom), now)
  return {
    id: settings.id,
    name: settings.name,
    time_zone: settings.time_zone === '' ? deps.zone.name : settings.time_zone,
    own_time_zone: settings.time_zone !== '',
    country: settings.country,
    created_at: deps.zone.format(new Date(settings.created_at)),
    quota: { monthly: settings.monthly_intent_quota, used, month_from: deps.zone.format(new Date(monthFrom)) },
  }
}
