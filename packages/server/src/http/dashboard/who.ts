/**
 * Who is asking: a person, by a token of their own. The token is checked without the database (accounts/token.ts), that
 * they still belong to the account by a look-up that is never older than a second and a half.
 */
import type { Member, MemberLookup } from '../../accounts/member-lookup.ts'
import type { Bearer, Tokens } from '../../accounts/token.ts'
import type { Instant } from '../../ground/clock.ts'
import { authenticationFailed, notAuthenticated, permissionDenied } from '../answers.ts'

export const personAsks = async (
  authorization: string | undefined,
  tokens: Tokens,
  members: MemberLookup,
  now: Instant,
): Promise<Member> => {
  const [scheme, token, ...more] = authorization?.split(/[ \t]+/).filter((part) => part !== '') ?? []
  if (scheme?.toLowerCase() !== 'bearer') throw notAuthenticated()
  if (token === undefined || more.length > 0) throw authenticationFailed(token !== undefined)
  const bearer: Bearer | undefined = await tokens.check(token, now)
  if (bearer === undefined) throw authenticationFailed(true)
  // A merchant's server has an API of its own.
  if (bearer.typ !== 'user') throw permissionDenied()
  const member = await members(bearer.acc, bearer.sub, now)
  if (member === undefined) throw authenticationFailed(true)
  return member
}
