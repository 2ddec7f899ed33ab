/**
 * Secrets at rest. What must be read again (device and webhook secrets) is sealed with AES-256-GCM; what must only be
 * recognised (API secrets, tokens of 32 random bytes) is kept as its SHA-256: such a secret cannot be guessed, so a slow
 * hash would only slow us. Keys for each purpose are derived from one master key, so that no key serves two ends.
 */
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Instant } from './clock.ts'

export type MasterKey = Uint8Array & { readonly length: number }

/** The master keys that are good now. Who keeps what was derived from them makes it anew when `version` is another. */
export type KeyRing = {
  readonly version: number
  /** The one to seal with. Throws while it is not certain that it still is. */
  current(): MasterKey
  /** Those that open what is sealed; the current one first. */
  readonly all: readonly MasterKey[]
  /** The key of keyed hashes. It stays when the master key is rotated: a hash cannot be made again from a hash. */
  readonly hashKey: Uint8Array
  /** Until when tokens are good that were signed with another key than the current one. */
  readonly otherTokensUntil: Instant
}

/** One key that is never rotated, or a ring. */
export type Keys = MasterKey | KeyRing

export const ringOf = (keys: Keys): KeyRing =>
  keys instanceof Uint8Array
    ? { version: 0, current: () => keys, all: [keys], hashKey: deriveKey(keys, 'hash key'), otherTokensUntil: 0 }
    : keys

export const deriveKey = (master: MasterKey, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', master, 'sanad', purpose, 32))

/** `bound` ties the sealed text to its row: moved to another row, it does not open. */
export const seal = (key: Uint8Array, secret: string, bound: string): Buffer => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound))
  return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

export const unseal = (key: Uint8Array, sealed: Buffer, bound: string): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(bound))
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8')
}

/** Made of a ring, and made anew when the ring has changed. */
export const madeOf = <T>(ring: KeyRing, make: (ring: KeyRing) => T): (() => T) => {
  let version = ring.version
  let made = make(ring)
  return () => {
    if (version !== ring.version) {
      version = ring.version
      made = make(ring)
    }
    return made
  }
}

export type Sealer = {
  seal(secret: string, bound: string): Buffer
  unseal(sealed: Buffer, bound: string): string
}

/** Seals with the current key, opens with each. */
export const sealerFor = (keys: Keys, purpose: string): Sealer => {
  const ring = ringOf(keys)
  const derived = madeOf(ring, ({ all }) => all.map((key) => deriveKey(key, purpose)))
  return {
    seal(secret, bound) {
      ring.current()
      return seal(derived()[0]!, secret, bound)
    },
    unseal(sealed, bound) {
      const [first, ...others] = derived()
      try {
        return unseal(first!, sealed, bound)
      } catch (fault) {
        for (const key of others) {
          try {
            return unseal(key, sealed, bound)
          } catch {
            // The next one, then.
          }
        }
        throw fault
      }
    },
  }
}

/** For hashes that must only be recognised, and whose text could be guessed by whoever reads the table. */
export const hashKeyFor = (ring: KeyRing, purpose: string): Uint8Array => deriveKey(ring.hashKey, purpose)

export const fingerprint = (secret: string | Uint8Array): Buffer => hash('sha256', secret, 'buffer')

/** Constant-time; a length that differs is already a difference of hashes, so nothing is learnt from it. */
export const sameFingerprint = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
