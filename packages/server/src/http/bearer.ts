/** The token in an `Authorization` header, read by the rules of the dialect. */
import { authenticationFailed, notAuthenticated } from './answers.ts'

/** Throws a 401 if the header has no token, or a malformed one. */
export const bearerIn = (authorization: string | undefined): string => {
  const [scheme, token, ...more] = authorization?.split(/[ \t]+/).filter((part) => part !== '') ?? []
  if (scheme?.toLowerCase() !== 'bearer') throw notAuthenticated()
  if (token === undefined || more.length > 0) throw authenticationFailed(token !== undefined)
  return token
}
