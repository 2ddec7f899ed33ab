/** `/phones/` and `/phones/{id}/`: the phones that see the money, how they are, and what they reported. */
import { isDeepStrictEqual } from 'node:util'
import * as operations from '@sanad/contract/dashboard/phones'
import { alertsOfDevice, firstAlertSince } from '../../alerts/device-alerts-sql.ts'
import { countStrangers } from '../../alerts/hidden-sql.ts'
import { type DeviceId, firstIdAt } from '../../ground/ids.ts'
import { isRefusal } from '../../ground/refusal.ts'
import type { Zone } from '../../ground/zone.ts'
import type { DeviceLookup } from '../../wallets/device-lookup.ts'
import type { DeviceSecrets } from '../../wallets/device-secrets.ts'
import { addPhone, changePhone, deletePhone, findPhoneOf, phonesOf } from '../../wallets/manage-phones.ts'
import type { ManagedPhone } from '../../wallets/managed-phone.ts'
import type { WalletLookup } from '../../wallets/wallet-lookup.ts'
import { invalid, notFound } from '../answers.ts'
import { instantIn } from '../body/instant.ts'
import { readNewPhone, readPhoneChanges } from '../body/phone-body.ts'
import { lastValues } from '../query/parameters.ts'
import { pageAnswer, pageAsked } from './keyset.ts'
import { pairingAnswer, phoneAlertAnswer, phoneAnswer } from './phone-answers.ts'
import { answerTo } from './refusals.ts'
import { actorIn, bodyOf, type Call, change, type DashboardDoor, idIn, type Route, route } from './route.ts'

export type PhoneRooms = DashboardDoor & {
  readonly zone: Zone
  readonly wallets: WalletLookup
  readonly devices: DeviceLookup
  readonly deviceSecrets: DeviceSecrets
}

/** The phone that the path names, if it is the account's. */
export const phoneIn = async (rooms: PhoneRooms, { request, who }: Call): Promise<ManagedPhone> => {
  const phone = await findPhoneOf(rooms.db, who.accountId, idIn<DeviceId>(request, 'id'))
  if (phone === undefined) throw notFound()
  return phone
}

/** After a change made here: this node knows at once, others within a second and a half. */
export const forgetPhone = (rooms: PhoneRooms, { who }: Call, phone: ManagedPhone): void => {
  rooms.devices.forget(phone.id)
  for (const { id } of phone.wallets) rooms.wallets.forget(who.accountId, id)
}

/** More are not counted. */
const mostStrangers = 1000

export const phoneRoutes = (rooms: PhoneRooms): Route[] => [
  route(operations.listPhones, async ({ request, who, now }) => {
    const { after, size } = pageAsked(request, 'text', 'uuid')
    const rows = await phonesOf(rooms.db, who.accountId, after, size + 1)
    const cursorOf = ({ name, id }: ManagedPhone) => [name, id]
    return pageAnswer(rows, size, cursorOf, (phone) => phoneAnswer(phone, rooms.zone, now))
  }),
  route(operations.createPhone, async (call) => {
    const { request, who, now } = call
    const { name } = bodyOf(call, readNewPhone)
    const made = await change(rooms, call, async (db, note) => {
      const done = await addPhone(db, rooms.deviceSecrets, who.accountId, name, now, actorIn(call).actor)
      if (!isRefusal(done)) note({ action: 'phone.create', kind: 'phone', id: done.id, after: { name } })
      return done
    })
    if (isRefusal(made)) throw answerTo(made)
    const phone = await findPhoneOf(rooms.db, who.accountId, made.id)
    return {
      phone: phoneAnswer(phone!, rooms.zone, now),
      pairing: pairingAnswer(made, rooms.ownOrigin(request), rooms.zone),
    }
  }),
  route(operations.showPhone, async (call) => phoneAnswer(await phoneIn(rooms, call), rooms.zone, call.now)),
  route(operations.changePhone, async (call) => {
    const { who, now } = call
    const phone = await phoneIn(rooms, call)
    const said = bodyOf(call, readPhoneChanges)
    const changed = await change(rooms, call, async (db, note) => {
      const done = await changePhone(db, who.accountId, phone.id, { name: said.name, on: said.switched_on })
      if (done !== undefined) {
        const noted = ({ name, on }: typeof done.before) => ({ name, switched_on: on })
        const [before, after] = [noted(done.before), noted(done.after)]
        if (!isDeepStrictEqual(before, after))
          note({ action: 'phone.update', kind: 'phone', id: phone.id, before, after })
      }
      return done
    })
    if (changed === undefined) throw notFound()
    forgetPhone(rooms, call, phone)
    return phoneAnswer(await phoneIn(rooms, call), rooms.zone, now)
  }),
  route(operations.deletePhone, async (call) => {
    const { who } = call
    const phone = await phoneIn(rooms, call)
    const deleted = await change(rooms, call, async (db, note) => {
      const done = await deletePhone(db, who.accountId, phone.id)
      if (done !== undefined && !isRefusal(done))
        note({ action: 'phone.delete', kind: 'phone', id: phone.id, before: { name: done.name } })
      return done
    })
    if (deleted === undefined) throw notFound()
    if (isRefusal(deleted)) throw answerTo(deleted)
    forgetPhone(rooms, call, phone)
    return undefined
  }),
  route(operations.listPhoneAlerts, async (call) => {
    const phone = await phoneIn(rooms, call)
    const { after, size } = pageAsked(call.request, 'uuid')
    const newest = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    const rows = await alertsOfDevice(rooms.db, call.who.accountId, phone.id, after?.[0] ?? newest, size + 1)
    const cursorOf = ({ id }: { id: string }) => [id]
    return pageAnswer(rows, size, cursorOf, (row) => phoneAlertAnswer(row, rooms.zone))
  }),
  route(operations.countHiddenMessages, async (call) => {
    const phone = await phoneIn(rooms, call)
    const [row] = await countStrangers(rooms.db, call.who.accountId, phone.id, mostStrangers + 1)
    const { found } = row!
    return { other_messages: Math.min(found, mostStrangers), more: found > mostStrangers }
  }),
  route(operations.showSelfTest, async (call) => {
    const { request, who, now } = call
    const phone = await phoneIn(rooms, call)
    const asked = lastValues(request.raw.url ?? '').get('since')
    // A `+` that arrived as a space is repaired, as in the filters of the merchant API.
    const since = asked ? instantIn(asked.replace(' ', '+'), rooms.zone) : now
    if (since === null) throw invalid([{ code: 'invalid', detail: 'Enter a valid date/time.', attr: 'since' }])
    const [alert] = await firstAlertSince(rooms.db, who.accountId, phone.id, firstIdAt(since))
    const heard = phone.lastSeenAt !== null && phone.lastSeenAt >= since
    const time = (at: number): string => rooms.zone.format(new Date(at))
    return {
      since: time(since),
      checked_at: time(now),
      state: alert !== undefined ? ('arrived' as const) : heard ? ('heard' as const) : ('waiting' as const),
      last_seen_at: phone.lastSeenAt === null ? null : time(phone.lastSeenAt),
      alert: alert === undefined ? null : phoneAlertAnswer(alert, rooms.zone),
    }
  }),
]
