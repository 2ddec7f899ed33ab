/**
 * From the silences of a phone's history: the longest ordinary one, and the limit above it from which a silence is unusual. Both
 * are measured in expected messages (rhythm.ts). Pure.
 */

/** A silence in the history: the messages that were expected in it, and the day on which it ended. */
export type Gap = { readonly expected: number; readonly endDay: number }

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/**
 * How far above the longest ordinary silence the limit is. `irregular`: the variance of the silences divided by the square
 * of their mean; 1 for independent payments, less for a steady shop, more for bursts. `spread`: their standard deviation.
 */
type Margin = { readonly irregular: number; readonly spread: number }

const marginOf = (gaps: readonly Gap[]): Margin => {
  const mean = sum(gaps.map(({ expected }) => expected)) / gaps.length
  const variance = sum(gaps.map(({ expected }) => (expected - mean) ** 2)) / gaps.length
  return { irregular: Math.min(3, Math.max(0.6, variance / mean ** 2)), spread: Math.sqrt(variance) }
}

const limitAbove = (longest: number, { irregular, spread }: Margin): number => longest * (1 + irregular) + 4 * spread

/** The longest ordinary silence, from the longest silence of each week. A week whose silence would have been an alarm by
 *  the other weeks is left out. */
const longestOrdinary = (gaps: readonly Gap[], margin: Margin): number => {
  const newest = Math.max(...gaps.map(({ endDay }) => endDay))
  const byWeek = Map.groupBy(gaps, ({ endDay }) => Math.floor((newest - endDay) / 7))
  const weekly = [...byWeek.values()]
    .map((week) => Math.max(...week.map(({ expected }) => expected)))
    .sort((a, b) => a - b)
  let longest = weekly[Math.floor(weekly.length / 2)]!
  for (const silence of weekly) if (silence > longest && silence <= limitAbove(longest, margin)) longest = silence
  return longest
}

/** Leaves out the silences that would have been alarms by the shortest 98 %: the phone was dead, or the shop closed. */
const ordinaryGaps = (gaps: readonly Gap[]): readonly Gap[] => {
  const shortest = gaps.toSorted((a, b) => a.expected - b.expected).slice(0, Math.ceil(gaps.length * 0.98))
  const margin = marginOf(shortest)
  const limit = limitAbove(longestOrdinary(gaps, margin), margin)
  return gaps.filter(({ expected }) => expected <= limit)
}

/** `gaps`: one at least. */
export const limitOfGaps = (gaps: readonly Gap[]): { readonly usual: number; readonly limit: number } => {
  const ordinary = ordinaryGaps(gaps)
  const margin = marginOf(ordinary)
  const usual = longestOrdinary(ordinary, margin)
  return { usual, limit: limitAbove(usual, margin) }
}
