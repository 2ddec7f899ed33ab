/**
 * A small load beside other work, for as long as that takes: calls that are due at even times, whether or not earlier ones have been
 * answered. The time of a call begins when it was due.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { percentile } from './rounds.ts'

export type SteadyResult = {
  readonly calls: number
  /** What the calls that failed said. */
  readonly faults: readonly string[]
  readonly p50_ms: number
  readonly p99_ms: number
  readonly slowest_ms: number
}

/** `call` throws when its answer is not the expected one. */
export const startSteady = (
  perSecond: number,
  call: (n: number) => Promise<void>,
): { end(): Promise<SteadyResult> } => {
  const took: number[] = []
  const faults: string[] = []
  const open = new Set<Promise<void>>()
  const began = performance.now()
  let isOver = false
  const one = async (n: number, due: number): Promise<void> => {
    try {
      await call(n)
      took.push(performance.now() - due)
    } catch (fault) {
      faults.push((fault as Error).message)
    }
  }
  const run = async (): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const due = began + (n * 1000) / perSecond
      await delay(Math.max(0, due - performance.now()))
      const calling: Promise<void> = one(n, due).finally(() => open.delete(calling))
      open.add(calling)
    }
    await Promise.all(open)
  }
  const running = run()
  return {
    async end() {
      isOver = true
      await running
      return {
        calls: took.length + faults.length,
        faults,
        p50_ms: percentile(took, 0.5),
        p99_ms: percentile(took, 0.99),
        slowest_ms: percentile(took, 1),
      }
    },
  }
}
