/**
 * Secrets at rest. What must be read again (device and webhook secrets) is sealed with AES-256-GCM; what must only be
 * recognised (API secrets, tokens of 32 random bytes) is kept as its SHA-256: such a secret cannot be guessed, so a slow
 * hash would only slow us. Keys for each purpose are derived from one master key, so that no key serves two ends.
 */
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

export type MasterKey = Uint8Array & { readonly length: number }

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

export const fingerprint = (secret: string | Uint8Array): Buffer => hash('sha256', secret, 'buffer')

/** Constant-time; a length that differs is already a difference of hashes, so nothing is learnt from it. */
export const sameFingerprint = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
