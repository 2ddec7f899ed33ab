/**
 * `/members/` and `/me/leave/`: the members of an account and their roles, confirming a request, removing a member or declining
 * a request, and leaving.
 */

import {
  changeMember,
  confirmMember,
  leaveAccount,
  listMembers,
  removeMember,
  type Member as Shown,
} from '@sanad/contract/dashboard/people/members'
import type { WriteAudit } from '../../../accounts/audit/audit.ts'
import { type MembershipChange, membershipNotices } from '../../../accounts/members/member-notices.ts'
import * as members from '../../../accounts/members/members.ts'
import type { MemberRole } from '../../../accounts/people/permission.ts'
import { sameWallets, walletsIn } from '../../../accounts/people/wallet-limit.ts'
import type { AccountId, UserId } from '../../../core/ids.ts'
import { type Scope, wholeAccount } from '../../../core/scope.ts'
import { dropWaiting } from '../../../push/push-queue-sql.ts'
import { accepted } from '../refusals.ts'
import { change, type Route, route, type UserCall, userRoute } from '../route.ts'
import { auditedWallets, givenWallets } from './given-wallets.ts'
import { reloadedMe, type SessionDeps } from './me.ts'

export const memberAnswer = (deps: SessionDeps, member: members.Member, you: UserId): Shown => {
  const time = (at: number): string => deps.zone.format(new Date(at))
  return {
    id: member.user_id,
    email: member.email,
    name: member.name,
    role: member.role as MemberRole,
    wallets: walletsIn(member.wallets)?.slice() ?? null,
    counter_only: member.counter_only,
    pin:
      member.pin_set_at === null
        ? null
        : {
            set_at: time(member.pin_set_at),
            paused_until: member.pin_paused_until === null ? null : time(member.pin_paused_until),
            wrong: member.pin_wrong ?? 0,
          },
    since: time(member.created_at),
    second_factor: member.second_factor,
    disabled: member.disabled,
    address_proved: member.proved,
    request_since: member.request_since === null ? null : time(member.request_since),
    last_used_at: member.last_seen_at === null ? null : time(member.last_seen_at),
    you: member.user_id === you,
  }
}

/** A cashier without an address is named. */
const auditValues = (member: { readonly email: string; readonly role: string; readonly name?: string }) =>
  member.email === '' ? { name: member.name ?? '', role: member.role } : { email: member.email, role: member.role }

const roleOf = ({ role }: members.Member): MemberRole => role as MemberRole

/** What owners and the member are told. `by`: who acts. */
const noticesOf = (
  { member, account, otherOwners }: members.ChangedMember,
  accountId: AccountId,
  by: UserId,
  roles: Pick<MembershipChange, 'role' | 'roleBefore'>,
) => {
  const { user_id: userId, email } = member
  return membershipNotices({ userId, email, accountId, account, otherOwners, ownAct: userId === by, ...roles })
}

const auditWithdrawn = (
  audit: WriteAudit,
  accountId: AccountId,
  withdrawn: readonly members.WithdrawnInvitation[],
): void => {
  for (const invitation of withdrawn) {
    const before = auditValues(invitation)
    audit({ action: 'invitation.withdraw', kind: 'invitation', id: invitation.id, before, accountId })
  }
}

/** Removes a member. A member who leaves by themselves keeps the session of this call. */
const remove = async (deps: SessionDeps, call: UserCall, scope: Scope, id: UserId): Promise<void> => {
  const { user, via, now } = call
  const session = via.kind === 'session' ? via.id : null
  await change(deps, call, async (db, audit) => {
    const done = accepted(await members.removeMember(db, scope, id, user.userId, session, now))
    const others = done.member.request_since === null ? 'member.remove' : 'member.decline'
    const action = id === user.userId ? 'member.leave' : others
    const roles = { role: null, roleBefore: done.member.request_since === null ? roleOf(done.member) : null }
    const told = noticesOf(done, scope.accountId, user.userId, roles)
    audit({ action, kind: 'member', id, before: auditValues(done.member), accountId: scope.accountId, ...told })
    auditWithdrawn(audit, scope.accountId, done.withdrawn)
    return done
  })
  deps.sessions.forgetMember(id, scope.accountId)
}

export const memberRoutes = (deps: SessionDeps): Route[] => [
  route(listMembers, async ({ member }) => {
    const all = await members.listMembers(deps.db, member.scope)
    return all.map((listed) => memberAnswer(deps, listed, member.userId))
  }),
  route(changeMember, async (call) => {
    const { member } = call
    const { id } = call.path
    const { role, wallets: sent } = call.body
    const wallets = sent === undefined ? undefined : await givenWallets(deps.db, member.scope, sent)
    const by = { userId: member.userId, proved: await call.proved() }
    const changed = await change(deps, call, async (db, audit) => {
      const done = accepted(await members.changeRights(db, member.scope, id, { role, wallets }, by, call.now))
      const { before, after, withdrawn } = done
      if (before.role !== after.role)
        audit({
          action: 'member.role',
          kind: 'member',
          id,
          before: auditValues(before),
          after: auditValues(after),
          ...noticesOf({ ...done, member: after }, member.scope.accountId, member.userId, {
            role: roleOf(after),
            roleBefore: roleOf(before),
          }),
        })
      const [had, has] = [walletsIn(before.wallets), walletsIn(after.wallets)]
      if (!sameWallets(had, has)) {
        // Sums that wait for the member's devices may be of wallets that were taken away.
        await dropWaiting(db, member.scope, after.user_id)
        audit({
          action: 'member.wallets',
          kind: 'member',
          id,
          before: { email: before.email, wallets: await auditedWallets(db, member.scope, had) },
          after: { email: after.email, wallets: await auditedWallets(db, member.scope, has) },
        })
      }
      auditWithdrawn(audit, member.scope.accountId, withdrawn)
      return done
    })
    deps.sessions.forgetMember(id, member.scope.accountId)
    return memberAnswer(deps, changed.after, member.userId)
  }),
  route(confirmMember, async (call) => {
    const { scope, userId } = call.member
    const { id } = call.path
    const by = { userId, proved: await call.proved() }
    const confirmed = await change(deps, call, async (db, audit) => {
      const done = accepted(await members.confirmRequest(db, scope, id, by))
      const roles = { role: roleOf(done.member), roleBefore: null }
      const told = noticesOf(done, scope.accountId, userId, roles)
      audit({ action: 'member.confirm', kind: 'member', id, after: auditValues(done.member), ...told })
      return done
    })
    deps.sessions.forgetMember(id, scope.accountId)
    return memberAnswer(deps, confirmed.member, userId)
  }),
  route(removeMember, async (call) => {
    await remove(deps, call, call.member.scope, call.path.id)
    // The cached session still has the account that the member left: it is read again.
    if (call.path.id === call.member.userId) await reloadedMe(deps, call)
    return undefined
  }),
  userRoute(leaveAccount, async (call) => {
    const { account } = call.body
    await remove(deps, call, wholeAccount(account as AccountId), call.user.userId)
    return reloadedMe(deps, call)
  }),
]
