/**
 * Pairing, first arrival and heartbeats of phones, with hints to the open dashboards of the account. So a screen that shows a
 * pairing code, or the set-up of an app, updates when the phone connects.
 */
import type { LiveHub } from '../../accounts/live/live-hub.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { pairPhone, type RequireHere } from '../../wallets/pairing/pair-phone.ts'
import { type FirstArrival, firstArrival } from '../../wallets/phones/first-arrival.ts'
import { type Heartbeats, heartbeats } from '../../wallets/phones/heartbeat.ts'
import { type IngestAddress, ingestAddress } from '../../wallets/phones/ingest-address.ts'
import { isBackAfterPause } from '../../wallets/phones/phone.ts'
import type { PhoneLookup } from '../../wallets/phones/phone-lookup.ts'
import type { PhoneSecrets } from '../../wallets/phones/phone-secrets.ts'
import type { PairPhone } from './device-api.ts'

export const phonesWithHints = (deps: {
  readonly db: Db
  readonly knownPhones: PhoneLookup
  readonly secrets: PhoneSecrets
  readonly sendHint: LiveHub['sendHint']
  readonly requireHere: RequireHere
}): {
  readonly pair: PairPhone
  readonly arrive: FirstArrival
  readonly address: IngestAddress
  readonly pulse: Heartbeats
} => {
  const { db, knownPhones, secrets, sendHint, requireHere } = deps
  const arrives = firstArrival({ db, knownPhones })
  const pulses = heartbeats(db)
  const addresses = ingestAddress({ db, knownPhones })
  return {
    async pair(typed, about, now) {
      const paired = await db.transaction((tx) => pairPhone(tx, secrets, typed, about, now, requireHere))
      if (paired !== undefined) {
        knownPhones.forget(paired.phoneId)
        sendHint(paired.accountId, { kind: 'phone', id: paired.phoneId })
        sendHint(paired.accountId, { kind: 'notice', id: '' })
      }
      return paired
    },
    async arrive(phone) {
      const isFirst = await arrives(phone)
      if (isFirst) sendHint(phone.accountId, { kind: 'phone', id: phone.id })
      return isFirst
    },
    address: {
      bind: addresses.bind,
      async refused(phone, adapter, now) {
        const isStored = await addresses.refused(phone, adapter, now)
        if (isStored) sendHint(phone.accountId, { kind: 'phone', id: phone.id })
        return isStored
      },
    },
    pulse: {
      async beat(phone, health, kind, now) {
        await pulses.beat(phone, health, kind, now)
        sendHint(phone.accountId, { kind: 'phone', id: phone.id })
      },
      async seen(phone, withAlert, now) {
        await pulses.seen(phone, withAlert, now)
        if (isBackAfterPause(phone, now)) sendHint(phone.accountId, { kind: 'phone', id: phone.id })
      },
    },
  }
}
