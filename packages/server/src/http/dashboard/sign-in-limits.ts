/**
 * How often a password or a code may be tried, so that guessing is slow and cannot lock a user out
 * (docs/decisions/0018).
 *
 * Passwords from an unknown browser are counted for the email and the network address together, and wrong ones for the
 * address; never for the email alone, or anyone who knows an email could lock its user out. A browser that the user
 * signed in with before is counted by itself: guesses from the same network, which may be half a city behind one
 * address, do not slow it. Codes are counted for the user: once for all browsers they signed in with, once for all
 * others; only a caller with the password gets that far. A valid link is never counted: it cannot be guessed.
 *
 * Everything is counted before it is checked, so that of many at once only as many as may fail are tried; what was no
 * guess is taken back.
 */
import type { FastifyRequest } from 'fastify'
import type { Turn } from '../../accounts/sessions/fair-queue.ts'
import type { Instant } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import { fingerprint } from '../../core/seal.ts'
import { addressKey } from '../limits/address-key.ts'
import type { Bucket } from '../limits/rule.ts'
import { knownDeviceIn, type SessionDeps } from './people/me.ts'
import { count, giveBack, type UserCall } from './route.ts'

/** The hash, so that a key has a bounded length whatever was typed. */
const pairOf = (email: string, address: string): string => fingerprint(`${email} ${address}`).toString('base64url')

export type SignInAttempt = {
  /** In which queue the password check waits. */
  readonly turn: Turn
  /** It was right: it does not count as a guess of the address. */
  right(): Promise<void>
  /** It was not checked. */
  untried(): Promise<void>
}

/**
 * The address first: what it refuses is counted nowhere else. What the email refuses does not count for the address.
 */
const countStranger = async (
  deps: SessionDeps,
  bucket: Bucket,
  email: string,
  address: string,
  now: Instant,
): Promise<void> => {
  await count(deps, 'sign_in_address', address, now)
  try {
    await count(deps, bucket, pairOf(email, address), now)
  } catch (refused) {
    await giveBack(deps, 'sign_in_address', address, now)
    throw refused
  }
}

export const countPassword = async (
  deps: SessionDeps,
  request: FastifyRequest,
  email: string,
  now: Instant,
): Promise<SignInAttempt> => {
  const device = knownDeviceIn(deps, request, email)
  if (device !== undefined) {
    const key = `device ${device.name}`
    await count(deps, 'sign_in', key, now)
    return { turn: 'known', right: async () => {}, untried: () => giveBack(deps, 'sign_in', key, now) }
  }
  const address = addressKey(request.ip)
  await countStranger(deps, 'sign_in', email, address, now)
  const right = () => giveBack(deps, 'sign_in_address', address, now)
  return {
    turn: { from: address },
    right,
    async untried() {
      await right()
      await giveBack(deps, 'sign_in', pairOf(email, address), now)
    },
  }
}

export const countCode = (
  deps: SessionDeps,
  request: FastifyRequest,
  user: { readonly id: UserId; readonly email: string },
  now: Instant,
): Promise<void> => {
  const known = knownDeviceIn(deps, request, user.email)?.how === 'signed_in'
  return count(deps, 'second_factor', known ? `known ${user.id}` : user.id, now)
}

/**
 * A signed-in user who proves their password again: counted by their session, so that a stolen session slows only
 * itself.
 */
export const countOwnProof = (deps: SessionDeps, { user, via, now }: UserCall): Promise<void> =>
  count(deps, 'sign_in', `own ${via.kind === 'session' ? via.id : user.userId}`, now)

/** Their code, in addition. */
export const countOwnCode = (deps: SessionDeps, { user, now }: UserCall): Promise<void> =>
  count(deps, 'second_factor', `known ${user.userId}`, now)

export const countReset = (deps: SessionDeps, request: FastifyRequest, email: string, now: Instant): Promise<void> => {
  const device = knownDeviceIn(deps, request, email)
  return device === undefined
    ? countStranger(deps, 'password_reset', email, addressKey(request.ip), now)
    : count(deps, 'password_reset', `device ${device.name}`, now)
}

/** A link that is not valid. */
export const countBadLink = (deps: SessionDeps, request: FastifyRequest, now: Instant): Promise<void> =>
  count(deps, 'sign_in_address', addressKey(request.ip), now)
