/**
 * Passes a call on to the cell in which its account is used, and the answer back: the bytes of the body as they were sent, which the
 * caller may have signed, and the answer as it comes, also a stream that stays open. Bounded: how many at once (forward-room.ts), how long
 * (cell-connections.ts), how large (the limit of the route), and how often: an account may have moved on from the cell to which it moved,
 * but cells that point at each other must not forward a call for ever.
 *
 * An address that buyers have (a checkout, a link, a voucher, a logo) can be unknown here because it was made in the other cell after the
 * move, and be asked for here because the page before it was: then the other cells are asked.
 */
import { finished } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { notNow, Problem, tooLarge, unavailable } from '../answers.ts'
import type { Metrics } from '../metrics.ts'
import { MovedAccount, UnknownHere } from '../moved-account.ts'
import { type CellAnswer, CellAway, type CellConnections, cellConnections } from './cell-connections.ts'
import { type ForwardRoom, forwardRoom } from './forward-room.ts'
import type { ForwardStamps } from './forward-stamp.ts'
import { answerHeaders, forwardedHeader, headersFor, pathOf } from './forwarded-headers.ts'

export type Forwarder = {
  /** Answers the call with what the cell answers. Throws a problem if the cell does not. */
  forward(request: FastifyRequest, reply: FastifyReply, to: Target): Promise<FastifyReply>
  /**
   * Asks the other cells for what is unknown here; one that does not know it either answers with the status of `unknown`.
   * Undefined: none knows it, and nothing is answered yet.
   */
  ask(request: FastifyRequest, reply: FastifyReply, unknown: UnknownHere): Promise<FastifyReply | undefined>
  /** Makes the call once more in the other cell, after it was answered here. Nobody waits for what the cell answers. */
  repeat(request: FastifyRequest, to: Target): Promise<void>
  /** Ends the streams that stay open. */
  closeStreams(): void
  close(): Promise<void>
}

export type Target = { readonly accountId: string; readonly origin: string }

export type ForwarderDeps = {
  readonly clock: Clock
  readonly stamps: ForwardStamps
  /** The origin of this cell, as a browser names it. */
  readonly ownOrigin: (request: FastifyRequest) => string
  /** The origins of the cells to which accounts have moved. */
  readonly cells: () => readonly string[]
  readonly metrics: Pick<Metrics, 'forwarded'>
  /** Called when a cell begins or ceases to answer. */
  readonly onChange: (origin: string, answers: boolean, fault?: unknown) => void
  /** Left out: the usual ones. */
  readonly connections?: CellConnections
  readonly room?: ForwardRoom
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined: calls of accounts that have moved are refused. */
    forwarder: Forwarder | undefined
  }
  interface FastifyRequest {
    /** The origin of the cell that answered. */
    forwardedTo: string | undefined
  }
}

/** As many cells are asked for an address that is unknown here. */
const mostAsked = 4

/** As often is a call forwarded: an account may have moved on while its first cell still forwards. */
const mostHops = 4
/** The same for an address that is unknown: each of these cells may ask several. */
const mostHopsAsked = 2

/** Every cell on the way has forwarded the call: the operators of the cells have made a circle. */
const circle = (): Problem =>
  new Problem(508, 'server_error', [
    {
      code: 'unavailable',
      detail: 'This call was forwarded from server to server, and each forwards it as well. Nothing was done.',
      attr: null,
    },
  ])

const empty = Buffer.alloc(0)

/** The bytes of the body. Of a call that is forwarded before its body was received, they are received here. */
const bodyOf = async ({ body, headers, raw, routeOptions }: FastifyRequest): Promise<Buffer> => {
  if (Buffer.isBuffer(body)) return body
  const isSent = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  if (!isSent || raw.readableEnded) return empty
  const most = routeOptions.bodyLimit
  if (Number(headers['content-length'] ?? 0) > most) throw tooLarge()
  const parts: Buffer[] = []
  let size = 0
  // Not by `for await`: leaving that early destroys the socket, and the refusal could not be sent.
  await new Promise<void>((done, failed) => {
    raw.on('data', (part: Buffer) => {
      size += part.length
      if (size > most) failed(tooLarge())
      else parts.push(part)
    })
    finished(raw, { writable: false }, (fault) => (fault ? failed(fault) : done()))
  })
  return Buffer.concat(parts)
}

const isStream = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url?.endsWith('/stream/') === true

export const openForwarder = (deps: ForwarderDeps): Forwarder => {
  const { clock, stamps, metrics, room = forwardRoom(), connections = cellConnections() } = deps
  const streams = new Set<AbortController>()
  const away = new Set<string>()

  const noteAnswers = (origin: string, answers: boolean, fault?: unknown): void => {
    if (away.has(origin) !== answers) return
    if (answers) away.delete(origin)
    else away.add(origin)
    deps.onChange(origin, answers, fault)
  }

  /** How often other cells have forwarded the call. Undefined: it says that one has, and none with our master key has lately. */
  const hopsOf = ({ headers }: FastifyRequest): number | undefined => {
    const sent = headers[forwardedHeader]
    if (sent === undefined) return 0
    return typeof sent === 'string' ? stamps.read(sent, clock.now())?.hops : undefined
  }
  const mayForward = (request: FastifyRequest, most = mostHops): boolean =>
    (hopsOf(request) ?? Number.POSITIVE_INFINITY) < most

  const send = async (request: FastifyRequest, origin: string, body: Buffer, stop: AbortController) => {
    const hops = (hopsOf(request) ?? 0) + 1
    const passing = {
      to: origin,
      ownOrigin: deps.ownOrigin(request),
      address: request.ip,
      requestId: request.id,
      stamp: stamps.make({ address: request.ip, hops }, clock.now()),
    }
    const headers = headersFor(request.raw.rawHeaders, passing)
    const path = pathOf(request.raw.url ?? '/')
    try {
      const answer = await connections.send({
        origin,
        path,
        method: request.method,
        headers,
        body,
        signal: stop.signal,
      })
      noteAnswers(origin, true)
      return answer
    } catch (fault) {
      if (stop.signal.aborted) throw fault
      noteAnswers(origin, false, fault)
      metrics.forwarded('away')
      throw fault instanceof CellAway ? notNow() : unavailable()
    }
  }

  /** The answer as it comes. A client that reads slowly slows down the cell, and is cut off as any client is. */
  const passOn = async (request: FastifyRequest, reply: FastifyReply, origin: string, answer: CellAnswer) => {
    request.forwardedTo = origin
    metrics.forwarded('answered')
    reply.hijack()
    reply.raw.writeHead(answer.status, answerHeaders(answer.headers))
    // The first event of a stream may come much later than its head.
    reply.raw.flushHeaders()
    // A fault cuts the connection, so that nobody takes half an answer for a whole one.
    await pipeline(answer.body, reply.raw).catch(() => {})
    return reply
  }

  /** Receives the body, takes a place for the call, and ends what it has under way when the client leaves. */
  const inRoom = async (
    request: FastifyRequest,
    reply: FastifyReply,
    of: string,
    cell: string | undefined,
    work: (body: Buffer, stop: AbortController) => Promise<FastifyReply | undefined>,
  ): Promise<FastifyReply | undefined> => {
    if (!mayForward(request)) {
      metrics.forwarded('circle')
      throw circle()
    }
    // It waits for the other cell, and keeps nothing busy here: a slow cell must not look like an overload of this one.
    request.server.leaveAdmission?.(request)
    const stop = new AbortController()
    if (isStream(request)) streams.add(stop)
    const onClose = (): void => stop.abort()
    reply.raw.once('close', onClose)
    let leave: (() => void) | undefined
    try {
      // Before it has a place: a client that sends slowly takes nobody's.
      const body = await bodyOf(request)
      leave = room.enter(isStream(request) ? 'streams' : 'calls', of, cell)
      if (leave === undefined) {
        metrics.forwarded('busy')
        throw notNow(1)
      }
      return await work(body, stop)
    } catch (fault) {
      if (!stop.signal.aborted) throw fault
      // The client has left, or this node stops: there is nobody to answer.
      reply.hijack()
      reply.raw.destroy()
      return reply
    } finally {
      reply.raw.off('close', onClose)
      streams.delete(stop)
      leave?.()
    }
  }

  return {
    async forward(request, reply, { accountId, origin }) {
      if (request.context !== undefined) request.context.accountId = accountId
      const answered = await inRoom(request, reply, accountId, origin, async (body, stop) => {
        const answer = await send(request, origin, body, stop)
        return passOn(request, reply, origin, answer)
      })
      return answered!
    },
    async ask(request, reply, { status, onKnown }) {
      // One that does not answer is asked last: it must not keep the others from answering.
      const cells = deps
        .cells()
        .slice(0, mostAsked)
        .sort((one, other) => Number(away.has(one)) - Number(away.has(other)))
      if (cells.length === 0 || !mayForward(request, mostHopsAsked)) return undefined
      return inRoom(request, reply, 'unknown', undefined, async (body, stop) => {
        let fault: unknown
        for (const origin of cells) {
          const answer = await send(request, origin, body, stop).catch((cause: unknown) => {
            if (stop.signal.aborted) throw cause
            fault = cause
          })
          if (answer === undefined) continue
          if (answer.status !== status) {
            onKnown()
            return passOn(request, reply, origin, answer)
          }
          answer.body.on('error', () => {}).resume()
        }
        // A cell that did not answer may know it.
        if (fault !== undefined) throw fault
        metrics.forwarded('unknown')
        return undefined
      })
    },
    async repeat(request, { accountId, origin }) {
      const leave = room.enter('calls', accountId, origin)
      if (leave === undefined || !mayForward(request)) return leave?.()
      try {
        const answer = await send(request, origin, await bodyOf(request), new AbortController())
        answer.body.on('error', () => {}).resume()
        metrics.forwarded('answered')
      } finally {
        leave()
      }
    },
    closeStreams() {
      for (const stop of streams) stop.abort()
    },
    close: () => connections.close(),
  }
}

/**
 * For error handlers: forwards the call of an account that has moved, or of what may be known elsewhere. Returns what is left to be answered here: the same fault, or why the
 * call could not be forwarded. Undefined: it was answered.
 */
export const forwardFault = async (
  fault: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Error | undefined> => {
  const { forwarder } = request.server
  if (forwarder === undefined) return fault
  try {
    if (fault instanceof UnknownHere)
      return (await forwarder.ask(request, reply, fault)) === undefined ? fault : undefined
    if (!(fault instanceof MovedAccount)) return fault
    await forwarder.forward(request, reply, fault)
    return undefined
  } catch (problem) {
    return problem as Error
  }
}
