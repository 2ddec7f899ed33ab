/**
 * The failures of a run, and the files that are run once more. A test that ran out of time says little on a busy machine: if
 * all failures are of this kind and few files have them, each of these files runs once more, alone, and the run says so. A
 * wrong result is never tried again.
 */
import { isAbsolute, relative } from 'node:path'
import { root } from './imports.ts'

/** More files than these that ran out of time are a fault of the code, not of the machine. */
const mostFilesAgain = 4

export type Failure = { readonly file: string; readonly name: string; readonly isLate: boolean }

type FailedTest = {
  readonly name: string
  readonly file?: string | undefined
  readonly nesting: number
  readonly details: { readonly error: unknown }
}

type Fault = {
  readonly name?: unknown
  readonly message?: unknown
  readonly code?: unknown
  readonly failureType?: unknown
  readonly ranOutOfTime?: unknown
  readonly cause?: unknown
}

/** True if a time limit ended the test: its own, that of a wait in the browser, of `eventually()`, or of a statement. */
export const ranOutOfTime = (fault: unknown): boolean => {
  if (typeof fault !== 'object' || fault === null) return false
  const { name, message, code, failureType, ranOutOfTime: waited, cause } = fault as Fault
  return (
    failureType === 'testTimeoutFailure' ||
    name === 'TimeoutError' ||
    waited === true ||
    (code === '57014' && String(message).includes('statement timeout')) ||
    ranOutOfTime(cause)
  )
}

/** Collects the failures of a run. The events of one process come together, those of a test before those of its parent. */
export const collectFailures = (): { readonly failures: readonly Failure[]; add(test: FailedTest): void } => {
  const failures: Failure[] = []
  let inside: Omit<Failure, 'file'>[] = []
  return {
    failures,
    add({ name, file = '', nesting, details: { error } }) {
      // The failure of a parent only repeats those inside it.
      if ((error as Fault).failureType !== 'subtestsFailed' || inside.length === 0)
        inside.push({ name, isLate: ranOutOfTime(error) })
      if (nesting > 0) return
      // In a process that several files share, each file is a test (plan-processes.ts).
      const path = file.endsWith('.mjs') ? name : isAbsolute(file) ? relative(root, file) : file
      failures.push(...inside.map((failure) => ({ ...failure, file: path })))
      inside = []
    },
  }
}

/** The files to run once more: none if anything was wrong, or if too many ran out of time. */
export const filesToRunAgain = (failures: readonly Failure[]): string[] => {
  const files = [...new Set(failures.map(({ file }) => file))]
  return failures.every(({ isLate }) => isLate) && files.length <= mostFilesAgain ? files : []
}
