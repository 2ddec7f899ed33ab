/**
 * Counts the calls of several processes in one memory: the parent's side of parent-limits.ts. Each process numbers its buckets by
 * itself. A process of another version may have another rule for a bucket: then each rule counts by itself.
 */
import { MemoryLimits } from './memory-limits.ts'
import type { LimitAnswer, LimitBatch } from './parent-limits.ts'
import type { Rule } from './rule.ts'

/** Counts the batches of one process. */
export type CountBatch = (batch: LimitBatch) => LimitAnswer

/** Returns a counter for each process; all of them count together. */
export const batchCounter = (limits: MemoryLimits = new MemoryLimits()): (() => CountBatch) => {
  /** The same object for the same rule: comparing it is then cheap. */
  const shared = new Map<string, { readonly name: string; readonly rule: Rule }>()
  return () => {
    const buckets: { readonly name: string; readonly rule: Rule }[] = []
    return (batch) => {
      for (const [bucket, rule] of batch.buckets) {
        const name = JSON.stringify([bucket, rule])
        const known = shared.get(name) ?? { name, rule }
        shared.set(name, known)
        buckets.push(known)
      }
      const waits: number[] = []
      const { calls } = batch
      for (let i = 0; i < calls.length; i += 4) {
        const { name, rule } = buckets[calls[i] as number]!
        const key = calls[i + 1] as string
        const now = calls[i + 2] as number
        if (calls[i + 3] === 0) limits.giveBack(name, key, rule, now)
        else waits.push(limits.waitOf(name, key, rule, now))
      }
      return waits
    }
  }
}
