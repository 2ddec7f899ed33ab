/**
 * How often a test repeats something with random values: `all` times in `npm run test:slow`, `few` times in `npm test`.
 * A file that imports this runs in both.
 */
export const runs = (all: number, few: number): number => (process.env.SANAD_TEST_SLOW === '1' ? all : few)
