/** `/members/` and `/me/leave/`: who belongs to the account and as what, removing somebody, and leaving. */
import {
  changeMember,
  leaveAccount,
  listMembers,
  removeMember,
  type Member as Shown,
} from '@sanad/contract/dashboard/members'
import type { Note } from '../../accounts/audit.ts'
import * as members from '../../accounts/manage-members.ts'
import type { MemberRole } from '../../accounts/permission.ts'
import type { AccountId, UserId } from '../../ground/ids.ts'
import { isRefusal } from '../../ground/refusal.ts'
import { readRole } from '../body/people-body.ts'
import { readChosenAccount } from '../body/session-body.ts'
import { meAgain, type SessionRooms } from './me.ts'
import { answerTo } from './refusals.ts'
import { bodyOf, change, idIn, type PersonCall, personalRoute, type Route, route } from './route.ts'

const shown = (rooms: SessionRooms, member: members.Member, you: UserId): Shown => {
  const time = (at: number): string => rooms.zone.format(new Date(at))
  return {
    id: member.user_id,
    email: member.email,
    name: member.name,
    role: member.role as MemberRole,
    since: time(member.created_at),
    second_factor: member.second_factor,
    disabled: member.disabled,
    last_used_at: member.last_seen_at === null ? null : time(member.last_seen_at),
    you: member.user_id === you,
  }
}

const asNoted = ({ email, role }: { readonly email: string; readonly role: string }) => ({ email, role })

const noteWithdrawn = (note: Note, accountId: AccountId, withdrawn: readonly members.Withdrawn[]): void => {
  for (const one of withdrawn)
    note({ action: 'invitation.withdraw', kind: 'invitation', id: one.id, before: asNoted(one), accountId })
}

/** Removes somebody; whoever removes themselves goes on in the session they ask by. */
const remove = async (rooms: SessionRooms, call: PersonCall, accountId: AccountId, id: UserId): Promise<void> => {
  const { person, via, now } = call
  const session = via.kind === 'session' ? via.id : null
  const removed = await change(rooms, call, async (db, note) => {
    const done = await members.removeMember(db, accountId, id, person.userId, session, now)
    if (isRefusal(done)) return done
    const action = id === person.userId ? 'member.leave' : 'member.remove'
    note({ action, kind: 'member', id, before: asNoted(done.member), accountId })
    noteWithdrawn(note, accountId, done.withdrawn)
    return done
  })
  if (isRefusal(removed)) throw answerTo(removed)
  rooms.sessions.forgetMember(id, accountId)
}

export const memberRoutes = (rooms: SessionRooms): Route[] => [
  route(listMembers, async ({ who }) => {
    const all = await members.listMembers(rooms.db, who.accountId)
    return all.map((one) => shown(rooms, one, who.userId))
  }),
  route(changeMember, async (call) => {
    const { who, request } = call
    const id = idIn<UserId>(request, 'id')
    const { role } = bodyOf(call, readRole)
    const changed = await change(rooms, call, async (db, note) => {
      const done = await members.changeRole(db, who.accountId, id, role, who.userId)
      if (isRefusal(done)) return done
      const { before, after, withdrawn } = done
      if (before.role !== after.role)
        note({ action: 'member.role', kind: 'member', id, before: asNoted(before), after: asNoted(after) })
      noteWithdrawn(note, who.accountId, withdrawn)
      return done
    })
    if (isRefusal(changed)) throw answerTo(changed)
    rooms.sessions.forgetMember(id, who.accountId)
    return shown(rooms, changed.after, who.userId)
  }),
  route(removeMember, async (call) => {
    await remove(rooms, call, call.who.accountId, idIn<UserId>(call.request, 'id'))
    if (idIn(call.request, 'id') === call.who.userId) await meAgain(rooms, call)
    return undefined
  }),
  personalRoute(leaveAccount, async (call) => {
    const { account } = bodyOf(call, readChosenAccount)
    await remove(rooms, call, account as AccountId, call.person.userId)
    return meAgain(rooms, call)
  }),
]
