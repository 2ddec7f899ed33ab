/**
 * The credentials of phones as they are stored. Secrets and signing keys must be read again, so they are sealed, each
 * bound to its phone and each kind with its own key. Pairing codes only have to be recognised: a keyed hash is stored,
 * because 50 bits without a key could be guessed by anyone who reads the table.
 */
import { createHmac } from 'node:crypto'
import type { PhoneId } from '../../core/ids.ts'
import { derivedFrom, hashKeyFor, type Keys, keyRingOf, sealerFor } from '../../core/seal.ts'
import { type PairingCode, prefixOf } from './pairing-code.ts'

export type PhoneSecrets = {
  sealSecret(id: PhoneId, secret: string): Buffer
  unsealSecret(id: PhoneId, sealed: Buffer): string
  sealSigningKey(id: PhoneId, key: string): Buffer
  unsealSigningKey(id: PhoneId, sealed: Buffer): string
  hashCode(code: PairingCode): CodeHash
}

/** `whole` begins with the hash of the code's prefix: the hashes of all codes with one prefix are between `first` and `last`. */
export type CodeHash = { readonly whole: Buffer; readonly first: Buffer; readonly last: Buffer }

const prefix_bytes = 8
const highestSuffix = Buffer.alloc(33, 0xff)

export const phoneSecrets = (keys: Keys): PhoneSecrets => {
  const secrets = sealerFor(keys, 'device secrets')
  const signingKeys = sealerFor(keys, 'device signing keys')
  const codeKey = derivedFrom(keyRingOf(keys), (ring) => hashKeyFor(ring, 'pairing codes'))
  const keyed = (text: string): Buffer => createHmac('sha256', codeKey()).update(text).digest()
  return {
    sealSecret: (id, secret) => secrets.seal(secret, id),
    unsealSecret: (id, sealed) => secrets.unseal(sealed, id),
    sealSigningKey: (id, key) => signingKeys.seal(key, id),
    unsealSigningKey: (id, sealed) => signingKeys.unseal(sealed, id),
    hashCode(code) {
      // The labels are part of stored hashes: they cannot be renamed.
      const first = keyed(`shelf ${prefixOf(code)}`).subarray(0, prefix_bytes)
      return {
        whole: Buffer.concat([first, keyed(`code ${code}`)]),
        first,
        last: Buffer.concat([first, highestSuffix]),
      }
    },
  }
}
