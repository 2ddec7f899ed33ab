/** The bodies of setting up and changing a wallet. Whether its provider and its phone are there is decided elsewhere. */
import type { DeviceId, ProviderId } from '../../ground/ids.ts'
import { minor } from '../../ground/money.ts'
import type { WalletChanges } from '../../wallets/manage-wallets.ts'
import type { WalletSettings } from '../../wallets/managed-wallet.ts'
import {
  amount,
  choice,
  flag,
  object,
  optional,
  orNull,
  type Reading,
  readBody,
  required,
  text,
  uuid,
  withDefault,
} from './fields.ts'
import type { Json } from './json.ts'

const money = amount({ min: minor(0n) })
const name = text({ max: 100 })
const accountNumber = text({ max: 64 })
const senderName = text({ max: 64, blank: true })
const simSlot = choice(['', 'SIM1', 'SIM2'])

const newWallet = object({
  name: required(name),
  account_number: required(accountNumber),
  provider: required(uuid<ProviderId>()),
  phone: orNull(uuid<DeviceId>()),
  sender_name: withDefault(senderName, ''),
  sim_slot: withDefault(simSlot, ''),
  active: withDefault(flag(), true),
  review_above: orNull(money),
  low_trust_limit: withDefault(money, minor(0n)),
  review_broken_chains: withDefault(flag(), false),
})

export const readNewWallet = (sent: Json): Reading<WalletSettings> => {
  const reading = readBody(newWallet, sent)
  if (reading.kind === 'no') return reading
  const said = reading.value
  return {
    kind: 'ok',
    value: {
      name: said.name,
      accountNumber: said.account_number,
      providerId: said.provider,
      deviceId: said.phone ?? null,
      senderName: said.sender_name,
      simSlot: said.sim_slot,
      active: said.active,
      reviewAbove: said.review_above ?? null,
      lowTrustLimit: said.low_trust_limit,
      reviewBrokenChains: said.review_broken_chains,
    },
  }
}

const changes = object({
  name: optional(name),
  account_number: optional(accountNumber),
  provider: optional(uuid<ProviderId>()),
  phone: orNull(uuid<DeviceId>()),
  sender_name: optional(senderName),
  sim_slot: optional(simSlot),
  active: optional(flag()),
  review_above: orNull(money),
  low_trust_limit: optional(money),
  review_broken_chains: optional(flag()),
})

export const readWalletChanges = (sent: Json): Reading<WalletChanges> => {
  const reading = readBody(changes, sent)
  if (reading.kind === 'no') return reading
  const said = reading.value
  return {
    kind: 'ok',
    value: {
      name: said.name,
      accountNumber: said.account_number,
      providerId: said.provider,
      deviceId: said.phone,
      senderName: said.sender_name,
      simSlot: said.sim_slot,
      active: said.active,
      reviewAbove: said.review_above,
      lowTrustLimit: said.low_trust_limit,
      reviewBrokenChains: said.review_broken_chains,
    },
  }
}
