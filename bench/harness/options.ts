/** What a run of the bench was asked for. */
import type { Tools } from './find-tools.ts'

export type Bench = {
  readonly tools: Tools
  readonly seconds: number
  readonly rounds: number
  /** How many intents the large account has. */
  readonly large: number
  /** Where the seeded databases are kept from run to run; undefined: nowhere. */
  readonly keep: string | undefined
  readonly wanted: (name: string) => boolean
  readonly say: (line: string) => void
}
