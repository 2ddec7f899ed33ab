/** The bodies of setting up and changing a wallet. Whether its provider and its phone are there is decided elsewhere. */
import type { DeviceId, ProviderId } from '../../../core/ids.ts'
import { minor } from '../../../core/money.ts'
import { numberKey } from '../../../wallets/identity/account-number.ts'
import type { WalletSettings } from '../../../wallets/wallets/account-wallet.ts'
import type { WalletChanges } from '../../../wallets/wallets/account-wallets.ts'
import { changedPhones, mostPhonesOfWallet, type WalletPhone } from '../../../wallets/wallets/wallet-phones.ts'
import type { FieldError } from '../field-error.ts'
import {
  amount,
  choice,
  flag,
  type Kind,
  list,
  object,
  optional,
  orNull,
  type Reading,
  readBody,
  required,
  text,
  uuid,
  withDefault,
} from '../fields.ts'
import type { Json } from '../json.ts'

const money = amount({ min: minor(0n) })
const name = text({ max: 100 })
/** What has neither a digit nor a letter names no wallet. */
const accountNumber: Kind<string> = (value, attr) => {
  const reading = text({ max: 64 })(value, attr)
  if (reading.kind === 'no' || numberKey(reading.value) !== undefined) return reading
  return { kind: 'no', errors: [{ attr, code: 'blank', detail: 'This field may not be blank.' }] }
}
const senderName = text({ max: 64, blank: true })
const simSlot = choice(['', 'SIM1', 'SIM2'])
const phone = object({ phone: required(uuid<DeviceId>()), sim_slot: withDefault(simSlot, '') })

/** All phones of a wallet, the first first. */
const phones: Kind<WalletPhone[]> = (value, attr) => {
  const reading = list(phone, { max: mostPhonesOfWallet })(value, attr)
  if (reading.kind === 'no') return reading
  const ids = reading.value.map((one) => one.phone)
  const errors: FieldError[] = ids.flatMap((id, place) =>
    ids.indexOf(id) === place
      ? []
      : [{ attr: `${attr}.${place}.phone`, code: 'phone_twice', detail: 'This phone is in the list already.' }],
  )
  if (errors.length > 0) return { kind: 'no', errors }
  return {
    kind: 'ok',
    value: reading.value.map(({ phone, sim_slot }) => ({ deviceId: phone, simSlot: sim_slot })),
  }
}

type Said = {
  readonly phones: readonly WalletPhone[] | undefined
  readonly phone: DeviceId | null | undefined
  readonly sim_slot: WalletSettings['simSlot'] | undefined
}

/** Who sends the whole list has said which phone is the first, and by which SIM. */
const twofold = ({ phones, phone, sim_slot }: Said): Reading<never> | undefined =>
  phones === undefined || (phone === undefined && sim_slot === undefined)
    ? undefined
    : {
        kind: 'no',
        errors: [{ attr: 'phones', code: 'phones_twofold', detail: 'Send either phones, or phone and sim_slot.' }],
      }

const newWallet = object({
  name: required(name),
  account_number: required(accountNumber),
  provider: required(uuid<ProviderId>()),
  phone: orNull(uuid<DeviceId>()),
  sender_name: withDefault(senderName, ''),
  sim_slot: optional(simSlot),
  phones: optional(phones),
  active: withDefault(flag(), true),
  review_above: orNull(money),
  low_trust_limit: withDefault(money, minor(0n)),
  review_broken_chains: withDefault(flag(), true),
})

export const readNewWallet = (sent: Json): Reading<WalletSettings> => {
  const reading = readBody(newWallet, sent)
  if (reading.kind === 'no') return reading
  const said = reading.value
  const wrong = twofold(said)
  if (wrong !== undefined) return wrong
  return {
    kind: 'ok',
    value: {
      name: said.name,
      accountNumber: said.account_number,
      providerId: said.provider,
      ...changedPhones(
        { deviceId: null, simSlot: '', furtherPhones: [] },
        { phones: said.phones, deviceId: said.phone ?? undefined, simSlot: said.sim_slot },
      ),
      senderName: said.sender_name,
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
  phones: optional(phones),
  active: optional(flag()),
  review_above: orNull(money),
  low_trust_limit: optional(money),
  review_broken_chains: optional(flag()),
})

export const readWalletChanges = (sent: Json): Reading<WalletChanges> => {
  const reading = readBody(changes, sent)
  if (reading.kind === 'no') return reading
  const said = reading.value
  const wrong = twofold(said)
  if (wrong !== undefined) return wrong
  return {
    kind: 'ok',
    value: {
      name: said.name,
      accountNumber: said.account_number,
      providerId: said.provider,
      phones: said.phones,
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
