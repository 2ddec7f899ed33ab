/**
 * Work that a response does not wait for, so that the response time reveals nothing about it. Tasks run one after another.
 * When too many wait, a new one is dropped and reported.
 */
export type BackgroundQueue = {
  (work: () => Promise<void>): void
  /** Resolves when all accepted work is done. */
  done(): Promise<void>
}

export const backgroundQueue = (options: {
  readonly most: number
  readonly onFault: (fault: unknown) => void
}): BackgroundQueue => {
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  const accept = (work: () => Promise<void>): void => {
    if (waiting >= options.most) {
      options.onFault(new Error(`the task was dropped: ${options.most} tasks are waiting already`))
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
  return Object.assign(accept, { done: () => last })
}
