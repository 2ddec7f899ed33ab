/**
 * What a test file needs before it runs. The file says it by what it imports, directly or through other files:
 *
 * - PostgreSQL with the template databases: `support/test-databases.ts`. A process of files that do not reach it is not told
 *   where PostgreSQL is, so a wrong answer fails.
 * - Chromium: `packages/dashboard/test/chromium.ts`.
 * - The built dashboard: `built-dashboard.ts`, or the file is in a test folder and starts programs: one may be the service.
 * - A process of its own: `own-process.ts`.
 */
import { reachedFrom } from './imports.ts'

export type Needs = {
  readonly postgres: boolean
  readonly browser: boolean
  readonly dashboard: boolean
  readonly ownProcess: boolean
  /** Whether the file, or what it imports of the test folders, starts programs. */
  readonly programs: boolean
  /** Whether the file repeats tests with random values, more often in the slow run. */
  readonly runs: boolean
}

const isTestSide = (path: string): boolean => path.includes('/test/') || path.endsWith('.test.ts')

export const needsOf = (path: string): Needs => {
  const all = reachedFrom(path)
  const programs = reachedFrom(path, isTestSide).has('node:child_process')
  return {
    postgres: all.has('packages/server/test/support/test-databases.ts'),
    browser: all.has('packages/dashboard/test/chromium.ts'),
    dashboard: all.has('packages/server/src/built-dashboard.ts') || (programs && path.includes('/test/')),
    ownProcess: all.has('packages/server/test/runner/own-process.ts'),
    programs,
    runs: all.has('packages/server/test/support/runs.ts'),
  }
}
