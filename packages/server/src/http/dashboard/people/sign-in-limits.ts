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
 * Every attempt is counted before it is checked, so that many attempts at once cannot pass the limit. The count of an
 * attempt that was no guess is taken back.
 */
import type { FastifyRequest } from 'fastify'
import type { Turn } from '../../../accounts/people/fair-queue.ts'
import type { Instant } from '../../../core/clock.ts'
import type { UserId } from '../../../core/ids.ts'
import { fingerprint } from '../../../core/seal.ts'
import { addressKey } from '../../limits/address-key.ts'
import type { Bucket } from '../../limits/rule.ts'
import { count, giveBack, type UserCall } from '../route.ts'
import { knownBrowserIn, type SessionDeps } from './me.ts'

/** A hash, so that the key has a bounded length whatever was typed. */
const emailAndAddressKey = (email: string, address: string): string =>
  fingerprint(`${email} ${address}`).toString('base64url')

export type SignInAttempt = {
  /** In which queue the password check waits. */
  readonly turn: Turn
  /** The password was right: the attempt does not count as a guess from its address. */
  succeeded(): Promise<void>
  /** The password was not checked: the attempt does not count at all. */
  notChecked(): Promise<void>
}

/**
 * Counts for the address first: a call refused by the limit of the address is not counted for the email. A call refused
 * by the limit of the email is not counted for the address.
 */
const countUnknownBrowser = async (
  deps: SessionDeps,
  bucket: Bucket,
  email: string,
  address: string,
  now: Instant,
): Promise<void> => {
  await count(deps, 'sign_in_address', address, now)
  try {
    await count(deps, bucket, emailAndAddressKey(email, address), now)
  } catch (problem) {
    await giveBack(deps, 'sign_in_address', address, now)
    throw problem
  }
}

export const countPassword = async (
  deps: SessionDeps,
  request: FastifyRequest,
  email: string,
  now: Instant,
): Promise<SignInAttempt> => {
  const browser = knownBrowserIn(deps, request, email)
  if (browser !== undefined) {
    const key = `device ${browser.name}`
    await count(deps, 'sign_in', key, now)
    return { turn: 'known', succeeded: async () => {}, notChecked: () => giveBack(deps, 'sign_in', key, now) }
  }
  const address = addressKey(request.ip)
  await countUnknownBrowser(deps, 'sign_in', email, address, now)
  const succeeded = () => giveBack(deps, 'sign_in_address', address, now)
  return {
    turn: { from: address },
    succeeded,
    async notChecked() {
      await succeeded()
      await giveBack(deps, 'sign_in', emailAndAddressKey(email, address), now)
    },
  }
}

export const countCode = (
  deps: SessionDeps,
  request: FastifyRequest,
  user: { readonly id: UserId; readonly email: string },
  now: Instant,
): Promise<void> => {
  const known = knownBrowserIn(deps, request, user.email)?.how === 'signed_in'
  return count(deps, 'second_factor', known ? `known ${user.id}` : user.id, now)
}

/**
 * Counts a signed-in user who enters their password again, or the first code of a new second factor. Counted by session,
 * so that a stolen session slows only itself.
 */
export const countOwnProof = (deps: SessionDeps, { user, via, now }: UserCall): Promise<void> =>
  count(deps, 'sign_in', `own ${via.kind === 'session' ? via.id : user.userId}`, now)

/**
 * Counts a try to prove that it is still the same person, and returns what takes a right one back. Counted by session, and a code
 * also by user: a stolen session slows only itself, and several have no more tries than one user. Neither count is that of signing
 * in, so guesses in a stolen session cannot lock the user out.
 */
export const countProof = async (
  deps: SessionDeps,
  { user, via, now }: UserCall,
  way: 'password' | 'code' | 'passkey',
): Promise<() => Promise<void>> => {
  const session = `proof ${via.id ?? user.userId}`
  await count(deps, 'sign_in', session, now)
  if (way === 'code') await count(deps, 'second_factor', `proof ${user.userId}`, now)
  return async () => {
    await giveBack(deps, 'sign_in', session, now)
    if (way === 'code') await giveBack(deps, 'second_factor', `proof ${user.userId}`, now)
  }
}

/** Counts the code of a signed-in user, in addition to the password. */
export const countOwnCode = (deps: SessionDeps, { user, now }: UserCall): Promise<void> =>
  count(deps, 'second_factor', `known ${user.userId}`, now)

export const countReset = (deps: SessionDeps, request: FastifyRequest, email: string, now: Instant): Promise<void> => {
  const browser = knownBrowserIn(deps, request, email)
  return browser === undefined
    ? countUnknownBrowser(deps, 'password_reset', email, addressKey(request.ip), now)
    : count(deps, 'password_reset', `device ${browser.name}`, now)
}

/** Counts a link that is not valid, as a guess from its address. */
export const countBadLink = (deps: SessionDeps, request: FastifyRequest, now: Instant): Promise<void> =>
  count(deps, 'sign_in_address', addressKey(request.ip), now)
