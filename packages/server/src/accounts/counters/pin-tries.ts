/**
 * How often a PIN may be tried. A try is counted before it is checked, so that many at once cannot pass the limit: the last of a
 * round begins a pause, and what comes during the pause is refused without being checked, right or wrong. Pauses grow. A right PIN
 * takes the tries of its own cashier back, as long as there were few in the day: otherwise guesses between the right PINs of a cashier
 * who works there would be without a limit. There are two counts with the same rule: five tries of a cashier, at all counters together,
 * and fifteen at a counter, of all its cashiers together. So a cashier who mistypes pauses nobody else, and one PIN cannot be tried on
 * many cashiers, nor one cashier's PIN at many counters. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms, minute_ms } from '../../core/duration.ts'

/** Of a cashier. */
export const triesInRound = 5
/** Of a counter: three cashiers may be paused there before it is paused itself. */
export const triesAtCounter = 15
/** The pauses in order. The last one is repeated. */
export const pauses_ms = [1, 5, 15, 60, 240].map((minutes) => minutes * minute_ms)
/** After a day without a wrong PIN the counts start again. */
export const forgottenAfter_ms = day_ms
/** So many wrong PINs of a cashier in a day are taken back by a right one. More are no typos. */
export const mostTypos = 10
/** The same at a counter, of all its cashiers. */
export const mostTyposAtCounter = 30
/** So many wrong PINs are a guess: owners are told. */
export const tellOwnersAt = 10

export type Tries = {
  /** Tries of this round. */
  readonly wrong: number
  readonly pauses: number
  readonly pausedUntil: Instant | null
  readonly total: number
  /** When a wrong one was last tried; of a try that is being checked: now. */
  readonly triedAt: Instant | null
  /** Tries since `daySince`, also those that were taken back. */
  readonly dayWrong: number
  readonly daySince: Instant | null
}

/** `newRound`: the tries of the round before count no longer. `begins`: this try began a pause. */
export type Counted = Tries & { readonly newRound: boolean; readonly begins: boolean }

export const isPaused = (tries: Pick<Tries, 'pausedUntil'>, now: Instant): boolean =>
  tries.pausedUntil !== null && now < tries.pausedUntil

/** The counts with one more try, of `most` in a round. The caller has made sure that there is no pause. */
export const countTry = (tries: Tries, now: Instant, most: number): Counted => {
  const forgotten = tries.triedAt !== null && now - tries.triedAt >= forgottenAfter_ms
  const newRound = forgotten || tries.pausedUntil !== null
  const wrong = (newRound ? 0 : tries.wrong) + 1
  const pauses = forgotten ? 0 : tries.pauses
  const begins = wrong >= most
  const newDay = tries.daySince === null || now - tries.daySince >= day_ms
  return {
    wrong,
    total: (forgotten ? 0 : tries.total) + 1,
    triedAt: now,
    dayWrong: (newDay ? 0 : tries.dayWrong) + 1,
    daySince: newDay ? now : tries.daySince,
    newRound,
    begins,
    pauses: begins ? pauses + 1 : pauses,
    pausedUntil: begins ? now + pauses_ms[Math.min(pauses, pauses_ms.length - 1)]! : null,
  }
}

/** Whether a right PIN takes the wrong ones before it back. It is one of the day itself. */
export const takesBack = ({ dayWrong }: Pick<Tries, 'dayWrong'>, most: number): boolean => dayWrong - 1 <= most

/**
 * The counts without a try that was no wrong one. A pause that it began did not happen; another one, of tries at the same time, stays.
 * `before`: when a wrong one was last tried before it.
 */
export const withoutTry = (tries: Tries, counted: Counted, before: Instant | null): Tries => {
  const pause = counted.begins && tries.pausedUntil === counted.pausedUntil
  return {
    ...tries,
    wrong: Math.max(0, tries.wrong - 1),
    total: Math.max(0, tries.total - 1),
    dayWrong: Math.max(0, tries.dayWrong - 1),
    triedAt: tries.triedAt === counted.triedAt ? before : tries.triedAt,
    ...(pause ? { pausedUntil: null, pauses: Math.max(0, tries.pauses - 1) } : {}),
  }
}
