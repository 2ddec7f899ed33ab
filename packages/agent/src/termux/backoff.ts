/** How long to wait after failed calls: twice as long each time, up to five minutes, with a random part. Pure. */

const first_ms = 2_000
const most_ms = 300_000

/**
 * `failures`: how many calls have failed in a row; `random`: from 0 up to 1, so that not all phones call at once;
 * `askedFor_ms`: the delay that the service asked for.
 */
export const retryDelay_ms = (failures: number, random: number, askedFor_ms = 0): number => {
  const full = Math.min(most_ms, first_ms * 2 ** Math.min(20, Math.max(0, failures - 1)))
  return Math.round(Math.max(full * (0.5 + random / 2), Math.min(askedFor_ms, most_ms)))
}
