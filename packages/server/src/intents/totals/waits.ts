/**
 * How long verification took, from counts in buckets. Each bucket is a tenth longer than the one before, so that a result is
 * exact to a twentieth for any number of payments. Pure.
 */
const growth = 1.1

/** How many payments were verified, by bucket. */
export type Waits = ReadonlyMap<number, number>

export const addWaits = (all: readonly Waits[]): Waits => {
  const sum = new Map<number, number>()
  for (const waits of all) for (const [bucket, count] of waits) sum.set(bucket, (sum.get(bucket) ?? 0) + count)
  return sum
}

export const readWaits = (json: string): Waits =>
  new Map(Object.entries(JSON.parse(json) as Record<string, number>).map(([bucket, count]) => [Number(bucket), count]))

export const countWaits = (waits: Waits): number => [...waits.values()].reduce((sum, count) => sum + count, 0)

/** The time within which this share of payments was verified: the middle of its bucket. */
export const waitAt_s = (waits: Waits, share: number): number => {
  let left = Math.ceil(countWaits(waits) * share)
  for (const [bucket, count] of [...waits].sort(([a], [b]) => a - b)) {
    left -= count
    if (left <= 0) return Math.round(growth ** (bucket + 0.5))
  }
  return 0
}

/** Where the bars of a histogram end, in seconds; the last bar has no end. */
export const histogramEnds_s = [5, 15, 30, 60, 180, 600, 1800] as const

/** How many payments were verified within each bar: a bucket belongs to the bar that has its middle. Every payment is in one bar. */
export const histogramOf = (waits: Waits): { readonly until_s: number | null; readonly count: number }[] => {
  const counts = new Array<number>(histogramEnds_s.length + 1).fill(0)
  for (const [bucket, count] of waits) {
    const bar = histogramEnds_s.findIndex((end) => growth ** (bucket + 0.5) <= end)
    counts[bar < 0 ? histogramEnds_s.length : bar]! += count
  }
  return counts.map((count, bar) => ({ until_s: histogramEnds_s[bar] ?? null, count }))
}
