/** How far long work has come, told to whoever shows it to a person. */
export type Progress = {
  /** A part of the work begins, of so many steps; the part before it has ended. */
  part(what: string, total: number): void
  at(done: number): void
  /** The last part has ended. */
  end(): void
}

export const noProgress: Progress = { part: () => {}, at: () => {}, end: () => {} }
