/**
 * The second factor: codes of six digits that change every thirty seconds (RFC 6238), from a secret that only the person's
 * app and this service hold, sealed at rest. One step to either side is allowed for clocks that differ. Which step a code
 * belongs to is told, so that it can be taken once. Recovery codes stand in for a lost phone, each once.
 */
import { randomInt } from 'node:crypto'
import { generateSecret, generateURI, verify } from 'otplib'
import type { Instant } from '../../core/clock.ts'
import { asciiDigits } from '../../core/digits.ts'
import type { UserId } from '../../core/ids.ts'
import { fingerprint, type Keys, sealerFor } from '../../core/seal.ts'

const period_s = 30

export type SecondFactor = {
  newSecret(): string
  /** For the QR code that an app reads. */
  uri(secret: string, email: string): string
  sealFor(userId: UserId, secret: string): Buffer
  /** The step that the code belongs to; undefined when it is wrong or was used before. */
  stepOf(userId: UserId, sealed: Buffer, code: string, after: number, now: Instant): Promise<number | undefined>
}

export const secondFactor = (keys: Keys): SecondFactor => {
  const secrets = sealerFor(keys, 'second factors')
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
  }
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const recoveryCodes = 10

/** Ten codes of fifty bits, in two halves, as a person writes them down. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodes }, () => {
    const code = Array.from({ length: 10 }, () => alphabet[randomInt(32)]).join('')
    return `${code.slice(0, 5)}-${code.slice(5)}`
  })

export const recoveryHash = (userId: UserId, code: string): Buffer =>
  fingerprint(`${userId} ${asciiDigits(code.slice(0, 40)).toLowerCase().replace(/[\s-]/g, '')}`)
