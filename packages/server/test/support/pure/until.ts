import { setTimeout as delay } from 'node:timers/promises'

const most_ms = 180_000

/** Asks until there is an answer that is not false or undefined, and returns it. A busy machine may take long. `saw`: asked when time has
 *  run out, for the message: what was there instead. */
export const until = async <T>(
  what: string,
  find: () => T | Promise<T>,
  saw?: () => string | Promise<string>,
): Promise<NonNullable<T>> => {
  const end = performance.now() + most_ms
  while (performance.now() < end) {
    const found = await find()
    if (found) return found
    await delay(20)
  }
  const seen = saw === undefined ? '' : `; seen: ${await saw()}`
  // The runner knows by the mark that time ran out (runner/failures.ts).
  throw Object.assign(new Error(`${what}: not within three minutes${seen}`), { ranOutOfTime: true })
}
