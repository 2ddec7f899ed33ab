/** The pauses of background loops on a time that the test moves, in steps, each of which waits for what it started. */
import type { Pauses } from '../../../src/work/background-loop.ts'

const step_ms = 50

export const movedPauses = () => {
  let at = 0
  let planned: { readonly at: number; readonly run: () => void }[] = []
  const pauses: Pauses = {
    ticks: () => at,
    after(wait_ms, run) {
      const one = { at: at + wait_ms, run }
      planned.push(one)
      return () => {
        planned = planned.filter((other) => other !== one)
      }
    },
  }
  return {
    ...pauses,
    /** `settled` resolves when nothing is under way; `onStep` is called before each step. */
    async pass(time_ms: number, settled: () => Promise<void>, onStep: (by_ms: number) => void = () => {}) {
      for (let passed = 0; passed < time_ms; passed += step_ms) {
        at += step_ms
        onStep(step_ms)
        for (;;) {
          const due = planned.find((one) => one.at <= at)
          if (due === undefined) break
          planned = planned.filter((other) => other !== due)
          due.run()
          await settled()
        }
      }
    },
  }
}
