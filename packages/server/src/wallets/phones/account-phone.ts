/** A phone as the members of its account see it: whether it may report, its health, and its wallets. Pure. */
import type { PhoneState } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import type { PhoneId, WalletId } from '../../core/ids.ts'
import type { PhoneSigns } from '../silence/phone-signs.ts'
import { isSilent } from '../silence/silence.ts'
import type { SimSlot } from '../wallet-phones.ts'
import { mostTries } from './pairing-code.ts'
import type { PhoneApp, PhoneSetup } from './phone-setup.ts'
import type { SelfTestWindow } from './self-test.ts'

export type BoundWallet = {
  readonly id: WalletId
  readonly name: string
  readonly senderName: string
  readonly simSlot: SimSlot
  readonly active: boolean
}

export type AccountPhone = {
  readonly id: PhoneId
  readonly name: string
  readonly on: boolean
  readonly paired: boolean
  /** When its credentials were last issued; null: never. */
  readonly pairedAt: Instant | null
  readonly pairingUntil: Instant | null
  readonly pairingTries: number
  readonly forwards: 'no' | 'unsigned' | 'signed'
  /** The other app that last used the phone's address and was refused (ingest-address.ts); null: none. */
  readonly refusedApp: { readonly app: string; readonly at: Instant } | null
  readonly lastSeenAt: Instant | null
  readonly signs: PhoneSigns
  readonly lastAlertAt: Instant | null
  readonly about: Readonly<Record<string, unknown>>
  readonly health: Readonly<Record<string, unknown>>
  readonly wallets: readonly BoundWallet[]
  readonly createdAt: Instant
  /** The phone was added, has made no contact, and no user has used its switch. */
  readonly awaited: boolean
  readonly setup: PhoneSetup
  /** The self-test that was last begun; null: none yet. */
  readonly selfTest: SelfTestWindow | null
}

const phoneState = (phone: Pick<AccountPhone, 'on' | 'lastSeenAt' | 'signs'>, now: Instant): PhoneState => {
  if (!phone.on) return 'off'
  if (phone.lastSeenAt === null) return 'waiting'
  return isSilent(phone.signs, now) ? 'silent' : 'healthy'
}

/** Until when its pairing code can be used. Null: it has no valid code. */
export const openPairing = (phone: AccountPhone, now: Instant): Instant | null =>
  phone.pairingUntil !== null && now < phone.pairingUntil && phone.pairingTries < mostTries ? phone.pairingUntil : null

/** The senders whose messages a forwarding app should pass on, and the SIM if all use the same one. */
export const watchedBy = (phone: Pick<AccountPhone, 'wallets'>) => {
  const watched = phone.wallets.filter(({ active, senderName }) => active && senderName !== '')
  const senders = [...new Set(watched.map(({ senderName }) => senderName))]
  const [slot = '', ...more] = [...new Set(watched.map(({ simSlot }) => simSlot))]
  return { senders, simSlot: more.length === 0 ? slot : ('' as const) }
}

/** The app that the phone reports with: as it was set up, or as its credentials show. Empty: none yet, or not known. */
export const appOf = ({
  setup,
  paired,
  forwards,
}: Pick<AccountPhone, 'setup' | 'paired' | 'forwards'>): PhoneApp | '' => {
  const isConnected = setup.app === 'agent' ? paired : forwards !== 'no'
  if (setup.app !== '' && isConnected) return setup.app
  return paired ? 'agent' : ''
}

/** A phone that was added and has made no contact is shown as waiting, not as switched off. */
export const shownState = (phone: AccountPhone, now: Instant): PhoneState =>
  phone.awaited && phone.lastSeenAt === null ? 'waiting' : phoneState(phone, now)
