/**
 * The second factor: codes of six digits that change every thirty seconds (RFC 6238), from a secret that only the user's
 * app and this service hold, sealed at rest. One step to either side is allowed for clocks that differ. `stepOf` returns
 * the step of a code, so that the caller can accept it once. Recovery codes replace a lost phone, each once.
 *
 * A recovery code has fifty bits: from a hash without a key, a reader of the table could find it by trying all codes. So it
 * is stored as 0x01 and the HMAC-SHA256 of its SHA-256 (33 bytes). Earlier versions stored the SHA-256 alone (32 bytes);
 * upgrade-recovery-codes.ts converts the old form.
 */
import { createHmac, randomInt } from 'node:crypto'
import { generateSecret, generateURI, verify } from 'otplib'
import type { Instant } from '../../core/clock.ts'
import { asciiDigits } from '../../core/digits.ts'
import type { UserId } from '../../core/ids.ts'
import { derivedFrom, fingerprint, hashKeyFor, type Keys, keyRingOf, sealerFor } from '../../core/seal.ts'

const period_s = 30
const keyedForm = Buffer.from([1])

export type SecondFactor = {
  newSecret(): string
  /** The content of the QR code that an app reads. */
  uri(secret: string, email: string): string
  sealFor(userId: UserId, secret: string): Buffer
  /** The step that the code belongs to; undefined when it is wrong or was used before. */
  stepOf(userId: UserId, sealed: Buffer, code: string, after: number, now: Instant): Promise<number | undefined>
  /** A recovery code as it is stored. */
  recoveryHash(userId: UserId, code: string): Buffer
  /** The stored form of a code whose old form (`plainRecoveryHash`) is given. */
  keyedRecoveryHash(plain: Buffer): Buffer
}

export const secondFactor = (keys: Keys): SecondFactor => {
  const secrets = sealerFor(keys, 'second factors')
  // This key does not change when the master key is rotated, so stored codes stay valid.
  const recoveryKey = derivedFrom(keyRingOf(keys), (ring) => hashKeyFor(ring, 'recovery codes'))
  const keyedRecoveryHash = (plain: Buffer): Buffer =>
    Buffer.concat([keyedForm, createHmac('sha256', recoveryKey()).update(plain).digest()])
  return {
    newSecret: () => generateSecret(),
    uri: (secret, email) => generateURI({ issuer: 'Sanad', label: email, secret }),
    sealFor: (userId, secret) => secrets.seal(secret, userId),
    async stepOf(userId, sealed, code, after, now) {
      const token = asciiDigits(code.slice(0, 20)).replace(/\s/g, '')
      if (!/^\d{6}$/.test(token)) return undefined
      const epoch = Math.floor(now / 1000)
      const result = await verify({ secret: secrets.unseal(sealed, userId), token, epoch, epochTolerance: period_s })
      if (!result.valid) return undefined
      const step = Math.floor(epoch / period_s) + result.delta
      return step > after ? step : undefined
    },
    recoveryHash: (userId, code) => keyedRecoveryHash(plainRecoveryHash(userId, code)),
    keyedRecoveryHash,
  }
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const recoveryCodes = 10

/** Ten codes of fifty bits, each written as two groups of five characters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodes }, () => {
    const code = Array.from({ length: 10 }, () => alphabet[randomInt(32)]).join('')
    return `${code.slice(0, 5)}-${code.slice(5)}`
  })

/** The form of earlier versions. Their nodes may still write it while nodes are replaced one by one. */
export const plainRecoveryHash = (userId: UserId, code: string): Buffer =>
  fingerprint(`${userId} ${asciiDigits(code.slice(0, 40)).toLowerCase().replace(/[\s-]/g, '')}`)
