/**
 * `/stream/`: what changes, as it changes, for whoever looks. A stream lives as long as its session, membership and role
 * do, which the database is asked again every second and a half, past what this node remembers: who was removed hears nothing
 * after two seconds. A role that changes changes what is told. So many a person and an account
 * may have are bounded, and all of them end when the node drains.
 */
import { openStream } from '@sanad/contract/dashboard/stream'
import type { FastifyReply } from 'fastify'
import type { LiveHub } from '../../accounts/live-hub.ts'
import { type MemberRole, mayDo } from '../../accounts/permission.ts'
import { mayReadKind } from '../../accounts/readable-kind.ts'
import { Problem, throttled } from '../answers.ts'
import { type Call, type DashboardDoor, type Route, route } from './route.ts'
import { streamWriter } from './stream-writer.ts'
import { inNamedAccount, personAsks, sessionTokenIn } from './who.ts'

export type StreamRooms = DashboardDoor & { readonly live: LiveHub; readonly streams: OpenStreams }

const mostOfPerson = 10
const mostOfAccount = 200
const mostOfNode = 5_000
const lookEvery_ms = 1_500
const endMost_ms = 1_000
/** In looks: about 20 seconds. */
const beatEvery = 13

export type OpenStreams = {
  /** Undefined: there are too many already. */
  enter(userId: string, accountId: string, end: () => void): (() => void) | undefined
  readonly closed: boolean
  /** Ends all that are open, and lets no more in. */
  close(): void
}

/** The streams of this node. */
export const openStreams = (): OpenStreams => {
  const ends = new Set<() => void>()
  const counts = new Map<string, number>()
  const add = (key: string, by: number): void => {
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }
  let closed = false
  return {
    get closed() {
      return closed
    },
    enter(userId, accountId, end) {
      const [person, account] = [`person ${userId}`, `account ${accountId}`]
      const full =
        ends.size >= mostOfNode ||
        (counts.get(person) ?? 0) >= mostOfPerson ||
        (counts.get(account) ?? 0) >= mostOfAccount
      if (full) return undefined
      ends.add(end)
      add(person, 1)
      add(account, 1)
      return () => {
        if (!ends.delete(end)) return
        add(person, -1)
        add(account, -1)
      }
    },
    close() {
      closed = true
      for (const end of [...ends]) end()
    },
  }
}

export const streamRoutes = (rooms: StreamRooms): Route[] => [
  route(openStream, async (call) => {
    const { request, reply } = call
    reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // A proxy that gathers answers would hold hints back for minutes.
      'x-accel-buffering': 'no',
      // Nothing follows on this connection: when the stream ends, so does it, and a draining node waits for nobody.
      connection: 'close',
    })
    if (request.method === 'HEAD') return reply.code(200).send()
    if (rooms.streams.closed) throw draining()
    return stream(rooms, call)
  }),
]

const draining = (): Problem =>
  new Problem(503, 'server_error', [{ code: 'draining', detail: 'This node is about to stop.', attr: null }], {
    'retry-after': '1',
  })

const lastIdIn = (call: Call): string | undefined => {
  const sent = call.request.headers['last-event-id']
  return typeof sent === 'string' && sent !== '' && sent.length <= 64 ? sent : undefined
}

const stream = (rooms: StreamRooms, call: Call): FastifyReply => {
  const { request, reply, who } = call
  const { raw } = reply
  let role: MemberRole = who.role
  const end = (): void => {
    raw.end()
    // Who does not read would not let it end.
    setTimeout(() => raw.destroy(), endMost_ms).unref()
  }
  const leave = rooms.streams.enter(who.userId, who.accountId, end)
  if (leave === undefined) throw throttled(10)

  reply.hijack()
  raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  const writer = streamWriter(raw, (kind) => mayReadKind(role, kind))
  const listening = rooms.live.listen(who.accountId, lastIdIn(call), writer)
  writer.begin(listening.from)
  if (listening.missed === undefined) writer.reset(listening.from)
  else for (const hint of listening.missed) writer.hint(hint)

  /** Whether whoever opened this may still look. A fault of ours is no answer: then they are asked again later. */
  const mayStay = async (): Promise<boolean> => {
    try {
      const now = rooms.clock.now()
      rooms.sessions.forgetSession(sessionTokenIn(request, rooms) ?? '')
      rooms.sessions.forgetMember(who.userId, who.accountId)
      const { person } = await inNamedAccount(request, rooms, await personAsks(request, rooms, now), now)
      if (person.member?.accountId !== who.accountId || !mayDo(person.member.role, 'overview.read')) return false
      role = person.member.role
      return true
    } catch (fault) {
      return !(fault instanceof Problem)
    }
  }
  let looks = 0
  let looking = false
  const timer = setInterval(async () => {
    if (++looks % beatEvery === 0) writer.beat()
    if (looking) return
    looking = true
    if (!(await mayStay())) end()
    looking = false
  }, lookEvery_ms)
  timer.unref()
  raw.on('close', () => {
    clearInterval(timer)
    listening.leave()
    writer.stop()
    leave()
  })
  // A client that hangs up while it is written to is no fault.
  raw.on('error', () => {})
  return reply
}
