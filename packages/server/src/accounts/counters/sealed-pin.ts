/**
 * A PIN as it is stored: its argon2id hash, sealed with the master key. Six digits have a million values: from the hash alone, who reads
 * a backup could find them by trying all. The sealed hash is bound to the id of its PIN, so it fits no other row.
 */
import { randomId } from '../../core/ids.ts'
import { type Keys, sealerFor } from '../../core/seal.ts'

export type PinId = string & { readonly kind: 'pin' }

export type NewPin = { readonly id: PinId; readonly sealed: Buffer }

export type StoredPin = { readonly id: PinId; readonly hash: string | null; readonly hash_sealed: Buffer | null }

export type PinSealer = {
  seal(id: PinId, hash: string): Buffer
  /** A new PIN, of this hash. */
  newPin(hash: string): NewPin
  hashOf(pin: StoredPin): string
}

export const pinSealer = (keys: Keys): PinSealer => {
  const hashes = sealerFor(keys, 'pins')
  const seal = (id: PinId, hash: string): Buffer => hashes.seal(hash, id)
  return {
    seal,
    newPin(hash) {
      const id = randomId<PinId>()
      return { id, sealed: seal(id, hash) }
    },
    // The hash of an earlier version is not sealed until the next start.
    hashOf: (pin) => pin.hash ?? hashes.unseal(pin.hash_sealed!, pin.id),
  }
}
