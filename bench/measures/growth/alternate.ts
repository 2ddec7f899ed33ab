/** Times two things in turn, one call each, so that a slow moment of the machine hits both alike. */
import { percentile } from '../../harness/rounds.ts'

export type Times = { readonly p50_ms: number; readonly p99_ms: number; readonly calls: number }
export type Compared = { readonly few: Times; readonly many: Times }

/** `most`: calls of each; it ends earlier when the time is over, but not before `least`. */
export type Limits = { readonly seconds: number; readonly most: number; readonly least: number }

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const timesOf = (all: readonly number[]): Times => ({
  p50_ms: percentile(all, 0.5),
  p99_ms: percentile(all, 0.99),
  calls: all.length,
})

/** `n` counts up from 0; the first `warmUp` calls are not counted. `before`: not measured. */
export const alternate = async (
  sides: Readonly<Record<'few' | 'many', (n: number) => Promise<unknown>>>,
  { seconds, most, least }: Limits,
  warmUp: number,
  before: Readonly<Record<'few' | 'many', () => Promise<unknown>>> = { few: async () => {}, many: async () => {} },
): Promise<Compared> => {
  const [few, many]: [number[], number[]] = [[], []]
  const until = performance.now() + seconds * 1000
  for (let n = 0; n < most; n++) {
    const took: Record<'few' | 'many', number> = { few: 0, many: 0 }
    // Who comes first changes, so that none always finds the processor's caches as the other has left them.
    for (const side of n % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const)) {
      await before[side]()
      took[side] = await timed(() => sides[side](n))
    }
    if (n >= warmUp) {
      few.push(took.few)
      many.push(took.many)
    }
    if (few.length >= least && performance.now() > until) break
  }
  return { few: timesOf(few), many: timesOf(many) }
}
