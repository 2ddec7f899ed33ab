/**
 * Challenges of passkeys. A challenge holds a random part and the time, signed for one purpose and one session, or for signing in
 * without a session: giving one out stores nothing, and another purpose, session or time cannot be made up. It works for five
 * minutes, and once: `takePasskeyChallenge` stores it when an answer to it was right.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import { derivedFrom, hashKeyFor, type Keys, keyRingOf, sameFingerprint } from '../../core/seal.ts'

export const challengeLife_ms = 5 * minute_ms

/** `add`: a new passkey; `sign_in`: with or without the password; `proof`: of the person in a session. */
export type ChallengePurpose = 'add' | 'sign_in' | 'proof'

export type PasskeyChallenges = {
  /** `session`: its id; empty for signing in. */
  make(purpose: ChallengePurpose, session: string, now: Instant): string
  isGood(challenge: string, purpose: ChallengePurpose, session: string, now: Instant): boolean
}

const randomLength = 24
const timeLength = 6
const wholeLength = randomLength + timeLength + 32

export const passkeyChallenges = (keys: Keys): PasskeyChallenges => {
  const key = derivedFrom(keyRingOf(keys), (ring) => hashKeyFor(ring, 'passkey challenges'))
  const signed = (head: Buffer, purpose: string, session: string): Buffer =>
    createHmac('sha256', key()).update(head).update(`${purpose} ${session}`).digest()
  return {
    make(purpose, session, now) {
      const time = Buffer.alloc(timeLength)
      time.writeUIntBE(now, 0, timeLength)
      const head = Buffer.concat([randomBytes(randomLength), time])
      return Buffer.concat([head, signed(head, purpose, session)]).toString('base64url')
    },
    isGood(challenge, purpose, session, now) {
      const bytes = Buffer.from(challenge.slice(0, 200), 'base64url')
      if (bytes.length !== wholeLength || bytes.toString('base64url') !== challenge) return false
      const head = bytes.subarray(0, randomLength + timeLength)
      if (!sameFingerprint(bytes.subarray(head.length), signed(head, purpose, session))) return false
      const madeAt = head.readUIntBE(randomLength, timeLength)
      // The clock of another node may be a little ahead.
      return now - madeAt < challengeLife_ms && madeAt - now < minute_ms
    },
  }
}
