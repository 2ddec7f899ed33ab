/**
 * Which accounts a grown database has, and how much of everything: in proportion to its intents. Pure. The accounts' intents are
 * mixed in time, as those of a service are: what an account reads lies next to rows of others.
 */

export type Shape = {
  /** Intents of all accounts. */
  readonly total: number
  /** Of the account that is measured. */
  readonly main: number
  /** So many accounts share two thirds of the rest, and so many the last third. */
  readonly middle: number
  readonly small: number
}

/** At ten million: one account of a million, 20 of 300,000 and 300 of 10,000. */
export const shapeOf = (total: number): Shape => ({
  total,
  main: Math.min(1_000_000, Math.round(total * 0.9)),
  middle: 20,
  small: total < 10_000 ? 10 : 300,
})

/** One large account and ten small ones beside it, which share a fiftieth as many intents. */
export const shapeOfOne = (main: number): Shape => ({ total: Math.ceil(main * 1.02), main, middle: 2, small: 8 })

/** How many intents of a thousand. The others are VERIFIED. */
export const endedOf1000 = { expired: 200, cancelled: 60, wrongAmount: 40 } as const

/** One of so many intents has such a row beside what it always has. */
export const oneOf = {
  /** Made by a checkout. */
  checkout: 10,
  /** An alert that no intent asked for, in the queue. */
  waiting: 100,
  /** The same, set aside by a member. */
  dismissed: 100,
  /** A message that no template reads; kept for half a year. */
  unread: 33,
  /** A change by a member. */
  audit: 50,
} as const

/** What is erased after some days is not seeded from before: as the jobs of the service leave it. */
export const keptDays = { bodies: 30, attempts: 30, ends: 90, calls: 7, keys: 1, unread: 170 } as const

/** What one intent takes on the disk with all that belongs to it, with the WAL while it is made; for the question whether there is room. */
export const bytesOfIntent = 3_000
