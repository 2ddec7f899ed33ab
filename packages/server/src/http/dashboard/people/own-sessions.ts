/**
 * `/sessions/`: lists the sessions of a user (browsers and tokens); ends one of them, or all except the caller's. Owners see and end the
 * counters of their account here too.
 */

import {
  endOtherSessions,
  endSession,
  listSessions,
  type OwnSession,
} from '@sanad/contract/dashboard/people/own-settings'
import { endCounter, listCounters } from '../../../accounts/counters/account-counters.ts'
import { mayDo } from '../../../accounts/people/permission.ts'
import { sessionIn } from '../../../accounts/people/signed-in-user.ts'
import { browserOf } from '../../../accounts/sessions/browser.ts'
import { idleLife_ms } from '../../../accounts/sessions/session.ts'
import { endOtherSessionRows, endSessionRow, openSessionsOfUser } from '../../../accounts/sessions/session-sql.ts'
import { isRefusal, refuse } from '../../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../../core/scope.ts'
import { sessionCookie, sessionTokenIn } from '../authenticate.ts'
import { change, type Route, type UserCall, userRoute } from '../route.ts'
import type { SessionDeps } from './me.ts'

/** The account whose counters the user may manage; undefined: none. */
const managed = ({ user }: UserCall, right: 'members.read' | 'members.write'): Scope | undefined =>
  user.member !== null && mayDo(user.member.role, right) ? wholeAccount(user.member.accountId) : undefined

const counterSessions = async (deps: SessionDeps, call: UserCall): Promise<OwnSession[]> => {
  const time = (at: number): string => deps.zone.format(new Date(at))
  const scope = managed(call, 'members.read')
  if (scope === undefined) return []
  return (await listCounters(deps.db, scope, call.now)).map((row) => ({
    id: row.id,
    kind: 'counter' as const,
    name: row.name,
    ...browserOf(row.agent),
    agent: row.agent,
    address: row.address,
    account: scope.accountId,
    created_at: time(row.created_at),
    last_used_at: time(row.last_seen_at),
    expires_at: null,
    current: false,
  }))
}

export const ownSessionRoutes = (deps: SessionDeps): Route[] => [
  userRoute(listSessions, async (call): Promise<OwnSession[]> => {
    const time = (at: number): string => deps.zone.format(new Date(at))
    const rows = await openSessionsOfUser(deps.db, call.user.userId, call.now - idleLife_ms, call.now)
    const own = rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      name: '',
      ...browserOf(row.agent),
      agent: row.agent,
      address: row.address,
      account: row.account_id,
      created_at: time(row.created_at),
      last_used_at: time(row.last_seen_at),
      expires_at: time(row.expires_at),
      current: row.id === call.via.id,
    }))
    return [...own, ...(await counterSessions(deps, call))]
  }),
  userRoute(endSession, async (call) => {
    const { id } = call.path
    await change(deps, call, async (db, audit) => {
      const [session] = await endSessionRow(db, call.user.userId, id, call.now)
      if (session === undefined) {
        const scope = managed(call, 'members.write')
        const counter = scope === undefined ? refuse('counter_unknown') : await endCounter(db, scope, id, call.now)
        if (isRefusal(counter)) return refuse('session_unknown')
        audit({ action: 'counter.end', kind: 'counter', id: counter.id, before: { name: counter.name } })
        return counter
      }
      audit({ action: 'session.end', kind: 'session', id: session.id })
      return session
    })
    if (id === call.via.id && call.via.kind === 'token') deps.sessions.forgetTokenSession(id)
    else if (id === call.via.id) {
      deps.sessions.forgetSession(sessionTokenIn(call.request, deps) ?? '')
      call.reply.clearCookie(sessionCookie(deps), { path: '/', secure: deps.secure })
    }
    return undefined
  }),
  userRoute(endOtherSessions, async (call) =>
    change(deps, call, async (db, audit) => {
      const ended = await endOtherSessionRows(db, call.user.userId, sessionIn(call.via), call.now)
      if (ended.length > 0)
        audit({ action: 'session.end_others', kind: 'user', id: call.user.userId, after: { ended: ended.length } })
      return { ended: ended.length }
    }),
  ),
]
