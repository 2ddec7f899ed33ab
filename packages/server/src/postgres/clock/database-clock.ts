/**
 * The clock of a node. Its time is the database's: the ticks of this machine plus a lead that is learned by asking the database
 * every second, so that all nodes have one time and a small error of a machine's own clock has no effect. The machine's time of
 * day is compared with it: a machine whose own clock is far off is not trusted with work that depends on the time
 * (postgres/clock/clock-agreement.ts).
 *
 * While the database does not answer, the last known lead stands.
 */
import { type Clock, type MachineClocks, machineClocks } from '../../core/clock.ts'
import {
  type ClockState,
  clockSentence,
  clockStateOf,
  type DatabaseLead,
  leadOf,
  mostSamples,
  sampleOf,
} from './clock-agreement.ts'
import type { ClockGuard } from './clock-guard.ts'

export type DatabaseClock = Clock & ClockGuard & { stop(): Promise<void> }

/** If the machine's time of day moved by more than this against its ticks, one of them jumped: the database is asked at once. */
const jump_ms = 250
/** A lead that is older is checked before it is used: the node was frozen, or the ticks jumped. */
const staleAfter_ms = 3_000
/** How long work waits for the database's answer. Without one the last known lead stands. */
const waitMost_ms = 1_000
/** The time does not go back by less than this when the lead is corrected: it stands still until it is right. */
const standStill_ms = 1_000
/** Opening the connection is a part of the first round trip. */
const firstSamples = 3

export const openDatabaseClock = async (options: {
  /** Returns the database's time in milliseconds. */
  readonly ask: () => Promise<number>
  readonly machine?: MachineClocks
  readonly every_ms?: number
  /** The agreement changed, or is not `agrees` at the start. */
  readonly onChange: (state: ClockState, sentence: string) => void
  /** Called after each answer of the database. */
  readonly onMeasured?: (state: ClockState) => void
}): Promise<DatabaseClock> => {
  const { ask, machine = machineClocks, every_ms = 1_000, onChange, onMeasured } = options
  let samples: readonly DatabaseLead[] = []
  let lead: DatabaseLead = { lead_ms: 0, error_ms: 0 }
  /** The time of day minus the ticks at the last sample. */
  let lastGap_ms = 0
  let askedAt = 0
  let last = Number.NEGATIVE_INFINITY
  let reported: ClockState['agreement'] = 'agrees'
  let asking: Promise<void> | undefined

  const gap_ms = (): number => machine.wall() - machine.ticks()
  const state = (): ClockState => clockStateOf(lead, machine.wall(), machine.ticks())
  const report = (): void => {
    const current = state()
    if (current.agreement === reported) return
    reported = current.agreement
    onChange(current, clockSentence(current, machine.wall()))
  }

  const takeSample = async (): Promise<void> => {
    const sentAt = machine.ticks()
    const databaseTime_ms = await ask()
    samples = [sampleOf(sentAt, databaseTime_ms, machine.ticks()), ...samples].slice(0, mostSamples)
    lead = leadOf(samples)
    lastGap_ms = gap_ms()
    onMeasured?.(state())
  }
  /** Asks the database once, for all who wait. */
  const measure = (): Promise<void> => {
    asking ??= takeSample()
      .catch(() => {})
      .finally(() => {
        askedAt = machine.ticks()
        asking = undefined
        report()
      })
    return asking
  }
  const isDoubtful = (): boolean => {
    const age_ms = machine.ticks() - askedAt
    return age_ms > staleAfter_ms || age_ms < 0 || Math.abs(gap_ms() - lastGap_ms) > jump_ms
  }
  const inTime = async (work: Promise<void>): Promise<void> => {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, waitMost_ms)
    await Promise.race([work, late]).finally(() => clearTimeout(timer))
  }

  // The first answers are awaited, and a database that does not answer fails the start.
  for (let n = 0; n < firstSamples; n++) await takeSample()
  askedAt = machine.ticks()
  report()

  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const plan = (): void => {
    if (stopped) return
    timer = setTimeout(() => void measure().then(plan), every_ms)
    timer.unref()
  }
  plan()

  return {
    now() {
      const at = Math.floor(machine.ticks() + lead.lead_ms)
      if (at < last && last - at < standStill_ms) return last
      last = at
      return at
    },
    state,
    refusal() {
      const current = state()
      return current.agreement === 'refused' ? clockSentence(current, machine.wall()) : undefined
    },
    mayWork() {
      if (!isDoubtful()) return state().agreement !== 'refused'
      return inTime(measure()).then(() => state().agreement !== 'refused')
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await asking
    },
  }
}
