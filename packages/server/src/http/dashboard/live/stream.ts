/**
 * `/stream/`: hints of changes, as they happen. A stream lives as long as its session, membership and role; when a
 * role changes, so do the hints that are sent. How many streams there may be, and when each is checked again, is
 * decided in `open-streams.ts`.
 */
import { openStream } from '@sanad/contract/dashboard/stream'
import type { FastifyReply } from 'fastify'
import { mayReadKind } from '../../../accounts/audit/visible-kinds.ts'
import type { LiveHub } from '../../../accounts/live/live-hub.ts'
import { type MemberRole, mayDo } from '../../../accounts/people/permission.ts'
import { Problem, throttled } from '../../answers.ts'
import { lastValues } from '../../query/parameters.ts'
import { authenticateUser, inRequestedAccount, sessionTokenIn } from '../authenticate.ts'
import { type Call, type DashboardContext, type Route, route } from '../route.ts'
import type { OpenStreams } from './open-streams.ts'
import { streamWriter } from './stream-writer.ts'

export type StreamDeps = DashboardContext & { readonly live: LiveHub; readonly streams: OpenStreams }

const endMost_ms = 1_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // A proxy that gathers answers would hold hints back for minutes.
  'x-accel-buffering': 'no',
  // No request follows on this connection: it ends with the stream, so that a draining node does not wait.
  connection: 'close',
}

export const streamRoutes = (deps: StreamDeps): Route[] => [
  route(openStream, async (call) => {
    if (call.request.method === 'HEAD')
      return call.reply
        .headers({ ...headers, 'last-event-id': deps.live.position(call.member.accountId) })
        .code(200)
        .send()
    if (deps.streams.closed) throw draining()
    return stream(deps, call)
  }),
]

const draining = (): Problem =>
  new Problem(503, 'server_error', [{ code: 'draining', detail: 'This node is about to stop.', attr: null }], {
    'retry-after': '1',
  })

/** In the header, which a browser sends after a break; before the first break it can only send it in the query. */
const lastIdIn = ({ request }: Call): string | undefined => {
  const sent = request.headers['last-event-id'] ?? lastValues(request.raw.url ?? '').get('after')
  return typeof sent === 'string' && sent !== '' && sent.length <= 64 ? sent : undefined
}

const stream = (deps: StreamDeps, call: Call): FastifyReply => {
  const { request, reply, member } = call
  const { raw } = reply
  let role: MemberRole = member.role
  const end = (): void => {
    raw.end()
    // A client that does not read would keep it open.
    setTimeout(() => raw.destroy(), endMost_ms).unref()
  }
  /** Past what this node remembers of them. A fault of ours is no answer: then they are looked at again later. */
  const mayStay = async (): Promise<boolean> => {
    try {
      const now = deps.clock.now()
      deps.sessions.forgetSession(sessionTokenIn(request, deps) ?? '')
      if (call.via.kind === 'token' && call.via.id !== null) deps.sessions.forgetTokenSession(call.via.id)
      deps.sessions.forgetMember(member.userId, member.accountId)
      const { user } = await inRequestedAccount(request, deps, await authenticateUser(request, deps, now), now)
      if (user.member?.accountId !== member.accountId || !mayDo(user.member.role, 'overview.read')) return false
      role = user.member.role
      return true
    } catch (fault) {
      return !(fault instanceof Problem)
    }
  }
  const writer = streamWriter(raw, (kind) => mayReadKind(role, kind))
  const leave = deps.streams.enter({
    userId: member.userId,
    accountId: member.accountId,
    look: async () => {
      if (!(await mayStay())) end()
    },
    beat: writer.beat,
    end,
  })
  if (leave === undefined) throw throttled(10)

  reply.headers(headers).hijack()
  raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  const listening = deps.live.listen(member.accountId, lastIdIn(call), writer)
  writer.begin(listening.from)
  if (listening.missed === undefined) writer.reset(listening.from)
  else for (const hint of listening.missed) writer.hint(hint)
  raw.on('close', () => {
    listening.leave()
    writer.stop()
    leave()
  })
  // A client that hangs up while it is written to is no fault.
  raw.on('error', () => {})
  return reply
}
