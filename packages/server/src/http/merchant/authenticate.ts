/**
 * Authenticates an API key. A bearer token is checked without the database (accounts/sessions/token.ts); its key is
 * looked up in a cache that is at most 1.5 seconds old. Returns no promise where possible, because it runs before every
 * call.
 */
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import { acceptsGeneration } from '../../accounts/keys/api-key.ts'
import type { KeyLookup } from '../../accounts/keys/key-lookup.ts'
import type { Bearer, Tokens } from '../../accounts/sessions/token.ts'
import type { Instant } from '../../core/clock.ts'
import { authenticationFailed, permissionDenied } from '../answers.ts'
import { bearerIn } from '../bearer.ts'

const byKey = (bearer: Bearer | undefined, keys: KeyLookup, now: Instant): ApiKey | Promise<ApiKey> => {
  if (bearer === undefined) throw authenticationFailed(true)
  if (bearer.typ === 'user') throw permissionDenied()
  const { generation } = bearer
  const accepted = (key: ApiKey | undefined): ApiKey => {
    if (key === undefined || !acceptsGeneration(key, generation, now)) throw authenticationFailed(true)
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
): ApiKey | Promise<ApiKey> => {
  const bearer = tokens.check(bearerIn(authorization), now)
  return bearer instanceof Promise ? bearer.then((checked) => byKey(checked, keys, now)) : byKey(bearer, keys, now)
}
