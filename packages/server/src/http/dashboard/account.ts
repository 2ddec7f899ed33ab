/** `/account/`: the account one acts for, its settings, and what is used of its quota. */
import { type Account, changeAccount, showAccount } from '@sanad/contract/dashboard/account'
import { changeSettings, type Settings, settingsOf } from '../../accounts/settings.ts'
import type { Instant } from '../../ground/clock.ts'
import { isRefusal } from '../../ground/refusal.ts'
import type { Zone } from '../../ground/zone.ts'
import type { ListIntents } from '../../intents/list-intents.ts'
import { quotaUse } from '../../intents/quota-use.ts'
import { readAccountChanges } from '../body/account-body.ts'
import { answerTo } from './refusals.ts'
import { bodyOf, change, type DashboardDoor, type Route, route } from './route.ts'

export type AccountRooms = DashboardDoor & { readonly zone: Zone; readonly list: ListIntents }

export const accountRoutes = (rooms: AccountRooms): Route[] => [
  route(showAccount, async ({ who, now }) => {
    const settings = await settingsOf(rooms.db, who.accountId)
    if (isRefusal(settings)) throw answerTo(settings)
    return accountAnswer(rooms, settings, now)
  }),
  route(changeAccount, async (call) => {
    const asked = bodyOf(call, readAccountChanges)
    const settings = await change(rooms, call, (db, note) => changeSettings(db, note, call.who.accountId, asked))
    if (isRefusal(settings)) throw answerTo(settings)
    return accountAnswer(rooms, settings, call.now)
  }),
]

const accountAnswer = async (rooms: AccountRooms, settings: Settings, now: Instant): Promise<Account> => {
  const { used, monthFrom } = await quotaUse(rooms, settings.id, settings.monthly_intent_quota, now)
  return {
    id: settings.id,
    name: settings.name,
    time_zone: settings.time_zone === '' ? rooms.zone.name : settings.time_zone,
    own_time_zone: settings.time_zone !== '',
    created_at: rooms.zone.format(new Date(settings.created_at)),
    quota: { monthly: settings.monthly_intent_quota, used, month_from: rooms.zone.format(new Date(monthFrom)) },
  }
}
