/**
 * `/stream/`: sends hints of changes as they happen. A stream lasts as long as the session and the membership; when the
 * role or the wallets of the member change, so do the hints that are sent. `open-streams.ts` limits the number of streams and checks each again.
 */

import { openStream } from '@sanad/contract/dashboard/stream'
import type { FastifyReply } from 'fastify'
import type { LiveHub } from '../../../accounts/live/live-hub.ts'
import type { MemberRights } from '../../../accounts/people/permission.ts'
import { mayReadKind } from '../../../accounts/people/visible-kinds.ts'
import type { Zone } from '../../../core/zone.ts'
import { Problem, throttled } from '../../answers.ts'
import type { Reads } from '../../routes/route.ts'
import { sessionTokenIn } from '../authenticate.ts'
import { type Call, type DashboardContext, type Route, rightsOf, route, scopeOf } from '../route.ts'
import { stillAllowed } from '../still-allowed.ts'
import { hintsOfWallets } from './hints-of-wallets.ts'
import type { OpenStreams } from './open-streams.ts'
import { streamWriter } from './stream-writer.ts'

export type StreamDeps = DashboardContext & { readonly live: LiveHub; readonly streams: OpenStreams }

const endTimeout_ms = 1_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // A proxy that buffers answers would delay hints by minutes.
  'x-accel-buffering': 'no',
  // No request follows on this connection: it ends with the stream, so that a draining node does not wait.
  connection: 'close',
}

export const streamRoutes = (deps: StreamDeps): Route[] => [
  route(openStream, async (call) => {
    if (call.request.method === 'HEAD')
      return call.reply
        .headers({ ...headers, 'last-event-id': deps.live.position(call.member.scope.accountId) })
        .code(200)
        .send()
    if (deps.streams.closed) throw draining()
    return stream(deps, call, await call.zone())
  }),
]

const draining = (): Problem =>
  new Problem(503, 'server_error', [{ code: 'draining', detail: 'This node is about to stop.', attr: null }], {
    'retry-after': '1',
  })

/** The id of the client's last hint. A browser sends the header when it reconnects; its first request can only use the query. */
const lastIdIn = ({ request, query }: StreamCall): string | undefined => {
  const sent = request.headers['last-event-id'] ?? query.after
  return typeof sent === 'string' && sent !== '' && sent.length <= 64 ? sent : undefined
}

type StreamCall = Call & Pick<Reads<typeof openStream>, 'query'>

const stream = (deps: StreamDeps, call: StreamCall, zone: Zone): FastifyReply => {
  const { request, reply, member } = call
  const { raw } = reply
  let rights: MemberRights = rightsOf(member)
  let todayOnly = member.scope.today !== null
  const sameWallets = (wallets: MemberRights['wallets']): boolean =>
    JSON.stringify(wallets) === JSON.stringify(rights.wallets)
  const end = (): void => {
    raw.end()
    // A client that does not read would keep the connection open.
    setTimeout(() => raw.destroy(), endTimeout_ms).unref()
  }
  /** Reads the database, not this node's cache. A fault of the service does not end the stream: the next check decides. */
  const mayStay = async (): Promise<boolean> => {
    try {
      const now = deps.clock.now()
      deps.sessions.forgetSession(sessionTokenIn(request, deps) ?? '')
      if (call.via.kind === 'token' && call.via.id !== null) deps.sessions.forgetTokenSession(call.via.id)
      deps.sessions.forgetUser(member.userId, member.scope.accountId)
      const allowed = await stillAllowed(deps, call, openStream, now)
      if (allowed === undefined) return false
      const { role, wallets } = allowed
      // Other wallets or days: what the client shows is no longer right, and what it may still be sent is not its.
      const changed = !sameWallets(wallets) || todayOnly !== allowed.todayOnly
      todayOnly = allowed.todayOnly
      rights = { role, wallets: changed ? wallets : rights.wallets }
      if (changed) writer.reset(deps.live.position(member.scope.accountId))
      return true
    } catch {
      return true
    }
  }
  const writer = streamWriter(raw, (kind) => mayReadKind(rights, kind))
  const check = async (): Promise<void> => {
    if (!(await mayStay())) end()
  }
  const hints = hintsOfWallets({
    db: deps.db,
    userId: member.userId,
    scope: () => scopeOf({ accountId: member.scope.accountId, ...rights, todayOnly }, zone, deps.clock.now()),
    refresh: check,
    to: writer,
  })
  const removeStream = deps.streams.add({
    userId: member.userId,
    accountId: member.scope.accountId,
    check,
    sendHeartbeat: writer.beat,
    end,
  })
  if (removeStream === undefined) throw throttled(10)

  reply.headers(headers).hijack()
  raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  const listening = deps.live.listen(member.scope.accountId, lastIdIn(call), hints)
  writer.begin(listening.from)
  if (listening.missed === undefined) writer.reset(listening.from)
  else for (const hint of listening.missed) hints.hint(hint)
  raw.on('close', () => {
    listening.leave()
    hints.stop()
    writer.stop()
    removeStream()
  })
  // A client may disconnect during a write: that is no fault.
  raw.on('error', () => {})
  return reply
}
