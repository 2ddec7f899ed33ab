/** The options of a benchmark run. */
import type { Tools } from './find-tools.ts'

export type Bench = {
  readonly tools: Tools
  readonly seconds: number
  readonly rounds: number
  /** The number of intents in the large account. */
  readonly large: number
  /** The folder that keeps the seeded databases between runs; undefined: none. */
  readonly keep: string | undefined
  readonly wanted: (name: string) => boolean
  readonly say: (line: string) => void
}
