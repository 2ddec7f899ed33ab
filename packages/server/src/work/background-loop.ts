/**
 * A background loop: runs its work again and again, never twice at once, with a random part in the pause so that several nodes
 * do not run at the same moment. A fault is logged and the loop goes on, after a longer pause each time. Stopping waits for the
 * work under way. While `mayRun` says no, nothing runs.
 */
import { minute_ms } from '../core/duration.ts'
import { isUnavailable } from '../postgres/connection/unavailable.ts'

export type Loop = { stop(): Promise<void> }

const slowest_ms = minute_ms
/** Asking an unavailable database again costs little, and the work must go on soon after it is back. */
const slowestWhileAway_ms = 5_000

/** The pause after so many faults in a row, of which `fault` was the last. */
export const pauseAfter = (every_ms: number, faults: number, fault?: unknown): number =>
  Math.min(
    every_ms * 2 ** Math.min(faults, 10),
    Math.max(every_ms, isUnavailable(fault) ? slowestWhileAway_ms : slowest_ms),
  )

export const startLoop = (options: {
  readonly name: string
  readonly every_ms: number
  /** The pause before the first run; by default the usual one. */
  readonly first_ms?: number
  /** True: there is more to do, run again at once. */
  readonly work: () => Promise<boolean>
  readonly onFault: (name: string, fault: unknown) => void
  readonly onRun?: (name: string, outcome: 'ok' | 'fault') => void
  /** False: this run is left out, and the loop asks again after its pause. Left out: it always runs. */
  readonly mayRun?: () => boolean | Promise<boolean>
}): Loop => {
  const { name, every_ms, work, onFault, onRun, mayRun } = options
  let stopped = false
  let faults = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  const run = async (): Promise<void> => {
    let more = false
    let last: unknown
    try {
      if (mayRun === undefined || (await mayRun())) {
        more = await work()
        faults = 0
        onRun?.(name, 'ok')
      }
    } catch (fault) {
      last = fault
      faults++
      onRun?.(name, 'fault')
      if (!stopped) onFault(name, fault)
    }
    plan(more ? 0 : pauseAfter(every_ms, faults, last))
  }

  const plan = (pause_ms: number): void => {
    if (stopped) return
    timer = setTimeout(
      () => {
        running = run()
      },
      pause_ms * (1 + Math.random() * 0.2),
    )
    timer.unref()
  }

  plan(options.first_ms ?? every_ms)
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      return running
    },
  }
}
