/**
 * What differs between `npm test` and `npm run test:slow`. A file that imports this module runs in both, unless it is named
 * `*.slow.test.ts`.
 */
import { test } from 'node:test'

const isSlowRun = process.env.SANAD_TEST_SLOW === '1'

/** How often a test repeats something with random values: `all` times in the slow run, `few` times otherwise. */
export const runs = (all: number, few: number): number => (isSlowRun ? all : few)

/** A long test that runs only in the slow run, in a file whose other tests run in both. */
export const slowTest = (title: string, run: () => Promise<void>): void => {
  if (isSlowRun) test(title, run)
}

/** A test that runs only in `npm test`: the slow run would repeat it without testing more. */
export const fastTest = (title: string, run: () => Promise<void>): void => {
  if (!isSlowRun) test(title, run)
}

/** The languages of the screens in which a browser test runs: Arabic in `npm test`, English in the slow run. */
export const languages: readonly ('ar' | 'en')[] = isSlowRun ? ['en'] : ['ar']
