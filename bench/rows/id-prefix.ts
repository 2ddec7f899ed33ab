/** The beginning of ids that pgbench can compute too: the time, the number of the run; twelve digits follow. */
import { systemClock } from '../../packages/server/src/core/clock.ts'

/** Ids of later runs are higher, as in the service: they are next to each other in every index. */
export const idPrefix = (run: number): string =>
  `${systemClock.now().toString(16).padStart(12, '0')}7${run.toString(16).padStart(3, '0')}8000`
