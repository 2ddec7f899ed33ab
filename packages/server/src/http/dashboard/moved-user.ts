/**
 * Users whose account is used in another cell. A browser is told the address of that cell (403 `account_moved`) and is not forwarded:
 * its cookies, its passkeys and the origin of its pages belong to this host. A script is forwarded, as a merchant's server is. Who also has
 * accounts here works in these; operators do what operators do.
 */

import type { Operation } from '@sanad/contract/operation'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountsOfUser, findSigningIn } from '../../accounts/sessions/session-sql.ts'
import { chooseAccount, type SignedIn, type SigningIn } from '../../accounts/sessions/sign-in.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import { accountMoved, cellOf, MovedAccount } from '../moved-account.ts'
import { type Authenticated, type AuthenticationDeps, requestedAccount } from './authenticate.ts'
import { accepted } from './refusals.ts'

type Deps = Pick<AuthenticationDeps, 'db' | 'sessions'>
type Server = Pick<FastifyInstance, 'frozen'>

const anyMoved = ({ frozen }: Server): boolean => frozen !== undefined && frozen.cells().length > 0

type OwnAccounts = {
  /** The first account of the user that is used here. */
  readonly here: AccountId | undefined
  /** The first one that has moved. */
  readonly moved: { readonly accountId: AccountId; readonly origin: string } | undefined
}

const accountsOf = async (deps: Pick<Deps, 'db'>, server: Server, userId: UserId): Promise<OwnAccounts> => {
  const accounts = await accountsOfUser(deps.db, userId)
  const moved = accounts.flatMap(({ id }) => {
    const origin = cellOf(server, id)
    return origin === undefined ? [] : [{ accountId: id, origin }]
  })
  return { here: accounts.find(({ id }) => cellOf(server, id) === undefined)?.id, moved: moved[0] }
}

/** The account that a user who signed in with a browser acts for: one that is used here. Throws if there is none. */
export const signedInHere = async (
  deps: Deps,
  { server }: FastifyRequest,
  user: Pick<SigningIn, 'id' | 'valid_from'>,
  requested: string | undefined,
  now: Instant,
): Promise<SignedIn> => {
  const signedIn = accepted(await chooseAccount(deps.db, user, requested))
  const { accountId } = signedIn
  const origin = accountId === null ? undefined : cellOf(server, accountId)
  if (accountId === null || origin === undefined) return signedIn
  if (requested === undefined) {
    const { here } = await accountsOf(deps, server, user.id)
    if (here !== undefined) return { ...signedIn, accountId: here }
    if ((await deps.sessions.byToken(user.id, accountId, now))?.operator) return { ...signedIn, accountId: null }
  }
  throw accountMoved(origin)
}

/** Throws `MovedAccount` if a script signs in for an account that has moved: the other cell knows the password of now. */
export const forwardSignIn = async (
  deps: Deps,
  { server }: FastifyRequest,
  { email, account }: { readonly email: string; readonly account?: string | undefined },
): Promise<void> => {
  const origin = await movedOf(deps, server, email, account)
  if (origin !== undefined) throw new MovedAccount(origin.accountId, origin.origin)
}

/** Where the user with this address is, if it is not here: the account that they name, or each of theirs, has moved. */
export const movedOf = async (
  deps: Pick<Deps, 'db'>,
  server: Server,
  email: string,
  account?: string,
): Promise<OwnAccounts['moved']> => {
  if (!anyMoved(server)) return undefined
  const [user] = await findSigningIn(deps.db, email.trim().toLowerCase())
  if (user === undefined) return undefined
  const { here, moved } = await accountsOf(deps, server, user.id)
  if (account === undefined) return here === undefined ? moved : undefined
  const accounts = await accountsOfUser(deps.db, user.id)
  const named = accounts.find(({ id }) => id === account)
  const origin = named && cellOf(server, named.id)
  return named === undefined || origin === undefined ? undefined : { accountId: named.id, origin }
}

/** The same user in an account that is used here, for a call that names none. Throws if the account that the call acts for has moved. */
export const inAccountHere = async (
  request: FastifyRequest,
  deps: Deps,
  authenticated: Authenticated,
  operation: Operation | undefined,
  now: Instant,
): Promise<Authenticated> => {
  const { user, via } = authenticated
  const { server } = request
  const accountId = user.member?.accountId
  const origin = accountId === undefined ? undefined : cellOf(server, accountId)
  if (accountId === undefined || origin === undefined) return authenticated
  const withoutAccount = { ...authenticated, user: { ...user, member: null } }
  if (operation?.id === 'signOut') return withoutAccount
  if (via.kind === 'session' && requestedAccount(request) === undefined) {
    const { here } = await accountsOf(deps, server, user.userId)
    const other = here === undefined ? undefined : await deps.sessions.inAccount(user, here, now)
    if (other !== undefined) return { ...authenticated, user: other }
    if (user.operator) return withoutAccount
  }
  throw accountMoved(origin)
}

/** Throws if every account of the user has moved. */
export const requireUserHere = async (deps: Deps, { server }: FastifyRequest, userId: UserId): Promise<void> => {
  if (!anyMoved(server)) return
  const { here, moved } = await accountsOf(deps, server, userId)
  if (here === undefined && moved !== undefined) throw accountMoved(moved.origin)
}
