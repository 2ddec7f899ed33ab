/**
 * Access tokens: JWTs signed with HS256 by a key derived from the master key. Where that was rotated, tokens of the key before
 * are good for as long as the rotation says. One algorithm, fixed here: the one in a token's header is ignored. What was
 * verified once is remembered by its text, so that the next call costs a look-up; expiry is checked on every call. The caller
 * checks whether the API key or the session of a token is still valid.
 */
import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, ClientId, SessionId, UserId } from '../../core/ids.ts'
import { derivedFrom, deriveKey, type Keys, keyRingOf } from '../../core/seal.ts'

const issuer = 'sanad'
const algorithm = 'HS256'

export type Bearer =
  | { readonly typ: 'client'; readonly sub: ClientId; readonly acc: AccountId; readonly generation: number }
  /** `validFrom`: since when the user's credentials are those that bought the token (left out: always); with others it
   *  is worth nothing. `sessionId`: the session by which the token is listed and ended; tokens from before have none. */
  | {
      readonly typ: 'user'
      readonly sub: UserId
      readonly acc: AccountId
      readonly validFrom?: Instant
      readonly sessionId?: SessionId
    }

type Known = { readonly bearer: Bearer; readonly expiresAt: Instant }

export type Tokens = {
  issue(bearer: Bearer, ttl_s: number, now: Instant): Promise<string>
  /** Who holds this token; undefined when it is not ours, broken or past its time. At once when it was seen before. */
  check(token: string, now: Instant): Bearer | undefined | Promise<Bearer | undefined>
}

export const openTokens = (keys: Keys): Tokens => {
  const ring = keyRingOf(keys)
  // Verifying a token costs several hundred times as much as finding it here (bench/kept-values.ts).
  const known = new LRUCache<string, Known>({ max: 20_000 })
  const signingKeys = derivedFrom(ring, ({ all }) => {
    // What was verified with other keys is verified again.
    known.clear()
    return all.map((key) => deriveKey(key, 'access tokens'))
  })

  const standing = (one: Known, now: Instant): Bearer | undefined => (now < one.expiresAt ? one.bearer : undefined)

  const verify = async (token: string, now: Instant): Promise<Bearer | undefined> => {
    // A token of ours has about 400 characters; nobody makes us hash a megabyte.
    if (token.length > 2048 || !isCanonical(token)) return undefined
    const [current, ...others] = signingKeys()
    const mine = await verifyWith(current!, Number.POSITIVE_INFINITY, token, now)
    if (mine !== undefined || now >= ring.otherTokensUntil) return mine
    for (const key of others) {
      const found = await verifyWith(key, ring.otherTokensUntil, token, now)
      if (found !== undefined) return found
    }
    return undefined
  }

  const verifyWith = async (
    key: Uint8Array,
    until: Instant,
    token: string,
    now: Instant,
  ): Promise<Bearer | undefined> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        issuer,
        currentDate: new Date(now),
        requiredClaims: ['sub', 'acc', 'typ', 'iat', 'exp', 'jti'],
      })
      const bearer = readBearer(payload)
      if (bearer === undefined) return undefined
      const seen = { bearer, expiresAt: Math.min(payload.exp! * 1000, until) }
      known.set(token, seen)
      return standing(seen, now)
    } catch {
      return undefined
    }
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
      signingKeys()
      const seen = known.get(token)
      return seen === undefined ? verify(token, now) : standing(seen, now)
    },
  }
}

/** The generation of what bought the token, and its session, are in its id: the claims are fixed by the contract. */
const idOf = (bearer: Bearer): string => {
  if (bearer.typ === 'client') return `${bearer.generation}.${randomUUID()}`
  const { validFrom = 0, sessionId } = bearer
  return sessionId === undefined ? `${validFrom}.${randomUUID()}` : `${validFrom}.session.${sessionId}`
}

const ofSession = /^\d{1,15}\.session\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The last letter of a signature has bits that stand for nothing: with others it would be the same signature, and is refused. */
const isCanonical = (token: string): boolean => {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

const readBearer = (claims: Record<string, unknown>): Bearer | undefined => {
  const { sub, acc, typ, jti } = claims
  if (typeof sub !== 'string' || typeof acc !== 'string' || typeof jti !== 'string') return undefined
  const before = /^(\d{1,15})\./.exec(jti)?.[1]
  if (typ === 'user') {
    // A token from before generations were in it is good for a user who never changed their credentials.
    const user = { typ, sub: sub as UserId, acc: acc as AccountId, validFrom: Number(before ?? 0) } as const
    const sessionId = ofSession.exec(jti)?.[1] as SessionId | undefined
    return sessionId === undefined ? user : { ...user, sessionId }
  }
  const generation = /^[1-9]\d{0,8}$/.exec(before ?? '')?.[0]
  if (typ !== 'client' || generation === undefined) return undefined
  return { typ, sub: sub as ClientId, acc: acc as AccountId, generation: Number(generation) }
}
