/**
 * Secrets at rest. A secret that must be read again (such as those of phones and webhooks) is sealed with AES-256-GCM. A secret
 * that must only be recognised (API secrets, tokens of 32 random bytes) is kept as its SHA-256: it cannot be guessed, so a slow
 * hash would add nothing. The key of each purpose is derived from one master key, so that no key serves two purposes.
 */
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Instant } from './clock.ts'

export type MasterKey = Uint8Array & { readonly length: number }

/** The valid master keys. What was derived from them must be derived again when `version` changes. */
export type KeyRing = {
  readonly version: number
  /** The key to seal with. Throws if the database could not confirm lately that it is still the current one. */
  current(): MasterKey
  /** The keys that unseal; the current one first. */
  readonly all: readonly MasterKey[]
  /** The key of keyed hashes. It stays when the master key is rotated: a hash cannot be computed again from a hash. */
  readonly hashKey: Uint8Array
  /** Until when tokens that were signed with an older key are valid. */
  readonly otherTokensUntil: Instant
}

/** One key that is never rotated, or a key ring. */
export type Keys = MasterKey | KeyRing

export const keyRingOf = (keys: Keys): KeyRing =>
  keys instanceof Uint8Array
    ? { version: 0, current: () => keys, all: [keys], hashKey: deriveKey(keys, 'hash key'), otherTokensUntil: 0 }
    : keys

export const deriveKey = (master: MasterKey, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', master, 'sanad', purpose, 32))

/** `bound` ties the sealed text to its row: copied to another row, it cannot be unsealed. */
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

/** A function that returns a value derived from a key ring; it derives the value again when the ring has changed. */
export const derivedFrom = <T>(ring: KeyRing, make: (ring: KeyRing) => T): (() => T) => {
  let version = ring.version
  let value = make(ring)
  return () => {
    if (version !== ring.version) {
      version = ring.version
      value = make(ring)
    }
    return value
  }
}

export type Sealer = {
  seal(secret: string, bound: string): Buffer
  unseal(sealed: Buffer, bound: string): string
}

/** Seals with the current key; unseals with any key of the ring. */
export const sealerFor = (keys: Keys, purpose: string): Sealer => {
  const ring = keyRingOf(keys)
  const derived = derivedFrom(ring, ({ all }) => all.map((key) => deriveKey(key, purpose)))
  return {
    seal(secret, bound) {
      // Throws if this node may not seal now.
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
            // Try the next key.
          }
        }
        throw fault
      }
    },
  }
}

/** The key for hashes of texts that a reader of the table could guess. */
export const hashKeyFor = (ring: KeyRing, purpose: string): Uint8Array => deriveKey(ring.hashKey, purpose)

export const fingerprint = (secret: string | Uint8Array): Buffer => hash('sha256', secret, 'buffer')

/** Takes constant time. Hashes have one length, so a different length reveals nothing. */
export const sameFingerprint = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
