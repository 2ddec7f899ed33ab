/**
 * What phones prove themselves with, as it is kept. Secrets and signing keys must be read again, so they are sealed, each
 * to its device and each kind with a key of its own. Pairing codes must only be recognised: they are kept as a keyed
 * hash, because 50 bits without a key could be guessed by whoever reads the table.
 */
import { createHmac } from 'node:crypto'
import type { DeviceId } from '../../core/ids.ts'
import { hashKeyFor, type Keys, madeOf, ringOf, sealerFor } from '../../core/seal.ts'
import { type PairingCode, shelfOf } from './pairing-code.ts'

export type DeviceSecrets = {
  sealSecret(id: DeviceId, secret: string): Buffer
  unsealSecret(id: DeviceId, sealed: Buffer): string
  sealSigningKey(id: DeviceId, key: string): Buffer
  unsealSigningKey(id: DeviceId, sealed: Buffer): string
  hashCode(code: PairingCode): CodeHash
}

/** `whole` begins with its shelf: the codes of one shelf are a range, from `first` to `last`. */
export type CodeHash = { readonly whole: Buffer; readonly first: Buffer; readonly last: Buffer }

const shelf_bytes = 8
const beyond = Buffer.alloc(33, 0xff)

export const deviceSecrets = (keys: Keys): DeviceSecrets => {
  const secrets = sealerFor(keys, 'device secrets')
  const signingKeys = sealerFor(keys, 'device signing keys')
  const codeKey = madeOf(ringOf(keys), (ring) => hashKeyFor(ring, 'pairing codes'))
  const keyed = (text: string): Buffer => createHmac('sha256', codeKey()).update(text).digest()
  return {
    sealSecret: (id, secret) => secrets.seal(secret, id),
    unsealSecret: (id, sealed) => secrets.unseal(sealed, id),
    sealSigningKey: (id, key) => signingKeys.seal(key, id),
    unsealSigningKey: (id, sealed) => signingKeys.unseal(sealed, id),
    hashCode(code) {
      const first = keyed(`shelf ${shelfOf(code)}`).subarray(0, shelf_bytes)
      return { whole: Buffer.concat([first, keyed(`code ${code}`)]), first, last: Buffer.concat([first, beyond]) }
    },
  }
}
