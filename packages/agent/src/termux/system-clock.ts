/** The phone's clock, right or wrong, and waiting. The only file of the agent that reads the time. */
import { setTimeout as delay } from 'node:timers/promises'

export type AgentClock = {
  /** Unix milliseconds. */
  now(): number
  /** Ends early when the signal is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: AgentClock = {
  now: () => Date.now(),
  wait: async (ms, signal) => {
    await delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {})
  },
}
