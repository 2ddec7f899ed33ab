/** Reports the progress of long work, for a command that shows it. */
export type Progress = {
  /** A part of the work begins, with `total` steps; the part before it has ended. */
  part(name: string, total: number): void
  /** So many steps of the part are done. */
  at(done: number): void
  /** The last part has ended. */
  end(): void
}

export const noProgress: Progress = { part: () => {}, at: () => {}, end: () => {} }
