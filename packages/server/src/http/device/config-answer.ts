/**
 * The configuration of an agent: how often to send heartbeats, and which messages to report: those of the senders of the
 * phone's wallets, and notifications of their apps. The version changes whenever the configuration changes.
 */
import { createHash } from 'node:crypto'
import { type AgentConfig, mostAlerts } from '@sanad/contract/device/operations'
import type { Static } from 'typebox'
import type { KnownPhone } from '../../wallets/phones/phone-lookup.ts'

type Config = Static<typeof AgentConfig>

/** The list without repeated values, compared by their JSON text. */
const unique = <T>(list: readonly T[]): T[] => [...new Map(list.map((item) => [JSON.stringify(item), item])).values()]

export const configOf = (phone: Pick<KnownPhone, 'watches'>): Config => {
  const packages = phone.watches.flatMap(({ sender, packages }) => packages.map((name) => ({ name, sender })))
  const config = {
    heartbeat_s: 60,
    alerts_per_request: mostAlerts,
    senders: unique(phone.watches.map(({ sender, simSlot }) => ({ name: sender, sim_slot: simSlot }))),
    // If two wallets of one app have different senders, the first sender is used.
    packages: packages.filter(({ name }, i) => packages.findIndex((other) => other.name === name) === i),
  }
  // The version is derived from the content, so that nodes need no common counter.
  const version = createHash('sha256').update(JSON.stringify(config)).digest().readUInt32BE() >>> 1
  return { version, ...config }
}
