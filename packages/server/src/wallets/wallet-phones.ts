/**
 * The phones of a wallet: the first is in the wallet's row, further ones in a table of their own. Any of them can report a
 * payment. Each has the SIM slot that receives the wallet's messages. Pure.
 */
import type { PhoneId } from '../core/ids.ts'

export type SimSlot = '' | 'SIM1' | 'SIM2'

export type WalletPhone = { readonly phoneId: PhoneId; readonly simSlot: SimSlot }

export type WalletPhones = {
  readonly phoneId: PhoneId | null
  readonly simSlot: SimSlot
  /** Empty if there is no first phone. */
  readonly furtherPhones: readonly WalletPhone[]
}

export const mostPhonesOfWallet = 5

export const allPhones = ({ phoneId, simSlot, furtherPhones }: WalletPhones): WalletPhone[] =>
  phoneId === null ? [] : [{ phoneId, simSlot }, ...furtherPhones]

export const walletPhonesFrom = (phones: readonly WalletPhone[]): WalletPhones => {
  const [first, ...more] = phones
  return { phoneId: first?.phoneId ?? null, simSlot: first?.simSlot ?? '', furtherPhones: more }
}

export type PhoneChanges = {
  /** All phones, beginning with the first one. */
  readonly phones: readonly WalletPhone[] | undefined
  /** The first phone only. Null: it is removed, and the next takes its place. */
  readonly phoneId: PhoneId | null | undefined
  readonly simSlot: SimSlot | undefined
}

export const changedPhones = (before: WalletPhones, changes: PhoneChanges): WalletPhones => {
  if (changes.phones !== undefined) return walletPhonesFrom(changes.phones)
  if (changes.phoneId === null) {
    const [next, ...more] = before.furtherPhones
    const simSlot = changes.simSlot ?? next?.simSlot ?? before.simSlot
    return { phoneId: next?.phoneId ?? null, simSlot, furtherPhones: more }
  }
  const phoneId = changes.phoneId ?? before.phoneId
  return {
    phoneId,
    simSlot: changes.simSlot ?? before.simSlot,
    furtherPhones: before.furtherPhones.filter((phone) => phone.phoneId !== phoneId),
  }
}
