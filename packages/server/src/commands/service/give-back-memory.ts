/**
 * Gives back the memory that only the start needed, about half of it, as soon as the process is quiet. V8 does that too, but two minutes
 * later, and then it costs the same time again. Collecting stops the process for some tenths of a second, so a busy one goes on without.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export const look_ms = 15_000
/** The part of the time since the last look in which the process did something. */
const quiet = 0.05

/** V8 offers it to programs that were started with a flag; to others for as long as the flag is set. */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
}

const watchUse = (): (() => number) => {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

/** Once. `used`: since it was last asked. */
export const giveBackMemory = (collect: () => void = collectGarbage, used: () => number = watchUse()): void => {
  setTimeout(() => {
    if (used() < quiet) collect()
    else giveBackMemory(collect, used)
  }, look_ms).unref()
}
