/**
 * How often somebody may try a password or a code, so that a guesser is slowed and nobody is kept out by one
 * (docs/decisions/0018).
 *
 * A stranger's passwords are counted for the name and the address on the network together, and the wrong ones for the
 * address; never for a name alone, or who knows somebody's name could lock them out. A browser that the person came by before
 * is counted by itself: whoever guesses from the same network, as half a city may behind one address, does not slow it. Codes
 * are counted for the person: once for all the browsers they signed in from, once for everybody else; only who knows the
 * password gets that far. A link that is good is never counted: nobody guesses it.
 *
 * All is counted before it is looked at, so that of many at once only as many as may fail are tried; what turns out not to
 * have been a guess is given back.
 */
import type { FastifyRequest } from 'fastify'
import type { Turn } from '../../accounts/sessions/fair-queue.ts'
import type { Instant } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import { fingerprint } from '../../core/seal.ts'
import { addressKey } from '../limits/address-key.ts'
import type { Bucket } from '../limits/rule.ts'
import { knownDeviceIn, type SessionDeps } from './people/me.ts'
import { count, giveBack, type PersonCall } from './route.ts'

/** The hash, so that a key has a bounded length whatever was typed. */
const pairOf = (email: string, address: string): string => fingerprint(`${email} ${address}`).toString('base64url')

export type SignInAttempt = {
  /** In which line to wait for the password to be looked at. */
  readonly turn: Turn
  /** It was right: the address has guessed nothing. */
  right(): Promise<void>
  /** Nobody looked at it. */
  untried(): Promise<void>
}

/** The address first: what it refuses is counted nowhere else. What the name refuses was no try of the address. */
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

/** Somebody signed in who proves themselves again: by their own session, so that a stolen one slows only itself. */
export const countOwnProof = (deps: SessionDeps, { person, via, now }: PersonCall): Promise<void> =>
  count(deps, 'sign_in', `own ${via.kind === 'session' ? via.id : person.userId}`, now)

/** A code of theirs, on top of that. */
export const countOwnCode = (deps: SessionDeps, { person, now }: PersonCall): Promise<void> =>
  count(deps, 'second_factor', `known ${person.userId}`, now)

export const countReset = (deps: SessionDeps, request: FastifyRequest, email: string, now: Instant): Promise<void> => {
  const device = knownDeviceIn(deps, request, email)
  return device === undefined
    ? countStranger(deps, 'password_reset', email, addressKey(request.ip), now)
    : count(deps, 'password_reset', `device ${device.name}`, now)
}

/** Whoever brought a link that is not good. */
export const countBadLink = (deps: SessionDeps, request: FastifyRequest, now: Instant): Promise<void> =>
  count(deps, 'sign_in_address', addressKey(request.ip), now)
