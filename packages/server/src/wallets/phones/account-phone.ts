/** A phone as the people who look after it see it: whether it may report, how it is, and for which wallets. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { DeviceId, WalletId } from '../../core/ids.ts'
import { mostTries } from './pairing-code.ts'
import { isSilent } from './phone.ts'

export type BoundWallet = {
  readonly id: WalletId
  readonly name: string
  readonly senderName: string
  readonly simSlot: '' | 'SIM1' | 'SIM2'
  readonly active: boolean
}

export type ManagedPhone = {
  readonly id: DeviceId
  readonly name: string
  readonly on: boolean
  readonly paired: boolean
  /** When what it proves itself with was last issued; null: never. */
  readonly pairedAt: Instant | null
  readonly pairingUntil: Instant | null
  readonly pairingTries: number
  readonly forwards: 'no' | 'unsigned' | 'signed'
  readonly lastSeenAt: Instant | null
  readonly lastAlertAt: Instant | null
  readonly about: Readonly<Record<string, unknown>>
  readonly health: Readonly<Record<string, unknown>>
  readonly wallets: readonly BoundWallet[]
  readonly createdAt: Instant
}

export type PhoneState = 'off' | 'waiting' | 'silent' | 'healthy'

export const phoneState = (phone: Pick<ManagedPhone, 'on' | 'lastSeenAt'>, now: Instant): PhoneState => {
  if (!phone.on) return 'off'
  if (phone.lastSeenAt === null) return 'waiting'
  return isSilent(phone, now) ? 'silent' : 'healthy'
}

/** Until when a code can still be used; null: there is none. */
export const openPairing = (phone: ManagedPhone, now: Instant): Instant | null =>
  phone.pairingUntil !== null && now < phone.pairingUntil && phone.pairingTries < mostTries ? phone.pairingUntil : null

/** Whose messages a forwarding app should pass on, and by which SIM if all come by one. */
export const watchedBy = (phone: Pick<ManagedPhone, 'wallets'>) => {
  const watched = phone.wallets.filter(({ active, senderName }) => active && senderName !== '')
  const senders = [...new Set(watched.map(({ senderName }) => senderName))]
  const [slot = '', ...more] = [...new Set(watched.map(({ simSlot }) => simSlot))]
  return { senders, simSlot: more.length === 0 ? slot : ('' as const) }
}
