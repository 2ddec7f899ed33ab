/** What those who depend on the time ask before they work. */
import type { ClockState } from './clock-agreement.ts'

export type ClockGuard = {
  /**
   * Whether work that depends on the time may begin. Usually known at once. If a clock has just jumped, or the database was not
   * asked for some seconds, it is asked first.
   */
  mayWork(): boolean | Promise<boolean>
  state(): ClockState
  /** Why this node is not ready; undefined: its clock is near enough. */
  refusal(): string | undefined
}

/** For a clock that is right by definition: tests move it. */
export const trustedClock: ClockGuard = {
  mayWork: () => true,
  state: () => ({ agreement: 'agrees', offset_ms: 0, error_ms: 0 }),
  refusal: () => undefined,
}
