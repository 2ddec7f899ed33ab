/**
 * Access tokens: JWTs signed with HS256 by a key derived from the master key. After a rotation, tokens of the previous key are
 * valid for as long as the rotation has set. The algorithm is fixed here; the one in a token's header is ignored. Verified
 * tokens are cached, so that the next call costs a lookup; expiry is checked on every call. The caller checks whether the API
 * key or the session of a token is still valid.
 */
import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, ClientId, SessionId, UserId } from '../../core/ids.ts'
import { derivedFrom, deriveKey, type Keys, keyRingOf } from '../../core/seal.ts'

const issuer = 'sanad'
const algorithm = 'HS256'

export type Bearer =
  | { readonly typ: 'client'; readonly sub: ClientId; readonly acc: AccountId; readonly generation: number }
  /** `validFrom`: since when the credentials that the token was issued for are valid (left out: always); after a change of
   *  credentials the token is refused. `sessionId`: the session that lists and ends the token; old tokens have none. */
  | {
      readonly typ: 'user'
      readonly sub: UserId
      readonly acc: AccountId
      readonly validFrom?: Instant
      readonly sessionId?: SessionId
    }

/** A token that is refused. `expired`: its signature is ours. `foreign`: it is not ours, or broken. */
export type RefusedToken =
  | { readonly refused: 'foreign' }
  | { readonly refused: 'expired'; readonly bearer: Bearer; readonly expiredAt: Instant }

export type CheckedToken = Bearer | RefusedToken

type VerifiedToken = { readonly bearer: Bearer; readonly expiresAt: Instant }

export type Tokens = {
  issue(bearer: Bearer, ttl_s: number, now: Instant): Promise<string>
  /** The bearer of a token; undefined: it is not ours, broken or expired. Returned without a promise if it is cached. */
  check(token: string, now: Instant): Bearer | undefined | Promise<Bearer | undefined>
  /** As `check`, and why a token is refused. */
  examine(token: string, now: Instant): CheckedToken | Promise<CheckedToken>
}

export const openTokens = (keys: Keys): Tokens => {
  const ring = keyRingOf(keys)
  // Verifying a token costs several hundred times as much as finding it here.
  const verified = new LRUCache<string, VerifiedToken>({ max: 20_000 })
  const signingKeys = derivedFrom(ring, ({ all }) => {
    // Tokens that were verified with other keys must be verified again.
    verified.clear()
    return all.map((key) => deriveKey(key, 'access tokens'))
  })

  const at = ({ bearer, expiresAt }: VerifiedToken, now: Instant): CheckedToken =>
    now < expiresAt ? bearer : { refused: 'expired', bearer, expiredAt: expiresAt }

  const verify = async (token: string, now: Instant): Promise<CheckedToken> => {
    // A token of ours has about 400 characters: a much longer text is not worth verifying.
    if (token.length > 2048 || !isCanonical(token)) return foreign
    const [current, ...others] = signingKeys()
    const byCurrent = await verifyWith(current!, Number.POSITIVE_INFINITY, token, now)
    if (byCurrent !== foreign || now >= ring.otherTokensUntil) return byCurrent
    for (const key of others) {
      const found = await verifyWith(key, ring.otherTokensUntil, token, now)
      if (found !== foreign) return found
    }
    return foreign
  }

  const verifyWith = async (key: Uint8Array, until: Instant, token: string, now: Instant): Promise<CheckedToken> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        issuer,
        currentDate: new Date(now),
        requiredClaims: ['sub', 'acc', 'typ', 'iat', 'exp', 'jti'],
      })
      const bearer = readBearer(payload)
      if (bearer === undefined) return foreign
      const result = { bearer, expiresAt: Math.min(payload.exp! * 1000, until) }
      verified.set(token, result)
      return at(result, now)
    } catch (fault) {
      // jose reports an expired token only after it has verified the signature.
      const payload = fault instanceof errors.JWTExpired && fault.claim === 'exp' ? fault.payload : undefined
      const bearer = payload === undefined ? undefined : readBearer(payload)
      return bearer === undefined ? foreign : { refused: 'expired', bearer, expiredAt: payload!.exp! * 1000 }
    }
  }

  const examine = (token: string, now: Instant): CheckedToken | Promise<CheckedToken> => {
    // Clears the cache if the keys have changed.
    signingKeys()
    const cached = verified.get(token)
    return cached === undefined ? verify(token, now) : at(cached, now)
  }

  return {
    issue(bearer, ttl_s, now) {
      const iat = Math.floor(now / 1000)
      const jti = idOf(bearer)
      return new SignJWT({ acc: bearer.acc, typ: bearer.typ })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setIssuer(issuer)
        .setSubject(bearer.sub)
        .setIssuedAt(iat)
        .setExpirationTime(iat + ttl_s)
        .setJti(jti)
        .sign(signingKeys()[0]!)
    },
    check(token, now) {
      const checked = examine(token, now)
      return checked instanceof Promise ? checked.then(bearerOf) : bearerOf(checked)
    },
    examine,
  }
}

const foreign: RefusedToken = Object.freeze({ refused: 'foreign' })

const bearerOf = (checked: CheckedToken): Bearer | undefined => ('refused' in checked ? undefined : checked)

/** The token's id (`jti`) holds the generation of the key, or `validFrom` and the session: the contract fixes the claims. */
const idOf = (bearer: Bearer): string => {
  if (bearer.typ === 'client') return `${bearer.generation}.${randomUUID()}`
  const { validFrom = 0, sessionId } = bearer
  return sessionId === undefined ? `${validFrom}.${randomUUID()}` : `${validFrom}.session.${sessionId}`
}

const ofSession = /^\d{1,15}\.session\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The last character of a signature has unused bits. Another value of these bits is refused, though the signature is the same. */
const isCanonical = (token: string): boolean => {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

const readBearer = (claims: Record<string, unknown>): Bearer | undefined => {
  const { sub, acc, typ, jti } = claims
  if (typeof sub !== 'string' || typeof acc !== 'string' || typeof jti !== 'string') return undefined
  const prefix = /^(\d{1,15})\./.exec(jti)?.[1]
  if (typ === 'user') {
    // An old token without `validFrom` is valid for a user who never changed their credentials.
    const user = { typ, sub: sub as UserId, acc: acc as AccountId, validFrom: Number(prefix ?? 0) } as const
    const sessionId = ofSession.exec(jti)?.[1] as SessionId | undefined
    return sessionId === undefined ? user : { ...user, sessionId }
  }
  const generation = /^[1-9]\d{0,8}$/.exec(prefix ?? '')?.[0]
  if (typ !== 'client' || generation === undefined) return undefined
  return { typ, sub: sub as ClientId, acc: acc as AccountId, generation: Number(generation) }
}
