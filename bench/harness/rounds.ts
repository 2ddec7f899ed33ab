/**
 * Measures several runners in rounds: each once per round, one after the other, so that a slow minute of a shared machine affects
 * all of them. The median of the rounds counts; their spread is reported. If other programs were busy during a run, it is repeated
 * once, and the run with less disturbance counts. With a single round nothing is waited for or repeated: it only shows that
 * everything works.
 */

import { idleLimit, type Shares, waitForIdle } from './cpu-shares.ts'
import type { Figures } from './load.ts'

export type Measured = Figures & { readonly shares: Shares | undefined }
export type Runner = () => Promise<Measured>

export type Result = {
  readonly perSecond: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly shares: Shares | undefined
  readonly rounds: readonly Measured[]
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** `share`: 0.5 for the median, 0.99 for the 99th percentile. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const resultOf = (rounds: readonly Measured[]): Result => {
  const shares = rounds.flatMap((one) => one.shares ?? [])
  const share = (name: keyof Shares) => median(shares.map((one) => one[name]))
  return {
    perSecond: median(rounds.map((one) => one.perSecond)),
    p50_ms: median(rounds.map((one) => one.p50_ms)),
    p99_ms: median(rounds.map((one) => one.p99_ms)),
    shares:
      shares.length === 0
        ? undefined
        : {
            sanad: share('sanad'),
            postgres: share('postgres'),
            load: share('load'),
            others: share('others'),
          },
    rounds,
  }
}

const mostTries = 2

const leastDisturbed = async (runner: Runner): Promise<Measured> => {
  let best: Measured | undefined
  for (let tries = 0; tries < mostTries; tries++) {
    await waitForIdle()
    const measured = await runner()
    if (best === undefined || (measured.shares?.others ?? 0) < (best.shares?.others ?? 0)) best = measured
    if ((best.shares?.others ?? 0) < idleLimit) break
  }
  return best!
}

export const inRounds = async <Name extends string>(
  rounds: number,
  runners: Readonly<Record<Name, Runner>>,
): Promise<Record<Name, Result>> => {
  const names = Object.keys(runners) as Name[]
  const measured = new Map<Name, Measured[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    // Every second round runs in reverse order, so that no runner always follows the same one.
    for (const name of round % 2 === 0 ? names : names.toReversed())
      measured.get(name)!.push(rounds === 1 ? await runners[name]() : await leastDisturbed(runners[name]))
  }
  return Object.fromEntries(names.map((name) => [name, resultOf(measured.get(name)!)])) as Record<Name, Result>
}
