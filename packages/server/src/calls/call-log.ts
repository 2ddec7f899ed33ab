/**
 * Keeps the calls of accounts for their developers, without slowing requests down: a call is put into a list in memory after it
 * was answered, and the list is written with one statement about a second later, outside every request and its transaction. Of each
 * account so many are kept, failed calls apart from the others, so that neither pushes the other out; the next one that is kept
 * says how many were left out. A killed node loses the calls of its last second: nothing is decided by them.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../core/clock.ts'
import { type AccountId, timeOrderedId } from '../core/ids.ts'
import type { Db } from '../postgres/connection/database.ts'
import {
  type Allowance,
  type AllowanceState,
  type ApiCall,
  type ApiCallId,
  hasFailed,
  keptAnswer,
  keptBody,
  keptPath,
  takeOne,
} from './api-call.ts'
import { insertCalls } from './api-calls-sql.ts'

/** A thousand at once, then ten a minute: a week of a busy account is about a hundred thousand rows of each kind and node. */
const usualAllowance: Allowance = { most: 1_000, refill_ms: 6_000 }

/** How long calls are kept. */
export const callLife_ms = 7 * 86_400_000

const batch_ms = 1_000
const mostWaiting = 5_000
const mostAccounts = 10_000

export type AnsweredCall = Omit<ApiCall, 'id' | 'skipped' | 'path' | 'requestBody' | 'errorBody'> & {
  /** As it was sent. */
  readonly url: string
  /** Read only if the call is kept. */
  readonly requestBody: () => string
  readonly errorBody: () => string
}

export type CallLog = {
  add(call: AnsweredCall): void
  /** Writes what waits. */
  flush(): Promise<void>
  /** Stops the timer and writes what waits. */
  close(): Promise<void>
}

type Kept = { ok: AllowanceState | undefined; failed: AllowanceState | undefined; skipped: number }

export const callLog = (db: Db, onFault: (fault: unknown) => void, allowance: Allowance = usualAllowance): CallLog => {
  const accounts = new LRUCache<AccountId, Kept>({ max: mostAccounts })
  let waiting: ApiCall[] = []
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const calls = waiting
    waiting = []
    await insertCalls(db, calls).catch(onFault)
  }

  const isKept = (kept: Kept, failed: boolean, now: Instant): boolean => {
    if (waiting.length >= mostWaiting || closed) return false
    const kind = failed ? 'failed' : 'ok'
    const taken = takeOne(allowance, kept[kind], now)
    if (taken === undefined) return false
    kept[kind] = taken
    return true
  }

  return {
    add(answered) {
      const { accountId, at, status } = answered
      let kept = accounts.get(accountId)
      if (kept === undefined) {
        kept = { ok: undefined, failed: undefined, skipped: 0 }
        accounts.set(accountId, kept)
      }
      const failed = hasFailed(status)
      if (!isKept(kept, failed, at)) {
        kept.skipped++
        return
      }
      const { url, requestBody, errorBody, ...call } = answered
      waiting.push({
        ...call,
        id: timeOrderedId<ApiCallId>(at),
        path: keptPath(url),
        requestBody: failed ? keptBody(requestBody()) : '',
        errorBody: failed ? keptAnswer(errorBody()) : '',
        skipped: kept.skipped,
      })
      kept.skipped = 0
      if (timer !== undefined) return
      timer = setTimeout(() => void flush(), batch_ms)
      timer.unref()
    },
    flush,
    close() {
      closed = true
      return flush()
    },
  }
}
