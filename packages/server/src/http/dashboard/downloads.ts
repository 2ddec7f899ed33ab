/**
 * Files that are streamed to a browser: the head is sent before anything is read, a batch is read when the client has taken the one
 * before, and after the client disconnects nothing more is read. Who no longer may read it gets no further batch: the file breaks off. An account has a bounded number of downloads at once.
 */
import { Readable } from 'node:stream'
import type { Operation } from '@sanad/contract/operation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sameWallets } from '../../accounts/people/wallet-limit.ts'
import type { AccountId } from '../../core/ids.ts'
import { throttled } from '../answers.ts'
import { attachment } from './attachment.ts'
import type { Call, DashboardContext } from './route.ts'
import { stillAllowed } from './still-allowed.ts'

/** Downloads of one account at once: each holds a batch in memory and, at times, a database connection. */
const mostAtOnce = 4

const types = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const

export type Download = {
  readonly accountId: AccountId
  /** Without its ending. */
  readonly name: string
  /** The names of the wallets that the file is of; null: all. */
  readonly wallets: readonly string[] | null
  readonly type: keyof typeof types
  readonly parts: AsyncGenerator<string, void>
  /** Asked before each part: whether who downloads may still read all of it. */
  readonly mayGoOn: () => Promise<boolean>
}

class NotAllowedAnyMore extends Error {}

async function* whileAllowed(
  parts: AsyncGenerator<string, void>,
  mayGoOn: () => Promise<boolean>,
): AsyncGenerator<string, void> {
  for await (const part of parts) {
    if (!(await mayGoOn())) throw new NotAllowedAnyMore('the right to read this file ended while it was downloaded')
    yield part
  }
}

/** Whether a member still may make the call, and sees what they saw when it began. */
export const goingOn = (deps: DashboardContext, call: Call, operation: Operation) => async (): Promise<boolean> => {
  const { scope, role } = call.member
  const member = await stillAllowed(deps, call, operation, deps.clock.now())
  return (
    member !== undefined &&
    member.role === role &&
    member.todayOnly === (scope.today !== null) &&
    sameWallets(member.wallets, scope.wallets)
  )
}

/** Reads a batch when the one before was taken; stops reading when the stream is closed early. */
export const streamOf = (parts: AsyncGenerator<string, void>): Readable =>
  Readable.from(parts, { objectMode: false, highWaterMark: 64 * 1024 })

export type SendDownload = (request: FastifyRequest, reply: FastifyReply, download: Download) => FastifyReply

export const downloads = (): SendDownload => {
  const running = new Map<AccountId, number>()
  const add = (accountId: AccountId, change: 1 | -1): void => {
    const count = (running.get(accountId) ?? 0) + change
    if (count === 0) running.delete(accountId)
    else running.set(accountId, count)
  }
  return (request, reply, { accountId, name, wallets, type, parts, mayGoOn }) => {
    if ((running.get(accountId) ?? 0) >= mostAtOnce) throw throttled(5)
    reply.header('content-type', types[type]).header('content-disposition', attachment(name, type, wallets))
    if (request.method === 'HEAD') return reply.send()
    const stream = streamOf(whileAllowed(parts, mayGoOn))
    add(accountId, 1)
    stream.once('close', () => add(accountId, -1))
    return reply.send(stream)
  }
}
