/**
 * The configuration of an agent: how often to report, and what matters: the senders of the wallets that are bound to the
 * phone, and the packages of their apps. Its version changes when it does.
 */
import { createHash } from 'node:crypto'
import type { KnownPhone } from '../../wallets/phones/phone-lookup.ts'
import { mostAlerts } from './reported-alerts.ts'

export type AgentConfig = {
  readonly version: number
  readonly heartbeat_s: number
  readonly alerts_per_request: number
  /** Empty: no wallet is bound to this phone yet. */
  readonly senders: readonly { readonly name: string; readonly sim_slot: string }[]
  /** A notification of this package is reported with the sender of its wallet: a notification has none of its own. */
  readonly packages: readonly { readonly name: string; readonly sender: string }[]
}

/** The first of those that are written alike. */
const unique = <T>(list: readonly T[]): T[] => [...new Map(list.map((one) => [JSON.stringify(one), one])).values()]

export const configOf = (device: Pick<KnownPhone, 'watches'>): AgentConfig => {
  const packages = device.watches.flatMap(({ sender, packages }) => packages.map((name) => ({ name, sender })))
  const config = {
    heartbeat_s: 60,
    alerts_per_request: mostAlerts,
    senders: unique(device.watches.map(({ sender, simSlot }) => ({ name: sender, sim_slot: simSlot }))),
    // Of two senders of one app the first: an app of a wallet has one.
    packages: packages.filter(({ name }, i) => packages.findIndex((other) => other.name === name) === i),
  }
  // A number that names the content: no two nodes need to agree on a count.
  const version = createHash('sha256').update(JSON.stringify(config)).digest().readUInt32BE() >>> 1
  return { version, ...config }
}
