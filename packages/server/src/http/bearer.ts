/** The token in an `Authorization` header, read as the dialect reads it. */
import { authenticationFailed, notAuthenticated } from './answers.ts'

/** Throws the answer when there is none, or none that could be a token. */
export const bearerIn = (authorization: string | undefined): string => {
  const [scheme, token, ...more] = authorization?.split(/[ \t]+/).filter((part) => part !== '') ?? []
  if (scheme?.toLowerCase() !== 'bearer') throw notAuthenticated()
  if (token === undefined || more.length > 0) throw authenticationFailed(token !== undefined)
  return token
}
