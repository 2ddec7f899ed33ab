/**
 * Background loops: each runs its work again and again, never twice at once, with a random part in the pause so that several nodes
 * do not run at the same moment. A fault is logged and the loop goes on, after a longer pause each time. Stopping waits for the
 * work under way. While `mayRun` says no, nothing runs.
 *
 * A loop that `sleeps` does not run while there is nothing for it to do. After a run that found nothing it sleeps until it is woken:
 * by a change (`changed`: something was committed, here or on another node), when the first thing that waits for its time is due
 * (`nextDue`), or at the latest after `longestSleep_ms`. So a change of which nobody told, such as one by hand, is found after that
 * time, and nothing is lost. Whether something is due is compared with the service's clock, when it should be and at least every
 * second, without asking the database: a clock that jumps wakes the loops too.
 */

import type { Clock, Instant } from '../core/clock.ts'
import { minute_ms } from '../core/duration.ts'
import { outsideCalls } from '../core/tracing/call-context.ts'
import { isUnavailable } from '../postgres/connection/unavailable.ts'

export type Loop = {
  readonly name: string
  readonly every_ms: number
  /** The pause before the first run; by default the usual one. */
  readonly first_ms?: number
  /** True: there is more to do, run again at once. */
  readonly work: () => Promise<boolean>
  /** Left out: it runs every `every_ms`, whether or not anything has changed. */
  readonly sleeps?: boolean
  /** The longest sleep of a loop whose work also waits for times that `nextDue` does not know. Left out: `longestSleep_ms`. */
  readonly longest_ms?: number
}

export type Loops = {
  /** Something was committed that a sleeping loop may have to work on. */
  changed(): void
  /** Resolves when no loop is running any more. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** The time of this machine for the pauses; tests move it. */
export type Pauses = {
  /** Milliseconds since any start. */
  ticks(): number
  /** Calls `run` once after this time. Returns a function that cancels it. */
  after(wait_ms: number, run: () => void): () => void
}

/** A request that changes something may wake a loop, and what the loop does is none of that request. */
const startTimer = outsideCalls((wait_ms: number, run: () => void, started: (timer: NodeJS.Timeout) => void) =>
  started(setTimeout(run, wait_ms).unref()),
)

const realPauses: Pauses = {
  ticks: () => performance.now(),
  after(wait_ms, run) {
    let timer: NodeJS.Timeout | undefined
    startTimer(wait_ms, run, (started) => {
      timer = started
    })
    return () => clearTimeout(timer)
  },
}

/** How long a sleeping loop sleeps at most: what a lost hint costs. */
export const longestSleep_ms = minute_ms
/** How often the service's clock is looked at while loops sleep, for the case that it jumps. No statement. */
const look_ms = 1_000
/** How often it is asked when something is next due, while things change. */
const askEvery_ms = 1_000

const slowest_ms = minute_ms
/** Asking an unavailable database again costs little, and the work must go on soon after it is back. */
const slowestWhileAway_ms = 5_000

/** The pause after so many faults in a row, of which `fault` was the last. */
export const pauseAfter = (every_ms: number, faults: number, fault?: unknown): number =>
  Math.min(
    every_ms * 2 ** Math.min(faults, 10),
    Math.max(every_ms, isUnavailable(fault) ? slowestWhileAway_ms : slowest_ms),
  )

type State = {
  readonly loop: Loop
  /** When it runs next; infinity: it sleeps. */
  runAt: number
  ranAt: number
  running: boolean
  /** It was woken since its last run began. */
  woken: boolean
  faults: number
}

export const runLoops = (options: {
  readonly loops: readonly Loop[]
  readonly clock: Clock
  /** When the first thing that waits for its time is due; undefined: nothing waits. */
  readonly nextDue: () => Promise<Instant | undefined>
  readonly onFault: (name: string, fault: unknown) => void
  readonly onRun?: (name: string, outcome: 'ok' | 'fault') => void
  /** False: a run is left out, and the loop asks again after its pause. Left out: loops always run. */
  readonly mayRun?: () => boolean | Promise<boolean>
  readonly pauses?: Pauses
}): Loops => {
  const { clock, nextDue, onFault, onRun, mayRun, pauses = realPauses } = options
  const began = pauses.ticks()
  const states: State[] = options.loops.map((loop) => ({
    loop,
    runAt: began + spread(loop.first_ms ?? loop.every_ms),
    ranAt: began,
    running: false,
    woken: false,
    faults: 0,
  }))
  const sleepers = states.filter(({ loop }) => loop.sleeps)
  const underWay = new Set<Promise<void>>()
  let stopped = false
  let cancel = (): void => {}
  let planned = Number.POSITIVE_INFINITY
  /** When sleeping loops are woken by the service's clock; undefined: not known, because something has changed since. */
  let wakeAt: Instant | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let asking = false
  /** Counts the changes, so that an answer that is older than a change is not used. */
  let changes = 0
  /** When all sleeping loops were last woken by time. */
  let allWokenAt = began
  /** Every sleeping loop is woken already: one more change has nothing to do. */
  let allWoken = false

  const track = (work: Promise<void>): void => {
    const tracked: Promise<void> = work.finally(() => {
      underWay.delete(tracked)
      plan()
    })
    underWay.add(tracked)
  }

  const run = async (state: State): Promise<void> => {
    const { name, every_ms, work } = state.loop
    state.running = true
    state.woken = false
    allWoken = false
    state.ranAt = pauses.ticks()
    let more = false
    let refused = false
    let last: unknown
    try {
      if (mayRun === undefined || (await mayRun())) {
        more = await work()
        state.faults = 0
        onRun?.(name, 'ok')
      } else refused = true
    } catch (fault) {
      last = fault
      state.faults++
      onRun?.(name, 'fault')
      if (!stopped) onFault(name, fault)
    }
    state.running = false
    const sleeps = state.loop.sleeps === true && !more && !refused && !state.woken && state.faults === 0
    state.runAt = sleeps
      ? Number.POSITIVE_INFINITY
      : pauses.ticks() + spread(more ? 0 : pauseAfter(every_ms, state.faults, last))
  }

  /** Soon, but no sooner than its pause after the run before, and not all at the same moment. */
  const wake = (state: State): void => {
    state.woken = true
    if (state.running || state.runAt !== Number.POSITIVE_INFINITY) return
    const { every_ms } = state.loop
    state.runAt = Math.max(pauses.ticks() + every_ms * Math.random(), state.ranAt + every_ms)
  }

  const changed = (): void => {
    changes++
    wakeAt = undefined
    if (allWoken) return
    allWoken = true
    for (const state of sleepers) if (!state.woken) wake(state)
    plan()
  }

  const ask = async (): Promise<void> => {
    asking = true
    askedAt = pauses.ticks()
    const before = changes
    try {
      if (mayRun !== undefined && !(await mayRun())) return
      const latest = clock.now() + longestSleep_ms
      const due = await nextDue()
      if (before === changes) wakeAt = Math.min(due ?? latest, latest)
    } catch {
      // Asked again soon. The loops themselves say that the database is away.
    } finally {
      asking = false
    }
  }

  const look = (): void => {
    const now = pauses.ticks()
    planned = Number.POSITIVE_INFINITY
    for (const state of sleepers)
      if (state.loop.longest_ms !== undefined && now - state.ranAt >= state.loop.longest_ms) wake(state)
    const isDue = wakeAt !== undefined && clock.now() >= wakeAt
    if (isDue || now - allWokenAt >= longestSleep_ms) {
      allWokenAt = now
      changed()
    }
    if (sleepers.length > 0 && wakeAt === undefined && !asking && now - askedAt >= askEvery_ms) track(ask())
    for (const state of states) if (!state.running && state.runAt <= now) track(run(state))
    plan()
  }

  const waitForLook = (now: number): number => {
    if (wakeAt !== undefined) return Math.min(Math.max(0, wakeAt - clock.now()), look_ms)
    return asking ? look_ms : Math.max(0, askedAt + askEvery_ms - now)
  }

  const plan = (): void => {
    if (stopped) return
    const now = pauses.ticks()
    let next = sleepers.length > 0 ? now + waitForLook(now) : Number.POSITIVE_INFINITY
    for (const state of states) if (!state.running) next = Math.min(next, state.runAt)
    if (next >= planned) return
    cancel()
    planned = next
    cancel = pauses.after(Math.max(0, next - now), look)
  }

  plan()
  return {
    changed,
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    async stop() {
      stopped = true
      cancel()
      await Promise.all(underWay)
    },
  }
}

const spread = (pause_ms: number): number => pause_ms * (1 + Math.random() * 0.2)
