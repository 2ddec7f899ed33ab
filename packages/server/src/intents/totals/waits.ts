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
