/** The options of a benchmark run. */
import type { Tools } from './find-tools.ts'

export type Bench = {
  readonly tools: Tools
  readonly seconds: number
  readonly rounds: number
  /** The number of intents in the large database. */
  readonly large: number
  /** A run of seconds that only shows that a part works: few rows, and its figures mean nothing. */
  readonly small: boolean
  /** How long the overload lasts. */
  readonly overload_s: number
  /** The folder in which seeded databases stay between runs. Undefined: they are temporary. */
  readonly keep: string | undefined
  /** The databases of the scale are made and kept, and nothing is measured. */
  readonly prepareOnly: boolean
  /** Only the calls of the scale whose name matches this pattern. */
  readonly named: string | undefined
  /** The file into which the figures of the scale are drawn. */
  readonly draw: string | undefined
  readonly isSelected: (name: string) => boolean
  readonly print: (line: string) => void
}
