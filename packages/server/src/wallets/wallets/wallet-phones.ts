/**
 * The phones of a wallet: the first is in the wallet's row, further ones in a table of their own. Any of them can report a
 * payment. Each has the SIM slot that receives the wallet's messages. Pure.
 */
import type { PhoneId } from '../../core/ids.ts'

export type SimSlot = '' | 'SIM1' | 'SIM2'

export type WalletPhone = { readonly deviceId: PhoneId; readonly simSlot: SimSlot }

export type WalletPhones = {
  readonly deviceId: PhoneId | null
  readonly simSlot: SimSlot
  /** Empty if there is no first phone. */
  readonly furtherPhones: readonly WalletPhone[]
}

export const mostPhonesOfWallet = 5

export const allPhones = ({ deviceId, simSlot, furtherPhones }: WalletPhones): WalletPhone[] =>
  deviceId === null ? [] : [{ deviceId, simSlot }, ...furtherPhones]

export const walletPhonesFrom = (phones: readonly WalletPhone[]): WalletPhones => {
  const [first, ...more] = phones
  return { deviceId: first?.deviceId ?? null, simSlot: first?.simSlot ?? '', furtherPhones: more }
}

export type PhoneChanges = {
  /** All phones, beginning with the first one. */
  readonly phones: readonly WalletPhone[] | undefined
  /** The first phone only. Null: it is removed, and the next takes its place. */
  readonly deviceId: PhoneId | null | undefined
  readonly simSlot: SimSlot | undefined
}

export const changedPhones = (before: WalletPhones, changes: PhoneChanges): WalletPhones => {
  if (changes.phones !== undefined) return walletPhonesFrom(changes.phones)
  if (changes.deviceId === null) {
    const [next, ...more] = before.furtherPhones
    const simSlot = changes.simSlot ?? next?.simSlot ?? before.simSlot
    return { deviceId: next?.deviceId ?? null, simSlot, furtherPhones: more }
  }
  const deviceId = changes.deviceId ?? before.deviceId
  return {
    deviceId,
    simSlot: changes.simSlot ?? before.simSlot,
    furtherPhones: before.furtherPhones.filter((phone) => phone.deviceId !== deviceId),
  }
}
