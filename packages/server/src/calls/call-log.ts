/**
 * Logs the API calls of accounts for their developers, without slowing requests down: an answered call is added to a list in
 * memory, and the list is written with one statement about a second later, outside every request and its transaction. Each
 * account has one allowance for failed calls and one for the others, so that neither crowds out the other, and a small third
 * one for calls that only name a key of the account: anybody can send those. A stored call tells how many were skipped
 * before it. A killed node loses the calls of its last second; nothing depends on them.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../core/clock.ts'
import { minute_ms } from '../core/duration.ts'
import { type AccountId, timeOrderedId } from '../core/ids.ts'
import { outsideCalls } from '../core/tracing/call-context.ts'
import type { Db } from '../postgres/connection/database.ts'
import {
  type Allowance,
  type AllowanceState,
  type ApiCall,
  type ApiCallId,
  hasFailed,
  loggedAnswer,
  loggedBody,
  loggedPath,
  takeOne,
  withoutSecrets,
} from './api-call.ts'
import { insertApiCalls } from './api-calls-sql.ts'

/** A thousand at once, then ten a minute: at most about a hundred thousand rows a week for each account, kind and node. */
const usualAllowance: Allowance = { most: 1_000, refill_ms: 6_000 }

/** Calls that did not prove their key: fifty at once, then one a minute. */
const usualUnproved: Allowance = { most: 50, refill_ms: minute_ms }

const batch_ms = 1_000
const mostWaiting = 5_000
const mostAccounts = 10_000

export type AnsweredCall = Omit<ApiCall, 'id' | 'skipped' | 'path' | 'requestBody' | 'errorBody'> & {
  /** The URL as it was requested; it may contain a secret. */
  readonly url: string
  /** Called only if the call is logged. */
  readonly requestBody: () => string
  readonly errorBody: () => string
  /** The caller named the key, or had it once, and was refused. */
  readonly unproved: boolean
}

export type CallLog = {
  add(call: AnsweredCall): void
  /** Writes the waiting calls. */
  flush(): Promise<void>
  /** Stops the timer and writes the waiting calls. */
  close(): Promise<void>
}

type Kind = 'ok' | 'failed' | 'unproved'
type AccountState = { [kind in Kind]: AllowanceState | undefined } & { skipped: number; skippedUnproved: number }

export const callLog = (
  db: Db,
  onFault: (fault: unknown) => void,
  allowance: Allowance = usualAllowance,
  unprovedAllowance: Allowance = usualUnproved,
): CallLog => {
  const accounts = new LRUCache<AccountId, AccountState>({ max: mostAccounts })
  let waiting: ApiCall[] = []
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const calls = waiting
    waiting = []
    await insertApiCalls(db, calls).catch(onFault)
  }

  /** The timer is set during a request, and what it writes belongs to none. */
  const flushWaiting = outsideCalls(() => void flush())

  /** Takes one call from the allowance of the account; false: the call is skipped. */
  const takeAllowance = (state: AccountState, kind: Kind, now: Instant): boolean => {
    // Half of the list is left to calls that have proved their key.
    if (waiting.length >= (kind === 'unproved' ? mostWaiting / 2 : mostWaiting) || closed) return false
    const next = takeOne(kind === 'unproved' ? unprovedAllowance : allowance, state[kind], now)
    if (next === undefined) return false
    state[kind] = next
    return true
  }

  return {
    add(answered) {
      const { accountId, at, status, unproved } = answered
      let state = accounts.get(accountId)
      if (state === undefined) {
        state = { ok: undefined, failed: undefined, unproved: undefined, skipped: 0, skippedUnproved: 0 }
        accounts.set(accountId, state)
      }
      const failed = hasFailed(status)
      // What strangers send does not count among the skipped calls of the account.
      const counter = unproved ? 'skippedUnproved' : 'skipped'
      if (!takeAllowance(state, unproved ? 'unproved' : failed ? 'failed' : 'ok', at)) {
        state[counter]++
        return
      }
      const { url, requestBody, errorBody, unproved: _, ...call } = answered
      waiting.push({
        ...call,
        id: timeOrderedId<ApiCallId>(at),
        path: loggedPath(url),
        requestBody: failed ? loggedBody(requestBody()) : '',
        errorBody: failed ? loggedAnswer(errorBody()) : '',
        hint: withoutSecrets(call.hint),
        ignored: withoutSecrets(call.ignored),
        skipped: state[counter],
      })
      state[counter] = 0
      if (timer !== undefined) return
      timer = setTimeout(flushWaiting, batch_ms)
      timer.unref()
    },
    flush,
    close() {
      closed = true
      return flush()
    },
  }
}
