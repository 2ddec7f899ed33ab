/**
 * How often somebody may try a password or a code. Passwords are counted for an address on the network together with the
 * name it tried, and for the address alone; never for a name alone, or who knows somebody's name could lock them out. A
 * browser that the person signed in from before is counted by itself: whoever guesses from the same network, as half a city
 * may behind one address, does not slow it. Codes are counted for the person, since many addresses could try them all in a
 * day; only who knows the password gets that far, and a known browser is again counted by itself. All is counted before it
 * is looked at: of many at once, only as many as may fail are tried.
 */
import type { FastifyRequest } from 'fastify'
import type { Instant } from '../../ground/clock.ts'
import type { UserId } from '../../ground/ids.ts'
import { fingerprint } from '../../ground/seal.ts'
import { addressKey } from '../limits/address-key.ts'
import { knownDeviceIn, type SessionRooms } from './me.ts'
import { count, type PersonCall } from './route.ts'

/** The hash, so that a key has a bounded length whatever was typed. */
const pairOf = (email: string, address: string): string => fingerprint(`${email} ${address}`).toString('base64url')

export const countPassword = async (
  rooms: SessionRooms,
  request: FastifyRequest,
  email: string,
  now: Instant,
): Promise<void> => {
  const device = knownDeviceIn(rooms, request, email)
  if (device !== undefined) return count(rooms, 'sign_in', `device ${device}`, now)
  const address = addressKey(request.ip)
  await count(rooms, 'sign_in', pairOf(email, address), now)
  await count(rooms, 'sign_in_address', address, now)
}

export const countCode = (
  rooms: SessionRooms,
  request: FastifyRequest,
  user: { readonly id: UserId; readonly email: string },
  now: Instant,
): Promise<void> => {
  const device = knownDeviceIn(rooms, request, user.email)
  return count(rooms, 'second_factor', device === undefined ? user.id : `device ${device}`, now)
}

/** Somebody signed in who proves themselves again: by their own session, so that a stolen one slows only itself. */
export const countOwnProof = (rooms: SessionRooms, { person, via, now }: PersonCall): Promise<void> =>
  count(rooms, 'sign_in', `own ${via.kind === 'session' ? via.id : person.userId}`, now)

export const countReset = async (
  rooms: SessionRooms,
  request: FastifyRequest,
  email: string,
  now: Instant,
): Promise<void> => {
  const address = addressKey(request.ip)
  await count(rooms, 'password_reset', pairOf(email, address), now)
  await count(rooms, 'sign_in_address', address, now)
}

/** Whoever brings a link that costs us a hash of a password, or a look. */
export const countLink = (rooms: SessionRooms, request: FastifyRequest, now: Instant): Promise<void> =>
  count(rooms, 'sign_in_address', addressKey(request.ip), now)
