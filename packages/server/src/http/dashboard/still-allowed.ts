/**
 * Whether a call that lasts may go on: a stream of hints, a file that is being downloaded. Who asked is authenticated again, and must
 * still have the right. At a counter it must still be the same cashier.
 */
import type { Operation } from '@sanad/contract/operation'
import { type Action, memberMay } from '../../accounts/people/permission.ts'
import type { SignedInUser } from '../../accounts/people/signed-in-user.ts'
import type { Instant } from '../../core/clock.ts'
import { Problem } from '../answers.ts'
import { requireNotMoved } from '../moved-account.ts'
import { authenticateUser, inRequestedAccount } from './authenticate.ts'
import { type Call, checkFactor, type DashboardContext } from './route.ts'

/**
 * Undefined: it may not go on. A fault of the service is thrown. What is known of the user may be a second and a half old, as for every
 * call; who must know it of this moment forgets it first.
 */
export const stillAllowed = async (
  deps: DashboardContext,
  { request, member, via }: Call,
  operation: Operation & { readonly access: string },
  now: Instant,
): Promise<NonNullable<SignedInUser['member']> | undefined> => {
  try {
    requireNotMoved(request.server, member.scope.accountId)
    const { user } = await inRequestedAccount(request, deps, await authenticateUser(request, deps, now), now)
    if (user.userId !== member.userId) return undefined
    await checkFactor(deps, { user, via }, operation, now)
    if (user.member?.accountId !== member.scope.accountId) return undefined
    return memberMay(user.member, operation.access as Action) ? user.member : undefined
  } catch (fault) {
    if (fault instanceof Problem) return undefined
    throw fault
  }
}
