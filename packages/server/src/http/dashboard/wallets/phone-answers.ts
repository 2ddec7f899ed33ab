/** Phones and their alerts as JSON answers, without any secret. */

import type { Pairing as PairingAnswer, Phone, PhoneAlert } from '@sanad/contract/dashboard/wallets/phones'
import type { alertsOfPhone } from '../../../alerts/phone-alerts-sql.ts'
import type { Instant } from '../../../core/clock.ts'
import { formatMinor } from '../../../core/money.ts'
import type { Zone } from '../../../core/zone.ts'
import { type AccountPhone, appOf, openPairing, shownState } from '../../../wallets/phones/account-phone.ts'
import type { Pairing } from '../../../wallets/phones/phone-access.ts'
import { setupProgress } from '../../../wallets/phones/phone-setup.ts'
import { openSelfTest } from '../../../wallets/phones/self-test.ts'
import { silenceOf } from '../../../wallets/silence/silence.ts'
import { pairingLink } from '../../pair/pairing-link.ts'
import { qrSvg } from '../qr-svg.ts'
import { timeIn, timeOrNull } from '../time-text.ts'

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
const numberOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** Phones and apps may report any value about themselves. A value of an unexpected type is left out. */
const healthOf = ({ about, health }: AccountPhone, zone: Zone): Phone['health'] => {
  const oldest = typeof health.oldest_unsent_at === 'string' ? Date.parse(health.oldest_unsent_at) : Number.NaN
  const sims = Array.isArray(health.sims) ? (health.sims as unknown[]) : []
  const problems = Array.isArray(health.problems) ? (health.problems as unknown[]) : []
  return {
    battery: numberOrNull(health.battery),
    charging: typeof health.charging === 'boolean' ? health.charging : null,
    network: textOrNull(health.network),
    signal: numberOrNull(health.signal),
    app: textOrNull(about.agent),
    app_version: textOrNull(health.app_version) ?? textOrNull(about.version),
    model: textOrNull(about.model),
    os_version: textOrNull(health.os_version) ?? textOrNull(about.android),
    queue_depth: numberOrNull(health.queue_depth),
    oldest_unsent_at: Number.isNaN(oldest) ? null : zone.format(new Date(oldest)),
    clock_off_s: numberOrNull(health.clock_off_s),
    problems: problems.filter((code) => typeof code === 'string'),
    sims: sims.map((sim) => {
      const sent = (typeof sim === 'object' && sim !== null ? sim : {}) as Record<string, unknown>
      return {
        slot: textOrNull(sent.slot) ?? '',
        carrier: textOrNull(sent.carrier) ?? '',
        iccid_tail: textOrNull(sent.iccid_tail) ?? '',
      }
    }),
  }
}

/** How far the user has come on the set-up page of the last pairing code; null: the page was not opened. */
const setupAnswer = (phone: AccountPhone, zone: Zone): Phone['setup'] => {
  const { openedAt, chosen, chosenAt, contactAt, messageAt } = setupProgress(phone.setup, phone)
  const time = (at: Instant | null): string | null => timeOrNull(zone, at)
  if (openedAt === null) return null
  return {
    opened_at: zone.format(new Date(openedAt)),
    app: chosen,
    app_at: time(chosenAt),
    contact_at: time(contactAt),
    message_at: time(messageAt),
  }
}

const seconds = (from: Instant, until: Instant): number => Math.max(0, Math.round((until - from) / 1000))

const silenceAnswer = ({ signs, lastSeenAt }: AccountPhone, zone: Zone): Phone['silence'] => {
  const silence = silenceOf(signs)
  const nothing = { heartbeat_s: null, usual_s: null, alarm_after_s: null, alarm_at: null }
  if (silence.kind === 'never') return { ...nothing, judged_by: 'nothing', reason: 'never' }
  if (silence.kind === 'unjudged') return { ...nothing, judged_by: 'nothing', reason: silence.reason }
  const limit = {
    reason: '' as const,
    alarm_after_s: seconds(lastSeenAt!, silence.alarmAt),
    alarm_at: timeIn(zone, silence.alarmAt),
  }
  return silence.kind === 'heartbeat'
    ? { ...nothing, ...limit, judged_by: 'heartbeat', heartbeat_s: silence.period_s }
    : { ...nothing, ...limit, judged_by: 'messages', usual_s: seconds(lastSeenAt!, silence.usualAt) }
}

export const phoneAnswer = (phone: AccountPhone, zone: Zone, now: Instant): Phone => {
  const time = (at: Instant | null): string | null => timeOrNull(zone, at)
  return {
    id: phone.id,
    name: phone.name,
    switched_on: phone.on,
    paired: phone.paired,
    paired_at: time(phone.pairedAt),
    pairing_until: time(openPairing(phone, now)),
    forwards: phone.forwards,
    refused_app:
      phone.refusedApp === null ? null : { app: phone.refusedApp.app, at: timeIn(zone, phone.refusedApp.at) },
    app: appOf(phone),
    setup: setupAnswer(phone, zone),
    state: shownState(phone, now),
    silent_s: phone.lastSeenAt === null ? null : Math.max(0, Math.floor((now - phone.lastSeenAt) / 1000)),
    silence: silenceAnswer(phone, zone),
    last_seen_at: time(phone.lastSeenAt),
    last_alert_at: time(phone.lastAlertAt),
    self_test_until: time(openSelfTest(phone.selfTest, now)?.until ?? null),
    health: healthOf(phone, zone),
    wallets: phone.wallets.map(({ id, name, senderName, simSlot, active }) => ({
      id,
      name,
      sender_name: senderName,
      sim_slot: simSlot,
      active,
    })),
    created_at: zone.format(new Date(phone.createdAt)),
  }
}

export const pairingAnswer = ({ code, until }: Pairing, origin: string, zone: Zone): PairingAnswer => {
  const uri = pairingLink(code, origin)
  return { code, until: zone.format(new Date(until)), uri, qr_svg: qrSvg(uri) }
}

type AlertRow = Awaited<ReturnType<typeof alertsOfPhone>>[number]

export const phoneAlertAnswer = (row: AlertRow, zone: Zone): PhoneAlert => ({
  id: row.id,
  received_at: zone.format(new Date(row.received_at)),
  sent_at: timeOrNull(zone, row.sent_at),
  kind: row.kind,
  app: row.adapter,
  // An unknown sender is stored as a placeholder, which means nothing to users.
  sender: row.hidden === 'stranger' ? '' : row.sender,
  sim_slot: row.sim_slot,
  text: row.raw_text,
  wallet: row.wallet_id === null ? null : { id: row.wallet_id, name: row.wallet_name ?? '' },
  state: row.state,
  reason: row.reason,
  amount: row.amount === null ? null : formatMinor(row.amount),
  currency: row.currency,
  reference: row.reference,
  hidden: row.hidden,
  revealable: row.revealable,
})
