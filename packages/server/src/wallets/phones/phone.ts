/** A monitoring device: the phone that holds a wallet's SIM, as a request or a person finds it. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, DeviceId } from '../../core/ids.ts'

export type Device = {
  readonly id: DeviceId
  readonly accountId: AccountId
  readonly name: string
  readonly on: boolean
  /** Nobody has heard of it, and no person has moved its switch: what first proves to be it switches it on. */
  readonly awaited: boolean
  readonly secretSealed: Buffer | null
  readonly secretVersion: number
  /** Whether the newest secret was ever used; until then the one before is good as well. */
  readonly secretUsed: boolean
  readonly previousSecretSealed: Buffer | null
  /** With which the forwarding apps that can sign do so. */
  readonly signingKeySealed: Buffer | null
  readonly lastSeenAt: Instant | null
}

/** Three missed heartbeats of a minute each: the phone is silent, and that is said wherever its wallets are offered. */
export const silentAfter_ms = 3 * 60_000

export const isSilent = (device: Pick<Device, 'lastSeenAt'>, now: Instant): boolean =>
  device.lastSeenAt === null || now - device.lastSeenAt > silentAfter_ms
