/** The configuration of an agent: how often to report, and which senders matter. Its version changes when it does. */
import { createHash } from 'node:crypto'
import type { KnownPhone } from '../../wallets/phones/phone-lookup.ts'
import { mostAlerts } from './reported-alerts.ts'

export type AgentConfig = {
  readonly version: number
  readonly heartbeat_s: number
  readonly alerts_per_request: number
  /** Empty: no wallet is bound to this phone yet. */
  readonly senders: readonly { readonly name: string; readonly sim_slot: string }[]
}

export const configOf = (device: Pick<KnownPhone, 'watches'>): AgentConfig => {
  const config = {
    heartbeat_s: 60,
    alerts_per_request: mostAlerts,
    senders: device.watches.map(({ sender, simSlot }) => ({ name: sender, sim_slot: simSlot })),
  }
  // A number that names the content: no two nodes need to agree on a count.
  const version = createHash('sha256').update(JSON.stringify(config)).digest().readUInt32BE() >>> 1
  return { version, ...config }
}
