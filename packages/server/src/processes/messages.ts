/**
 * What the parent and its processes send each other. A process of a new version talks to a parent of the version before
 * (a rolling restart replaces the processes, not the parent): a change of these messages needs another number of the protocol.
 */
import type { LimitAnswer, LimitBatch } from '../http/limits/parent-limits.ts'
import type { FigureSet } from '../http/metrics.ts'

/** A process with another number says so and ends; the processes that run go on (run-machine.ts). */
export const protocol = 1

/** What a process of the machine does. */
export type Duty = 'serve' | 'work'

/** How a process ends: with a signal's patience, or as one of a rolling restart, whose place another one has taken. */
export type Ending = {
  readonly why: string
  readonly patient: boolean
  readonly hurried: boolean
  /** A load balancer asks `/readyz` of this machine. */
  readonly watched: boolean
  /** Another process has taken its place: the machine stays ready. */
  readonly replaced: boolean
}

export type ToChild =
  | {
      readonly to: 'start'
      readonly protocol: number
      readonly duty: Duty
      readonly databaseUrl: string
      readonly machineId: string
    }
  | { readonly to: 'end'; readonly ending: Ending }
  | { readonly to: 'hurry' }
  | { readonly to: 'counted'; readonly waits: LimitAnswer }
  | { readonly to: 'tell figures'; readonly id: number }
  | { readonly to: 'figures'; readonly id: number; readonly sets: readonly FigureSet[] }

export type ToParent =
  | { readonly is: 'here' }
  | { readonly is: 'ready'; readonly port: number | undefined; readonly figuresPort: number | undefined }
  /** It cannot start. `refused`: a sentence for the operator; otherwise the stack of a fault. */
  | { readonly is: 'faulty'; readonly text: string; readonly refused: boolean }
  | { readonly is: 'asked whether ready' }
  | { readonly is: 'count'; readonly batch: LimitBatch }
  | { readonly is: 'figures'; readonly id: number | undefined; readonly set: FigureSet }
  | { readonly is: 'ask figures'; readonly id: number; readonly own: FigureSet }
