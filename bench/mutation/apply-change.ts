/** A change of a source file. Pure. */
export type Change = {
  /** Offsets in the source, in UTF-16 units. */
  readonly from: number
  readonly to: number
  readonly text: string
  readonly line: number
  /** What is changed, for the list: `a === b -> a !== b`. */
  readonly shown: string
}

export const applyChange = (source: string, { from, to, text }: Change): string =>
  source.slice(0, from) + text + source.slice(to)
