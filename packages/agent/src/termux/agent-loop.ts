/**
 * The agent as a long-running process: one round at the start, then one every minute. After a failed call it also sends
 * when the next attempt is due. Only one loop runs on a phone; a second one does one round and ends.
 */
import { join } from 'node:path'
import type { AgentDeps, agentCycle, CycleOutcome } from './cycle.ts'
import { tryLock } from './store/process-lock.ts'

export const loopLock = (folder: string): string => join(folder, 'loop.lock')

export type LoopEnd = 'stopped' | 'not paired' | 'already runs'

const lockWait_ms = 45_000
/** The shortest wait between two rounds. */
const least_ms = 1_000

export const runLoop = async (
  deps: AgentDeps,
  cycle: ReturnType<typeof agentCycle>,
  options: { readonly every_ms: number; readonly signal: AbortSignal },
): Promise<LoopEnd> => {
  const { clock, environment, log } = deps
  const { every_ms, signal } = options
  const isStopped = () => signal.aborted
  const lock = tryLock(loopLock(environment.folder))
  if (lock === undefined) {
    await cycle({ wait_ms: lockWait_ms, isStopped })
    return 'already runs'
  }
  let lastSending: CycleOutcome['sending'] | undefined
  let sweepAt = clock.now()
  let whole = true
  try {
    while (!signal.aborted) {
      const now = clock.now()
      // The clock may have been set back.
      const sweeps = now >= sweepAt || sweepAt - now > every_ms
      let outcome: CycleOutcome | undefined
      try {
        outcome = await cycle({ whole: whole && sweeps, sweeps, isStopped, wait_ms: lockWait_ms })
        if (outcome.sending === 'not paired') return 'not paired'
        if (outcome.sending !== lastSending) log(`Sending: ${outcome.sending}, ${outcome.unsent} unsent.`)
        lastSending = outcome.sending
        if (sweeps && outcome.sending !== 'busy') whole = false
      } catch (fault) {
        // A full disk, for example. Nothing is lost: what was not stored is read again.
        log(`This round failed: ${(fault as Error).message}`)
      }
      if (sweeps) sweepAt = clock.now() + every_ms
      const next = Math.min(sweepAt, outcome?.retry_at ?? sweepAt)
      await clock.wait(Math.min(every_ms, Math.max(least_ms, next - clock.now())), signal)
    }
    return 'stopped'
  } finally {
    lock.release()
  }
}
