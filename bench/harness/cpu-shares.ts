/**
 * The CPU time that Sanad, PostgreSQL, the load generator and all other programs used during a measurement, in
 * processors: 1 is one processor, busy all the time. Linux only; undefined elsewhere.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

export type Shares = {
  readonly sanad: number
  readonly postgres: number
  /** The benchmark itself: wrk or pgbench. */
  readonly load: number
  /** All other programs on the machine. */
  readonly others: number
}

export const sharesText = (shares: Shares | undefined): string =>
  shares === undefined
    ? 'unknown'
    : `Sanad ${shares.sanad.toFixed(2)}, PostgreSQL ${shares.postgres.toFixed(2)}, load ${shares.load.toFixed(2)}, other programs ${shares.others.toFixed(2)}`

/** Other programs that use less than this, in processors, do not disturb a measurement. */
export const idleLimit = 0.25

/** Linux counts in hundredths of a second. */
const ticks_s = 100

type Stat = { readonly parent: number; readonly ticks: number; readonly withEnded: number }

const statOf = (pid: number | string): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may contain spaces; the fields after it do not.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = fields[11]! + fields[12]!
    return { parent: fields[1]!, ticks, withEnded: ticks + fields[13]! + fields[14]! }
  } catch {
    return undefined
  }
}

const familyTicks = (parent: number): number => {
  let sum = statOf(parent)?.withEnded ?? 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = statOf(name)
    if (stat?.parent === parent) sum += stat.ticks
  }
  return sum
}

/** A process and its own children, but for PostgreSQL: the processes of one machine. */
const sanadTicks = (pid: number, postmasterPid: number): number => {
  let sum = statOf(pid)?.ticks ?? 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === postmasterPid) continue
    const stat = statOf(name)
    if (stat?.parent === pid) sum += stat.ticks
  }
  return sum
}

/** The processor time of processes until now, with their children that have ended. */
export const processorTime_s = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (statOf(pid)?.withEnded ?? 0), 0) / ticks_s

const machineIdle = (): number => {
  const [, , , , idle, waiting] = readFileSync('/proc/stat', 'latin1').split('\n')[0]!.split(/\s+/).map(Number)
  return idle! + waiting!
}

type Sample = { at: number; sanad: number; postgres: number; load: number; idle: number }

const sample = (sanadPid: number | undefined, postmasterPid: number, load: readonly number[]): Sample => ({
  at: performance.now(),
  sanad: sanadPid === undefined ? 0 : sanadTicks(sanadPid, postmasterPid),
  postgres: familyTicks(postmasterPid),
  load: load.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0), statOf('self')?.withEnded ?? 0),
  idle: machineIdle(),
})

/** Waits until other programs use little, a few seconds at most. */
export const waitForIdle = async (): Promise<void> => {
  if (!existsSync('/proc/stat')) return
  const deadline = AbortSignal.timeout(3_000)
  while (!deadline.aborted) {
    const [began, idle] = [performance.now(), machineIdle()]
    await delay(300)
    const ticks = ((performance.now() - began) / 1000) * ticks_s
    if (availableParallelism() - (machineIdle() - idle) / ticks < idleLimit) return
  }
}

/** Begins to measure; the returned function ends it. `loadPids`: programs of the benchmark that keep running. */
export const watchProcessors = (
  sanadPid: number | undefined,
  postmasterPid: number,
  loadPids: readonly number[] = [],
): (() => Shares | undefined) => {
  if (!existsSync('/proc/stat')) return () => undefined
  const before = sample(sanadPid, postmasterPid, loadPids)
  return () => {
    const after = sample(sanadPid, postmasterPid, loadPids)
    const ticks = ((after.at - before.at) / 1000) * ticks_s
    const share = (name: 'sanad' | 'postgres' | 'load' | 'idle'): number => (after[name] - before[name]) / ticks
    const [sanad, postgres, load] = [share('sanad'), share('postgres'), share('load')]
    const others = Math.max(0, availableParallelism() - share('idle') - sanad - postgres - load)
    return { sanad, postgres, load, others }
  }
}
