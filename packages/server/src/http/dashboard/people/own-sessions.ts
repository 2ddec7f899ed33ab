/** `/sessions/`: lists the sessions of a user (browsers and tokens); ends one of them, or all except the caller's. */

import {
  endOtherSessions,
  endSession,
  listSessions,
  type OwnSession,
} from '@sanad/contract/dashboard/people/own-settings'
import { browserOf } from '../../../accounts/sessions/browser.ts'
import { idleLife_ms } from '../../../accounts/sessions/session.ts'
import { endOtherSessionRows, endSessionRow, openSessionsOfUser } from '../../../accounts/sessions/session-sql.ts'
import { refuse } from '../../../core/refusal.ts'
import { sessionCookie, sessionTokenIn } from '../authenticate.ts'
import { change, type Route, userRoute } from '../route.ts'
import type { SessionDeps } from './me.ts'

export const ownSessionRoutes = (deps: SessionDeps): Route[] => [
  userRoute(listSessions, async (call): Promise<OwnSession[]> => {
    const time = (at: number): string => deps.zone.format(new Date(at))
    const rows = await openSessionsOfUser(deps.db, call.user.userId, call.now - idleLife_ms, call.now)
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      ...browserOf(row.agent),
      agent: row.agent,
      address: row.address,
      account: row.account_id,
      created_at: time(row.created_at),
      last_used_at: time(row.last_seen_at),
      expires_at: time(row.expires_at),
      current: row.id === call.via.id,
    }))
  }),
  userRoute(endSession, async (call) => {
    const { id } = call.path
    await change(deps, call, async (db, audit) => {
      const [session] = await endSessionRow(db, call.user.userId, id, call.now)
      if (session === undefined) return refuse('session_unknown')
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
      const ended = await endOtherSessionRows(db, call.user.userId, call.via.id, call.now)
      if (ended.length > 0)
        audit({ action: 'session.end_others', kind: 'user', id: call.user.userId, after: { ended: ended.length } })
      return { ended: ended.length }
    }),
  ),
]
