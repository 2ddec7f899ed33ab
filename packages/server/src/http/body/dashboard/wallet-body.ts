/** Reads the bodies that create and change a wallet. wallets/entries checks that its provider and its phones exist. */
import { NewWallet, WalletChanges } from '@sanad/contract/dashboard/wallets/wallets'
import type { PhoneId, ProviderId } from '../../../core/ids.ts'
import type { WalletChanges as StoredChanges } from '../../../wallets/entries/account-wallets.ts'
import type { WalletSettings } from '../../../wallets/wallet.ts'
import { changedPhones, type WalletPhone } from '../../../wallets/wallet-phones.ts'
import { type BodyReader, bodyReader, mapBody } from '../schema-reader.ts'

type SimSlot = WalletSettings['simSlot']
type SentPhones = {
  readonly phones?: readonly { readonly phone: string; readonly sim_slot: SimSlot }[] | undefined
  readonly phone?: string | null | undefined
  readonly sim_slot?: SimSlot | undefined
}

/** Refuses `phone` or `sim_slot` beside `phones`: the list already says which phone is first, and its SIM slot. */
const withoutContradiction =
  <T extends SentPhones>(read: BodyReader<T>): BodyReader<T> =>
  (sent) => {
    const reading = read(sent)
    if (reading.kind === 'no') return reading
    const { phones, phone, sim_slot } = reading.value
    if (phones === undefined || (phone === undefined && sim_slot === undefined)) return reading
    const detail = 'Send either phones, or phone and sim_slot.'
    return { kind: 'no', errors: [{ attr: 'phones', code: 'phones_twofold', detail }] }
  }

const walletPhones = ({ phones }: SentPhones): WalletPhone[] | undefined =>
  phones?.map(({ phone, sim_slot }) => ({ phoneId: phone as PhoneId, simSlot: sim_slot }))

export const readNewWallet: BodyReader<WalletSettings> = mapBody(
  withoutContradiction(bodyReader(NewWallet)),
  (body) => ({
    name: body.name,
    accountNumber: body.account_number,
    providerId: body.provider as ProviderId,
    ...changedPhones(
      { phoneId: null, simSlot: '', furtherPhones: [] },
      {
        phones: walletPhones(body),
        phoneId: (body.phone ?? undefined) as PhoneId | undefined,
        simSlot: body.sim_slot,
      },
    ),
    senderName: body.sender_name,
    active: body.active,
    reviewAbove: body.review_above ?? null,
    lowTrustLimit: body.low_trust_limit,
    reviewBrokenChains: body.review_broken_chains,
    reviewLaterMessages: body.review_later_messages,
  }),
)

export const readWalletChanges: BodyReader<StoredChanges> = mapBody(
  withoutContradiction(bodyReader(WalletChanges)),
  (body) => ({
    name: body.name,
    accountNumber: body.account_number,
    providerId: body.provider as ProviderId | undefined,
    phones: walletPhones(body),
    phoneId: body.phone as PhoneId | null | undefined,
    senderName: body.sender_name,
    simSlot: body.sim_slot,
    active: body.active,
    reviewAbove: body.review_above,
    lowTrustLimit: body.low_trust_limit,
    reviewBrokenChains: body.review_broken_chains,
    reviewLaterMessages: body.review_later_messages,
  }),
)
