/** What `npm run test:slow` does more of than `npm test`. A file that imports this runs in both. */
import { test } from 'node:test'

const isSlowRun = process.env.SANAD_TEST_SLOW === '1'

/** How often a test repeats something with random values: `all` times in the slow run, otherwise `few`. */
export const runs = (all: number, few: number): number => (isSlowRun ? all : few)

/** A test of the slow run alone, in a file whose other tests run in both: it takes long. */
export const slowTest = (title: string, run: () => Promise<void>): void => {
  if (isSlowRun) test(title, run)
}

/** A test that the slow run would only repeat, in a file whose other tests it runs with more values. */
export const fastTest = (title: string, run: () => Promise<void>): void => {
  if (!isSlowRun) test(title, run)
}

/** The languages of the screens in which a browser test runs: Arabic in `npm test`, English in the slow run. */
export const languages: readonly ('ar' | 'en')[] = isSlowRun ? ['en'] : ['ar']
