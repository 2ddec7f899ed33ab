/**
 * Work that an answer does not wait for, so that how long the answer took tells nothing of it. One after another, and only
 * so many: what finds the line full is dropped and said so.
 */
export type Afterwards = {
  (work: () => Promise<void>): void
  /** When all that was taken is done. */
  done(): Promise<void>
}

export const afterwards = (options: {
  readonly most: number
  readonly onFault: (fault: unknown) => void
}): Afterwards => {
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  const take = (work: () => Promise<void>): void => {
    if (waiting >= options.most) {
      options.onFault(new Error(`${options.most} are waiting already`))
      return
    }
    waiting++
    last = last
      .then(work)
      .catch(options.onFault)
      .finally(() => {
        waiting--
      })
  }
  return Object.assign(take, { done: () => last })
}
