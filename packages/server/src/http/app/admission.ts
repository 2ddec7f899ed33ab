/**
 * Which requests are refused because this process has more than it can answer in time. Pure: the hook that asks is in
 * refuse-overload.ts.
 *
 * The time that a request takes is the number under way divided by how many are answered a second (Little's law). So the number under
 * way is bounded by what was answered lately, times the time that a request may take. A burst is no overload: nothing is refused until
 * there have been more than the bound for half a second without a pause. From then on a lower bound holds at once, until nothing was
 * refused for two seconds.
 *
 * Callers are treated alike: one who has less under way than his share is taken, while there are fewer callers than twice the usual bound. So
 * who sends little is answered while another floods.
 */
import type { Instant } from '../../core/clock.ts'

export type Bound = {
  /** How long a request may take. */
  readonly target_ms: number
  /** So many under way are never too many. */
  readonly least: number
}

export type AdmissionRules = {
  /** More than this are too many. Callers who wait for their answers are served, if slowly, on a slow machine too. */
  readonly usual: Bound
  /** During an overload, which callers who wait for their answers do not cause. A request also takes as long as the process needs to read
   *  it and to write its answer. */
  readonly overloaded: Bound
  /** How long there must be too many before the first is refused. */
  readonly patience_ms: number
  /** After so long without a refusal the overload is over. */
  readonly calm_ms: number
  /** Over which time answers are counted. */
  readonly window_ms: number
}

export const admissionRules: AdmissionRules = {
  usual: { target_ms: 50, least: 128 },
  overloaded: { target_ms: 30, least: 32 },
  patience_ms: 500,
  calm_ms: 2_000,
  window_ms: 250,
}

export type Admission = {
  /** Whether `enter` would refuse now: asked before anything is done for the request. */
  refuses(caller: string, now: Instant): boolean
  /** False: refuse the request. True: `leave` must follow. `caller`: who sends it; several may not be told apart. */
  enter(caller: string, now: Instant): boolean
  leave(caller: string, now: Instant): void
  readonly underWay: number
}

/** How many may be under way. */
export const boundFor = (answered_per_s: number, { least, target_ms }: Bound): number =>
  Math.max(least, Math.floor((answered_per_s * target_ms) / 1000))

/** What one of so many callers may have under way while there are too many. */
export const shareOf = (bound: number, callers: number): number => Math.max(1, Math.floor(bound / Math.max(1, callers)))

export const admission = (rules: AdmissionRules = admissionRules): Admission => {
  const ofCaller = new Map<string, number>()
  let underWay = 0
  let tooManySince: Instant | undefined
  let refusedAt: Instant | undefined
  let answered = 0
  let windowBegan: Instant | undefined
  let perSecond = 0

  const endWindow = (now: Instant): void => {
    windowBegan ??= now
    const took_ms = now - windowBegan
    if (took_ms < rules.window_ms) return
    const rate = (answered * 1000) / took_ms
    // A single stalled window halves the bound, and does not end it.
    perSecond = perSecond === 0 ? rate : (perSecond + rate) / 2
    answered = 0
    windowBegan = now
  }

  const refuses = (caller: string, now: Instant): boolean => {
    endWindow(now)
    const isOverloaded = refusedAt !== undefined && now - refusedAt < rules.calm_ms
    const bound = boundFor(perSecond, isOverloaded ? rules.overloaded : rules.usual)
    if (underWay < bound) tooManySince = undefined
    else tooManySince ??= now
    if (tooManySince === undefined) return false
    if (!isOverloaded && now - tooManySince < rules.patience_ms) return false
    const own = ofCaller.get(caller) ?? 0
    if (own < shareOf(bound, ofCaller.size) && ofCaller.size < 2 * boundFor(perSecond, rules.usual)) return false
    refusedAt = now
    return true
  }

  return {
    get underWay() {
      return underWay
    },
    refuses,
    enter(caller, now) {
      if (refuses(caller, now)) return false
      underWay++
      ofCaller.set(caller, (ofCaller.get(caller) ?? 0) + 1)
      return true
    },
    leave(caller, now) {
      endWindow(now)
      answered++
      underWay--
      const left = (ofCaller.get(caller) ?? 1) - 1
      if (left === 0) ofCaller.delete(caller)
      else ofCaller.set(caller, left)
    },
  }
}
