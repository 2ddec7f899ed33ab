/** `/phones/` and `/phones/{id}/`: the phones of the account, their health, and what they reported. */

import { isDeepStrictEqual } from 'node:util'
import * as operations from '@sanad/contract/dashboard/wallets/phones'
import { countStrangers } from '../../../alerts/hidden/hidden-sql.ts'
import { alertsOfPhone, firstAlertSince } from '../../../alerts/phone-alerts-sql.ts'
import { phoneHasAlerts } from '../../../alerts/phone-has-alerts-sql.ts'
import type { Instant } from '../../../core/clock.ts'
import { firstIdAt, largestId } from '../../../core/ids.ts'
import { refuse } from '../../../core/refusal.ts'
import type { Tx } from '../../../postgres/connection/database.ts'
import { comparisonOf } from '../../../views/alerts/compare-phone.ts'
import type { WalletLookup } from '../../../wallets/entries/wallet-lookup.ts'
import type { AccountPhone } from '../../../wallets/phones/account-phone.ts'
import {
  addPhone,
  beginSelfTest,
  changePhone,
  deletePhone,
  findPhoneOf,
  phonesOf,
} from '../../../wallets/phones/account-phones.ts'
import type { PhoneLookup } from '../../../wallets/phones/phone-lookup.ts'
import type { PhoneSecrets } from '../../../wallets/phones/phone-secrets.ts'
import { openSelfTest, selfTestState } from '../../../wallets/phones/self-test.ts'
import { closeToday } from '../../../wallets/silence/closed-day.ts'
import { silenceOf } from '../../../wallets/silence/silence.ts'
import { invalid, notFound } from '../../answers.ts'
import { instantIn } from '../../body/instant.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { accepted, answerTo } from '../refusals.ts'
import { actorIn, type Call, change, type DashboardContext, type NamedCall, type Route, route } from '../route.ts'
import { timeOrNull } from '../time-text.ts'
import { pairingAnswer, phoneAlertAnswer, phoneAnswer } from './phone-answers.ts'

export type PhoneDeps = DashboardContext & {
  readonly wallets: WalletLookup
  readonly knownPhones: PhoneLookup
  readonly phoneSecrets: PhoneSecrets
}

/** The phone that the path names, if it is the account's. */
export const phoneIn =
  ({ db }: DashboardContext) =>
  async ({ path, member }: NamedCall): Promise<AccountPhone> => {
    const phone = await findPhoneOf(db, member.scope, path.id)
    if (phone === undefined) throw notFound()
    return phone
  }

/** Drops the cached phone after a change: this node uses the new state at once, other nodes within 1.5 seconds. */
export const forgetPhone = (deps: PhoneDeps, { member }: Call, phone: AccountPhone): void => {
  deps.knownPhones.forget(phone.id)
  for (const { id } of phone.wallets) deps.wallets.forget(member.scope, id)
}

/** Messages of unknown senders are counted up to this number; the answer then says that there are more. */
const mostStrangers = 1000

export const phoneRoutes = (deps: PhoneDeps): Route[] => [
  route(operations.listPhones, async ({ query: { after, page_size: size }, member, now }) => {
    const rows = await phonesOf(deps.db, member.scope, after, size + 1)
    const cursorOf = ({ name, id }: AccountPhone) => [name, id]
    return pageAnswer(rows, size, cursorOf, (phone) => phoneAnswer(phone, deps.zone, now))
  }),
  route(operations.createPhone, async (call) => {
    const { request, member, now } = call
    const { name } = call.body
    const created = await change(deps, call, async (db, audit) => {
      const done = accepted(await addPhone(db, deps.phoneSecrets, member.scope, name, now, actorIn(call).actor))
      audit({ action: 'phone.create', kind: 'phone', id: done.id, after: { name } })
      return done
    })
    const phone = await findPhoneOf(deps.db, member.scope, created.id)
    return {
      phone: phoneAnswer(phone!, deps.zone, now),
      pairing: pairingAnswer(created, deps.ownOrigin(request), deps.zone),
    }
  }),
  route(operations.showPhone, phoneIn(deps), async (call, found) => phoneAnswer(found, deps.zone, call.now)),
  route(operations.changePhone, phoneIn(deps), async (call, phone) => {
    const { member, now } = call
    const { name, switched_on: on } = call.body
    const changed = await change(deps, call, async (db, audit) => {
      const done = await changePhone(db, member.scope, phone.id, { name, on })
      if (done !== undefined) {
        const auditValues = ({ name, on }: typeof done.before) => ({ name, switched_on: on })
        const [before, after] = [auditValues(done.before), auditValues(done.after)]
        if (!isDeepStrictEqual(before, after))
          audit({ action: 'phone.update', kind: 'phone', id: phone.id, before, after })
      }
      return done
    })
    if (changed === undefined) throw notFound()
    forgetPhone(deps, call, phone)
    return phoneAnswer(await phoneIn(deps)(call), deps.zone, now)
  }),
  route(operations.deletePhone, phoneIn(deps), async (call, phone) => {
    const { member } = call
    const deleted = await change(deps, call, async (db, audit) => {
      const hasAlerts = async (tx: Tx) => (await phoneHasAlerts(tx, member.scope, phone.id))[0]!.alerts
      const done = accepted(await deletePhone(db, member.scope, phone.id, hasAlerts))
      if (done !== undefined)
        audit({ action: 'phone.delete', kind: 'phone', id: phone.id, before: { name: done.name } })
      return done
    })
    if (deleted === undefined) throw notFound()
    forgetPhone(deps, call, phone)
    return undefined
  }),
  route(operations.listPhoneAlerts, phoneIn(deps), async ({ query: { after, page_size: size }, member }, phone) => {
    const rows = await alertsOfPhone(deps.db, member.scope, phone.id, after?.[0] ?? largestId, size + 1)
    const cursorOf = ({ id }: { id: string }) => [id]
    return pageAnswer(rows, size, cursorOf, (row) => phoneAlertAnswer(row, deps.zone))
  }),
  route(operations.countHiddenMessages, phoneIn(deps), async (call, phone) => {
    const [row] = await countStrangers(deps.db, call.member.scope, phone.id, mostStrangers + 1)
    const { found } = row!
    return { other_messages: Math.min(found, mostStrangers), more: found > mostStrangers }
  }),
  route(operations.comparePhone, phoneIn(deps), async (call, phone) => {
    const compared = await comparisonOf(deps.db, call.member.scope, phone.id, call.now)
    const { since, until, wallets, messages, reported, first } = compared
    return {
      since: deps.zone.format(new Date(since)),
      until: deps.zone.format(new Date(until)),
      shared_wallets: wallets,
      messages,
      reported,
      missed: messages - reported,
      first,
    }
  }),
  route(operations.showSelfTest, phoneIn(deps), async (call, phone) => {
    const { now } = call
    const requested = call.query.since
    // A `+` that arrived as a space is repaired, as in the filters of the merchant API.
    const since = requested
      ? instantIn(requested.replace(' ', '+'), await call.zone())
      : (openSelfTest(phone.selfTest, now)?.at ?? now)
    if (since === null) throw invalid([{ code: 'invalid', detail: 'Enter a valid date/time.', attr: 'since' }])
    return selfTestAnswer(deps, call, phone, since)
  }),
  route(operations.beginSelfTest, phoneIn(deps), async (call, phone) => {
    const { member, now } = call
    const begun = await change(deps, call, async (db, audit) => {
      const done = await beginSelfTest(db, member.scope, phone.id, now)
      if (done !== undefined)
        audit({ action: 'phone.self_test', kind: 'phone', id: phone.id, after: { name: done.name } })
      return done
    })
    if (begun === undefined) throw notFound()
    forgetPhone(deps, call, phone)
    return selfTestAnswer(deps, call, { ...phone, selfTest: begun }, begun.at)
  }),
  route(operations.closePhoneToday, phoneIn(deps), async (call, phone) => {
    const { member, now } = call
    // With a heartbeat a silent phone is dead, whether the shop is open or not.
    if (silenceOf(phone.signs).kind !== 'rhythm') throw answerTo(refuse('phone_not_judged'))
    await change(deps, call, async (db, audit) => {
      const done = accepted(await closeToday(db, member.scope, phone.id, deps.zone, now))
      audit({ action: 'phone.closed_today', kind: 'phone', id: phone.id, after: { name: done.name } })
      return done
    })
    forgetPhone(deps, call, phone)
    return phoneAnswer(await phoneIn(deps)(call), deps.zone, now)
  }),
]

/** The state of the self-test that began at `since`. Its end is known only for the phone's last test, which is stored. */
const selfTestAnswer = async (deps: PhoneDeps, { member, now }: Call, phone: AccountPhone, since: Instant) => {
  const { selfTest, lastSeenAt } = phone
  const until = selfTest !== null && selfTest.at === since ? selfTest.until : null
  const [alert] = await firstAlertSince(deps.db, member.scope, phone.id, firstIdAt(since))
  const state = selfTestState({ since, until }, { alertAt: alert?.received_at ?? null, lastSeenAt }, now)
  const time = (at: Instant | null): string | null => timeOrNull(deps.zone, at)
  return {
    since: time(since)!,
    until: time(until),
    checked_at: time(now)!,
    state,
    last_seen_at: time(lastSeenAt),
    alert: alert === undefined || state !== 'arrived' ? null : phoneAlertAnswer(alert, deps.zone),
  }
}
