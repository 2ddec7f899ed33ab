/** `/sessions/`: where somebody is signed in; ending one of these, or all but the one that asks. */
import { endOtherSessions, endSession, listSessions, type OwnSession } from '@sanad/contract/dashboard/people'
import { browserOf } from '../../accounts/browser.ts'
import { idleLife_ms } from '../../accounts/session.ts'
import { endOthers, endSessionRow, openSessionsOf } from '../../accounts/session-sql.ts'
import type { SessionId } from '../../ground/ids.ts'
import { isRefusal, refuse } from '../../ground/refusal.ts'
import type { SessionRooms } from './me.ts'
import { answerTo } from './refusals.ts'
import { change, idIn, type PersonCall, personalRoute, type Route } from './route.ts'
import { sessionCookie, sessionTokenIn } from './who.ts'

const currentOf = ({ via }: PersonCall): SessionId | null => (via.kind === 'session' ? via.id : null)

export const ownSessionRoutes = (rooms: SessionRooms): Route[] => [
  personalRoute(listSessions, async (call): Promise<OwnSession[]> => {
    const current = currentOf(call)
    const time = (at: number): string => rooms.zone.format(new Date(at))
    const rows = await openSessionsOf(rooms.db, call.person.userId, call.now - idleLife_ms, call.now)
    return rows.map((row) => ({
      id: row.id,
      ...browserOf(row.agent),
      agent: row.agent,
      address: row.address,
      account: row.account_id,
      created_at: time(row.created_at),
      last_used_at: time(row.last_seen_at),
      expires_at: time(row.expires_at),
      current: row.id === current,
    }))
  }),
  personalRoute(endSession, async (call) => {
    const id = idIn<SessionId>(call.request, 'id')
    const ended = await change(rooms, call, async (db, note) => {
      const [one] = await endSessionRow(db, call.person.userId, id, call.now)
      if (one === undefined) return refuse('session_unknown')
      note({ action: 'session.end', kind: 'session', id: one.id })
      return one
    })
    if (isRefusal(ended)) throw answerTo(ended)
    if (id === currentOf(call)) {
      rooms.sessions.forgetSession(sessionTokenIn(call.request, rooms) ?? '')
      call.reply.clearCookie(sessionCookie(rooms), { path: '/', secure: rooms.secure })
    }
    return undefined
  }),
  personalRoute(endOtherSessions, async (call) =>
    change(rooms, call, async (db, note) => {
      const ended = await endOthers(db, call.person.userId, currentOf(call), call.now)
      if (ended.length > 0)
        note({ action: 'session.end_others', kind: 'user', id: call.person.userId, after: { ended: ended.length } })
      return { ended: ended.length }
    }),
  ),
]
