/**
 * Authenticates an API key. A bearer token is checked without the database (accounts/sessions/token.ts); its key is
 * looked up in a cache that is at most 1.5 seconds old. Returns no promise where possible, because it runs before every
 * call. The account is in the token: `onAccount` is called with it before anything is decided by the rows of the key.
 */
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import { acceptsGeneration } from '../../accounts/keys/api-key.ts'
import type { KeyLookup } from '../../accounts/keys/key-lookup.ts'
import type { Bearer, CheckedToken, RefusedToken, Tokens } from '../../accounts/sessions/token.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import { authenticationFailed, type ClaimedKey, type Problem, permissionDenied } from '../answers.ts'
import { bearerIn } from '../bearer.ts'

const claimedBy = (bearer: Bearer): ClaimedKey | undefined =>
  bearer.typ === 'user' ? undefined : { scope: wholeAccount(bearer.acc), clientId: bearer.sub }

/** A token that was ours names its key: the key's account can see the call in its log. */
const refusedToken = (token: RefusedToken, now: Instant): Problem => {
  if (token.refused === 'foreign') return authenticationFailed(true, { kind: 'token', fault: { why: 'foreign' }, now })
  const fault = { why: 'expired', expiredAt: token.expiredAt } as const
  return authenticationFailed(true, { kind: 'token', fault, now }, claimedBy(token.bearer))
}

type OnAccount = (accountId: AccountId) => void

const byKey = (
  bearer: CheckedToken,
  keys: KeyLookup,
  now: Instant,
  onAccount: OnAccount | undefined,
): ApiKey | Promise<ApiKey> => {
  const claimed = 'refused' in bearer ? bearer.refused === 'expired' && bearer.bearer : bearer
  if (claimed && claimed.typ === 'client') onAccount?.(claimed.acc)
  if ('refused' in bearer) throw refusedToken(bearer, now)
  if (bearer.typ === 'user') throw permissionDenied()
  const { generation } = bearer
  const accepted = (key: ApiKey | undefined): ApiKey => {
    if (key === undefined || !acceptsGeneration(key, generation, now))
      throw authenticationFailed(true, { kind: 'token', fault: { why: 'ended' }, now }, claimedBy(bearer))
    return key
  }
  const key = keys.get(bearer.sub, now)
  return key instanceof Promise ? key.then(accepted) : accepted(key)
}

export const authenticateKey = (
  authorization: string | undefined,
  tokens: Tokens,
  keys: KeyLookup,
  now: Instant,
  onAccount?: OnAccount,
): ApiKey | Promise<ApiKey> => {
  const bearer = tokens.examine(bearerIn(authorization), now)
  return bearer instanceof Promise
    ? bearer.then((checked) => byKey(checked, keys, now, onAccount))
    : byKey(bearer, keys, now, onAccount)
}
