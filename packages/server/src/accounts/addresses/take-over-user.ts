/**
 * A new password by a link, for a user whose address was not proved: whoever had the user before may not own the address. The
 * link proves the address. Everything that was set up before ends: second factor, passkeys, recovery codes, sessions, tokens, other links,
 * sent invitations, what was asked of owners, the rights of an operator. The memberships were given to whoever had the user before: each becomes a request,
 * which an owner of the account confirms or declines. The caller opens the transaction.
 */
import type { Instant } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { endApprovalsBy } from '../approvals/approval-sql.ts'
import type { WriteAudit } from '../audit/audit.ts'
import { deleteInvitationsBy } from '../people/link-sql.ts'
import { makeRequests, membershipsOfUser } from '../people/member-sql.ts'
import { deletePasskeysOf } from '../sessions/passkey-sql.ts'
import { lockAccount } from '../tenants/lock-account-sql.ts'
import { isAddressProved, takeOverUserRow } from './address-sql.ts'

/** Undefined: the address is proved already, or the user is disabled; nothing was changed. */
export const takeOverUser = async (
  tx: Session,
  audit: WriteAudit,
  userId: UserId,
  passwordHash: string,
  now: Instant,
): Promise<{ readonly email: string } | undefined> => {
  const [address] = await isAddressProved(tx, userId)
  if (address === undefined || address.proved) return undefined
  // Accounts before users, and in their order, as whoever disables a user does.
  for (const { account_id } of await membershipsOfUser(tx, userId)) await lockAccount(tx, wholeAccount(account_id))
  const [taken] = await takeOverUserRow(tx, userId, now, passwordHash)
  if (taken === undefined) return undefined
  const { email } = taken
  await deletePasskeysOf(tx, userId)
  for (const { account_id: accountId, role } of await makeRequests(tx, userId, now)) {
    const notice = { kind: 'member_request', facts: { name: email } } as const
    const change = { action: 'member.request', kind: 'member', id: userId, after: { email, role } } as const
    // The owners may be strangers to the owner of the address: they do not learn from where the link was opened.
    audit({ ...change, accountId, notice, hidesClient: true })
    await endApprovalsBy(tx, wholeAccount(accountId), userId, now)
    for (const { id, ...before } of await deleteInvitationsBy(tx, wholeAccount(accountId), userId))
      audit({ action: 'invitation.withdraw', kind: 'invitation', id, before, accountId, hidesClient: true })
  }
  return { email }
}
