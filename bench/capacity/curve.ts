/** How the payments of a day are spread over its hours. Pure. */

/**
 * The share of each hour of an Aden day, in percent, from midnight: shops open in the morning, rest in the early afternoon, and sell
 * most in the evening. An assumption, not a measurement: replace it by the figures of your own shops.
 */
export const adenDay: readonly number[] = [
  0.8, 0.3, 0.2, 0.2, 0.4, 0.8, 1.5, 2.7, 4.2, 6.0, 7.2, 7.4, 5.4, 4.2, 3.6, 4.2, 6.0, 7.8, 8.4, 9.0, 8.0, 6.0, 3.7,
  2.0,
]

/** The busiest minute of an hour has so many times the payments of its average minute. */
export const busiestMinute = 2

export type Rates = {
  readonly hour: number
  /** A second: on average, and in the busiest minute. */
  readonly mean: number
  readonly busiest: number
}

/** `perDay` events of a day, as rates a second in each of its hours. */
export const ratesOf = (perDay: number, shares: readonly number[] = adenDay): Rates[] =>
  shares.map((share, hour) => {
    const mean = (perDay * share) / 100 / 3600
    return { hour, mean, busiest: mean * busiestMinute }
  })

export const busiestHour = (shares: readonly number[] = adenDay): number => shares.indexOf(Math.max(...shares))
