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

export const noDifference: readonly NoDifference[] = [
  {
    file: 'matching/rules/same-payment.ts',
    line: 'if (timeA === undefined || timeB === undefined) return false',
    shown: 'timeA === undefined || timeB === undefined -> timeA === undefined && timeB === undefined',
    why: 'The difference of a time and undefined is NaN, which is greater than nothing: the result is false as well.',
  },
]
