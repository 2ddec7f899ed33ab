/**
 * Changes that make no difference, each with the reason. `line`: the code of the changed line, so that the entry stays true when
 * the file moves. A reason says why no input can show the change.
 */
export type NoDifference = {
  readonly file: string
  readonly line: string
  readonly shown: string
  readonly why: string
}

export const noDifference: readonly NoDifference[] = []
