/**
 * What becomes of a process that the parent keeps alive, and how long the parent waits before it starts it again. Pure.
 *
 * A process that served for a while and ends is started again at once. One that ends again and again waits longer each time, so
 * that a fault that does not go away does not take the machine from the other processes.
 */

import { minute_ms } from '../core/duration.ts'

/** `failures`: how often in a row it ended soon after its start, or before it was ready. */
export type ChildState =
  | { readonly is: 'starting'; readonly failures: number }
  | { readonly is: 'ready'; readonly failures: number; readonly since: number }
  | { readonly is: 'pausing'; readonly failures: number }
  /** It is not started again. */
  | { readonly is: 'ended' }

export type ChildEvent =
  | { readonly what: 'ready'; readonly at: number }
  | { readonly what: 'exited'; readonly at: number }
  | { readonly what: 'pause over' }
  /** The machine stops, or another process has taken its place. */
  | { readonly what: 'dismissed' }

/** What the parent does next; undefined: nothing. */
export type ChildAction = { readonly start: true } | { readonly pause_ms: number } | undefined

/** A process that was ready for this long has no fault of its start. */
export const steadyAfter_ms = minute_ms
const firstPause_ms = 100
const longestPause_ms = 30_000

export const pauseOf = (failures: number): number =>
  Math.min(longestPause_ms, firstPause_ms * 2 ** Math.min(failures, 20))

export const firstState: ChildState = { is: 'starting', failures: 0 }

export const step = (state: ChildState, event: ChildEvent): readonly [ChildState, ChildAction] => {
  if (state.is === 'ended') return [state, undefined]
  switch (event.what) {
    case 'dismissed':
      return [{ is: 'ended' }, undefined]
    case 'ready':
      return state.is === 'starting'
        ? [{ is: 'ready', failures: state.failures, since: event.at }, undefined]
        : [state, undefined]
    case 'exited': {
      if (state.is === 'pausing') return [state, undefined]
      const wasSteady = state.is === 'ready' && event.at - state.since >= steadyAfter_ms
      const before = wasSteady ? 0 : state.failures
      return [{ is: 'pausing', failures: before + 1 }, { pause_ms: pauseOf(before) }]
    }
    case 'pause over':
      return state.is === 'pausing'
        ? [{ is: 'starting', failures: state.failures }, { start: true }]
        : [state, undefined]
  }
}
