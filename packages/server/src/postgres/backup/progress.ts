/** Reports the progress of long work, for a command that shows it. */
export type Progress = {
  /** A part of the work begins, of so many steps; the part before it has ended. */
  part(what: string, total: number): void
  at(done: number): void
  /** The last part has ended. */
  end(): void
}

export const noProgress: Progress = { part: () => {}, at: () => {}, end: () => {} }
