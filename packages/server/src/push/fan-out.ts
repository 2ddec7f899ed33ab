/**
 * Which device is notified of what, summed up by kind and currency. A device hears of what happened since it subscribed, of the
 * kinds that its member wants and may read, in the wallets that the member was given. Of money that arrives it hears only while its member has no counter screen open: there
 * the money is seen and heard. Pure.
 */
import type { MemberRights } from '../accounts/people/permission.ts'
import type { Instant } from '../core/clock.ts'
import type { AccountId, PushDeviceId, UserId, WalletId } from '../core/ids.ts'
import { type Minor, minor } from '../core/money.ts'
import { mayHear, type PushKind } from './push-kind.ts'
import type { PendingSum } from './push-message.ts'

/** Something that happened. `currency` empty: it has no amount. */
export type PushFact = {
  readonly accountId: AccountId
  readonly kind: PushKind | 'notice'
  /** Which one it is, as push_told stores it. */
  readonly object: string
  readonly walletId: WalletId | null
  readonly currency: string
  readonly amount: Minor
  readonly at: Instant
  /** The only member who hears of it. Left out: every member who may. */
  readonly to?: UserId
  /** A member who does not hear of it: they did it. */
  readonly notTo?: UserId
  /** Only owners hear of it. */
  readonly ownersOnly?: boolean
}

export type HearingDevice = {
  readonly accountId: AccountId
  readonly id: PushDeviceId
  readonly userId: UserId
  readonly rights: MemberRights
  readonly kinds: readonly PushKind[]
  readonly createdAt: Instant
  /** Its member has a counter screen open until then. Null: never had. */
  readonly counterUntil: Instant | null
}

export type DevicePending = PendingSum & {
  readonly accountId: AccountId
  readonly pushDeviceId: PushDeviceId
  readonly firstAt: Instant
}

const isOfWallets = (wallets: MemberRights['wallets'], walletId: WalletId | null): boolean =>
  wallets === null || (walletId !== null && wallets.includes(walletId))

/** A notice is for whom it names, whatever they chose and whichever wallets they have. */
const wants = ({ kinds, rights }: HearingDevice, { kind, walletId }: PushFact): boolean =>
  kind === 'notice' || (kinds.includes(kind) && mayHear(rights, kind) && isOfWallets(rights.wallets, walletId))

const hears = (device: HearingDevice, fact: PushFact, now: Instant): boolean =>
  device.accountId === fact.accountId &&
  fact.at >= device.createdAt &&
  wants(device, fact) &&
  (fact.to === undefined || fact.to === device.userId) &&
  fact.notTo !== device.userId &&
  (fact.ownersOnly !== true || device.rights.role === 'owner') &&
  !(fact.kind === 'money' && device.counterUntil !== null && device.counterUntil > now)

export const fanOut = (
  facts: readonly PushFact[],
  devices: readonly HearingDevice[],
  now: Instant,
): DevicePending[] => {
  const pending = new Map<string, DevicePending>()
  for (const device of devices)
    for (const fact of facts) {
      if (!hears(device, fact, now)) continue
      const { kind, currency } = fact
      const key = `${device.id} ${kind} ${currency}`
      const before = pending.get(key)
      pending.set(key, {
        accountId: device.accountId,
        pushDeviceId: device.id,
        kind,
        currency,
        count: (before?.count ?? 0) + 1,
        amount: minor((before?.amount ?? 0n) + fact.amount),
        firstAt: Math.min(before?.firstAt ?? fact.at, fact.at),
      })
    }
  return [...pending.values()]
}
