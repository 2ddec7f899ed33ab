/**
 * Changes the members of an account and their roles. An account always has an owner who can sign in: every change of members
 * locks the account, so that one owner stays if two remove each other. An owner with a proved address stays as well, if there
 * is one: another owner could lose the account to whoever owns their address. Under that lock the right of the acting member is
 * checked again, because the request was authenticated with data that may be a second old. If a member is removed or is no
 * longer an owner, the open invitations that they sent are deleted: they could use one to come back.
 */

import type { Instant } from '../../core/clock.ts'
import type { LinkId, SessionId, UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { takePinAway } from '../counters/account-counters.ts'
import { endCountersMadeBy } from '../counters/counter-sql.ts'
import { deleteInvitationsBy } from '../people/link-sql.ts'
import {
  confirmRequestRow,
  countOtherOwners,
  deleteMember,
  findMember,
  membersOfAccount,
  setRights,
} from '../people/member-sql.ts'
import { isHigher, type MemberRole, mayDo } from '../people/permission.ts'
import { type GivenWallets, hasMoreWallets, sameWallets, walletsIn } from '../people/wallet-limit.ts'
import { endRequestsOfMember } from '../requests/end-requests.ts'
import { deletePasskeysOfLeft } from '../sessions/passkey-sql.ts'
import { accountsOfUser, actForAccount, actForWhereNone, endSessionsForAccount } from '../sessions/session-sql.ts'
import { lockAccount } from '../tenants/lock-account-sql.ts'

export type Member = RowOf<(typeof membersOfAccount)['columns']>
export type WithdrawnInvitation = { readonly id: LinkId; readonly email: string; readonly role: string }

export const listMembers = (db: Session, scope: Scope): Promise<Member[]> => membersOfAccount(db, scope)

/** A member with the right to change members, now. */
export const mayManageMembers = (member: Member): boolean =>
  !member.disabled && member.request_since === null && mayDo(member.role as MemberRole, 'members.write')

type Locked = { readonly member: Member; readonly account: string }

/** `account`: its name. `otherOwners`: whether it has owners beside this member. For the notices of the change. */
export type ChangedMember = { readonly member: Member; readonly account: string; readonly otherOwners: boolean }
type MemberRefusal = Refusal<'member_unknown' | 'no_longer_allowed' | 'last_owner' | 'last_proved_owner'>

/** The member who acts. `proved`: they have just proved that it is them, which giving more power needs (docs/decisions/0084). */
export type ActingMember = { readonly userId: UserId; readonly proved: boolean }

/** The member, with the account locked, after checking that the acting member still has the right. */
const lockMember = async (
  tx: Tx,
  scope: Scope,
  id: string,
  by: UserId,
): Promise<Locked | Refusal<'member_unknown' | 'no_longer_allowed'>> => {
  const [account] = await lockAccount(tx, scope)
  const [acting] = await findMember(tx, scope, by)
  const mayWrite = acting !== undefined && mayManageMembers(acting)
  // Every member may leave.
  if (id !== by && !mayWrite) return refuse('no_longer_allowed')
  const [member] = await findMember(tx, scope, id)
  return member === undefined ? refuse('member_unknown') : { member, account: account!.name }
}

/** Undefined: the account can go on without this member as an owner. */
const neededOwner = async (
  tx: Tx,
  scope: Scope,
  member: Member,
): Promise<Refusal<'last_owner' | 'last_proved_owner'> | undefined> => {
  if (member.role !== 'owner' || member.request_since !== null) return undefined
  const [others] = await countOtherOwners(tx, scope, member.user_id)
  if (others!.owners === 0) return refuse('last_owner')
  return member.proved && !member.disabled && others!.proved === 0 ? refuse('last_proved_owner') : undefined
}

/** What is left out stays as it is. `wallets` null: all. */
export type RightsChange = { readonly role?: MemberRole | undefined; readonly wallets?: GivenWallets | undefined }

/**
 * Changes the role of a member, the wallets that they were given, or both. An owner has all wallets: who becomes one loses the
 * limit, and a limit for an owner is refused.
 */
export const changeRights = async (
  tx: Tx,
  scope: Scope,
  id: string,
  change: RightsChange,
  by: ActingMember,
  now: Instant,
): Promise<
  | (Omit<ChangedMember, 'member'> & {
      readonly before: Member
      readonly after: Member
      readonly withdrawn: readonly WithdrawnInvitation[]
    })
  | MemberRefusal
  | Refusal<'confirmation_required' | 'owner_sees_all' | 'cashier_role_fixed'>
> => {
  const locked = await lockMember(tx, scope, id, by.userId)
  if ('refused' in locked) return locked
  const { member, account } = locked
  const { role = member.role as MemberRole } = change
  if (member.counter_only && member.role !== role) return refuse('cashier_role_fixed')
  if (role === 'owner' && change.wallets !== undefined && change.wallets !== null) return refuse('owner_sees_all')
  const [others] = await countOtherOwners(tx, scope, member.user_id)
  const about = { account, otherOwners: others!.owners > 0 }
  const had = walletsIn(member.wallets)
  const wallets = role === 'owner' ? null : change.wallets === undefined ? had : change.wallets
  if (member.role === role && sameWallets(had, wallets))
    return { before: member, after: member, withdrawn: [], ...about }
  const gainsPower = isHigher(role, member.role as MemberRole) || hasMoreWallets(had, wallets)
  if (gainsPower && !by.proved) return refuse('confirmation_required')
  const needed = role === member.role ? undefined : await neededOwner(tx, scope, member)
  if (needed !== undefined) return needed
  if (member.role === 'owner') await endCountersMadeBy(tx, scope, member.user_id, now)
  if (!mayDo(role, 'sales.write')) await takePinAway(tx, scope, member.user_id)
  await setRights(tx, scope, member.user_id, role, wallets)
  await endRequestsOfMember(tx, scope, member.user_id, mayDo(role, 'requests.ask') ? wallets : 'nothing', now)
  const withdrawn = mayDo(role, 'members.write') ? [] : await deleteInvitationsBy(tx, scope, member.user_id)
  const [after] = await findMember(tx, scope, member.user_id)
  return { before: member, after: after!, withdrawn, ...about }
}

/** Confirms the membership of a user who proved their address later than they joined. `by`: null for the operator's command. */
export const confirmRequest = async (
  tx: Tx,
  scope: Scope,
  id: string,
  by: ActingMember | null,
): Promise<
  ChangedMember | Refusal<'member_unknown' | 'no_longer_allowed' | 'not_a_request' | 'confirmation_required'>
> => {
  if (by !== null) {
    const locked = await lockMember(tx, scope, id, by.userId)
    if ('refused' in locked) return locked
    // Every member may leave, and so passes the check above; nobody confirms their own request.
    if (id === by.userId) return refuse('not_a_request')
    const { member } = locked
    if (member.role === 'owner' && member.request_since !== null && !by.proved) return refuse('confirmation_required')
  }
  const [account] = await lockAccount(tx, scope)
  const [others] = await countOtherOwners(tx, scope, id as UserId)
  const [member] = await findMember(tx, scope, id)
  if (member === undefined) return refuse('member_unknown')
  const confirmed = await confirmRequestRow(tx, scope, member.user_id)
  if (confirmed.length === 0) return refuse('not_a_request')
  // Who waits with a page open needs no new sign-in.
  await actForWhereNone(tx, member.user_id, wholeAccount(scope.accountId))
  return {
    member: { ...member, request_since: null },
    account: account!.name,
    otherOwners: others!.owners > 0,
  }
}

/** `ownSession`: if members remove themselves, this session then acts for another of their accounts, or for none. */
export const removeMember = async (
  tx: Tx,
  scope: Scope,
  id: string,
  by: UserId,
  ownSession: SessionId | null,
  now: Instant,
): Promise<(ChangedMember & { readonly withdrawn: readonly WithdrawnInvitation[] }) | MemberRefusal> => {
  const locked = await lockMember(tx, scope, id, by)
  if ('refused' in locked) return locked
  const { member, account } = locked
  const needed = await neededOwner(tx, scope, member)
  if (needed !== undefined) return needed
  const [others] = await countOtherOwners(tx, scope, member.user_id)
  // Counters before PINs: the order in which a try at a counter locks them.
  await endCountersMadeBy(tx, scope, member.user_id, now)
  await takePinAway(tx, scope, member.user_id)
  await endRequestsOfMember(tx, scope, member.user_id, 'nothing', now)
  await deleteMember(tx, scope, member.user_id)
  const own = member.user_id === by ? ownSession : null
  await endSessionsForAccount(tx, scope, member.user_id, own, now)
  await deletePasskeysOfLeft(tx, member.user_id)
  if (own !== null) {
    const [next] = await accountsOfUser(tx, member.user_id)
    await actForAccount(tx, own, next?.id ?? null)
  }
  const withdrawn = await deleteInvitationsBy(tx, scope, member.user_id)
  return { member, account, otherOwners: others!.owners > 0, withdrawn }
}
