/**
 * Limits counted by the parent of this machine's processes (processes/run-machine.ts): exact for all of them together, without Redis.
 *
 * One batch is under way at a time, and a busy process sends no more than one in a millisecond: what comes meanwhile is the next batch.
 * A message costs as much processor time as a call. A process that is not busy sends at once. `now` of each call is the time of the process
 * that was called; the windows hold whatever the order of the times is (sliding-window.ts).
 *
 * Every call gets a verdict. If the parent does not answer a batch within the timeout, its calls are refused for a second, and so is
 * every call until the answer comes. A refused call may be counted: counts may be too high, never too low. No more than `most` calls
 * wait; those above are refused. When the parent ends, its processes end.
 */

import { ALLOWED, type Limits, type Rule, refusedFor, type Verdict } from './rule.ts'

/** A take or a giving back: the index of the bucket, the key, the time, 1 for a take. All calls in one flat list: it is read fastest. */
export type LimitBatch = {
  /** Buckets that were not in a batch of this process before, in the order of their indexes. */
  readonly buckets: readonly (readonly [bucket: string, rule: Rule])[]
  readonly calls: readonly (number | string)[]
}

/** For each take of a batch: 0 if it is allowed, else the milliseconds until a call is. */
export type LimitAnswer = readonly number[]

export type ParentLimitsOptions = {
  readonly send: (batch: LimitBatch) => void
  readonly timeout_ms?: number
  readonly most?: number
}

export type ParentLimits = Limits & {
  /** The answer to the batch that is under way. */
  answered(waits: LimitAnswer): void
}

const defaultTimeout_ms = 2_000
const defaultMost = 10_000
/** Between the batches of a busy process. */
const pause_ms = 1
const refused: Verdict = refusedFor(1_000)

type Settle = (verdict: Verdict) => void

export const parentLimits = ({
  send,
  timeout_ms = defaultTimeout_ms,
  most = defaultMost,
}: ParentLimitsOptions): ParentLimits => {
  const indexes = new Map<string, { readonly index: number; readonly rule: Rule }>()
  let buckets: LimitBatch['buckets'][number][] = []
  let calls: (number | string)[] = []
  let waiting: Settle[] = []
  let underWay: Settle[] | undefined
  let planned = false
  let isLate = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let sentAt = Number.NEGATIVE_INFINITY

  const refuseAll = (settles: readonly Settle[]): void => {
    for (const settle of settles) settle(refused)
  }
  const giveUp = (): void => {
    // An answer may have come while this process was busy: it is read first.
    setImmediate(() => {
      if (underWay === undefined) return
      isLate = true
      refuseAll(underWay)
      refuseAll(waiting)
      underWay = []
      dropTakes()
    })
  }
  /** Calls that were refused without being sent are not counted. What is given back is still sent. */
  const dropTakes = (): void => {
    const kept: (number | string)[] = []
    for (let i = 0; i < calls.length; i += 4) if (calls[i + 3] === 0) kept.push(...calls.slice(i, i + 4))
    calls = kept
    waiting = []
  }
  const flush = (): void => {
    planned = false
    if (closed || underWay !== undefined || calls.length === 0) return
    const batch = { buckets, calls }
    underWay = waiting
    buckets = []
    calls = []
    waiting = []
    timer = setTimeout(giveUp, timeout_ms)
    timer.unref()
    sentAt = performance.now()
    send(batch)
  }
  const plan = (): void => {
    if (planned || underWay !== undefined) return
    planned = true
    if (performance.now() - sentAt < pause_ms) setTimeout(flush, pause_ms)
    // After the other requests that have arrived by now: they go into the same batch.
    else setImmediate(flush)
  }
  const add = (bucket: string, key: string, rule: Rule, now: number, takes: 0 | 1): void => {
    let known = indexes.get(bucket)
    if (known === undefined) {
      known = { index: indexes.size, rule }
      indexes.set(bucket, known)
      buckets.push([bucket, rule])
    }
    calls.push(known.index, key, now, takes)
    plan()
  }

  return {
    take(bucket, key, rule, now) {
      if (closed || isLate || waiting.length >= most) return refused
      add(bucket, key, rule, now, 1)
      return new Promise((settle) => waiting.push(settle))
    },
    giveBack(bucket, key, rule, now) {
      if (closed || calls.length >= 4 * most) return
      add(bucket, key, rule, now, 0)
    },
    answered(waits) {
      clearTimeout(timer)
      const settles = underWay ?? []
      underWay = undefined
      isLate = false
      for (const [at, settle] of settles.entries()) {
        const wait_ms = waits[at] ?? 1_000
        settle(wait_ms === 0 ? ALLOWED : refusedFor(wait_ms))
      }
      if (calls.length > 0) plan()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      refuseAll(underWay ?? [])
      refuseAll(waiting)
      waiting = []
      calls = []
      underWay = undefined
    },
  }
}
