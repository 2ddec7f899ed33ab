/**
 * The only place that reads the time. Everything else receives `now`, read once at the entry point, so that one request has
 * one instant and a test can move it.
 */

/** Milliseconds since the epoch. Sanad keeps time to the millisecond, everywhere. */
export type Instant = number

export type Clock = { now(): Instant }

export const systemClock: Clock = { now: () => Date.now() }

/** The two clocks of this machine. */
export type MachineClocks = {
  /** The time of day in milliseconds: it may be wrong, and may jump when somebody sets it. */
  wall(): number
  /** Milliseconds since any start: it never jumps, but knows no date. It stands still while the machine is suspended. */
  ticks(): number
}

export const machineClocks: MachineClocks = { wall: () => Date.now(), ticks: () => performance.now() }
