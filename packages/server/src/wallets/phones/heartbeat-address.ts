/**
 * The address to which an app sends an empty, unsigned call at intervals (`/heartbeat/{token}`). Whoever knows it can say that the phone
 * is alive, and nothing else: it authenticates no message, and the token of the messages cannot be computed from it. It is
 * computed from the stored hash of that token, so it ends with the phone's access, and nothing more is stored. Pure.
 */
import type { PhoneId } from '../../core/ids.ts'
import { fingerprint, sameFingerprint } from '../../core/seal.ts'

const proofOf = (tokenHash: Uint8Array): Buffer =>
  fingerprint(Buffer.concat([Buffer.from('sanad heartbeat address\0'), tokenHash]))

export const heartbeatToken = (id: PhoneId, tokenHash: Uint8Array): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') + proofOf(tokenHash).toString('base64url')

const form = /^([A-Za-z0-9_-]{22})([A-Za-z0-9_-]{43})$/

/** The phone that a token names; undefined: it is no token. Whether it is right is decided by `isHeartbeatToken`. */
export const phoneOfHeartbeat = (token: string): PhoneId | undefined => {
  const named = form.exec(token)?.[1]
  const hex = named && Buffer.from(named, 'base64url').toString('hex')
  return hex?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as PhoneId | undefined
}

export const isHeartbeatToken = (token: string, tokenHash: Uint8Array): boolean =>
  sameFingerprint(Buffer.from(form.exec(token)?.[2] ?? '', 'base64url'), proofOf(tokenHash))
