/**
 * Which backups in a folder are kept, as `7d,4w,6m` says: the newest of each of the last 7 days, 4 weeks and 6 months that have a
 * backup. Days, weeks (from Monday) and months are those of UTC. Pure.
 *
 * Days without a backup do not count, so a clock that is years ahead uses up one day, not all of them. A backup that is dated after
 * now is neither deleted nor counted: it cannot take the place of another one. The newest backup is never deleted.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms, minute_ms } from '../../core/duration.ts'

const units = { d: 'days', w: 'weeks', m: 'months', y: 'years' } as const
type Unit = keyof typeof units
export type KeepRule = { readonly [unit in Unit]?: number }

const largestCount = 9_999

/** `7d,4w,6m`; undefined: it is not a rule. At least one part, each unit once, each count 1 or more. */
export const readKeepRule = (text: string): KeepRule | undefined => {
  const rule: { [unit in Unit]?: number } = {}
  for (const part of text.split(',')) {
    const [, count, unit] = /^([1-9]\d{0,3})([dwmy])$/.exec(part.trim()) ?? []
    if (count === undefined || rule[unit as Unit] !== undefined || Number(count) > largestCount) return undefined
    rule[unit as Unit] = Number(count)
  }
  return rule
}

export const keepRuleText = (rule: KeepRule): string =>
  (Object.keys(units) as Unit[])
    .filter((unit) => rule[unit] !== undefined)
    .map((unit) => `${rule[unit]} ${units[unit]}`)
    .join(', ')

const nameForm = /^sanad-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup(\.age)?$/

/** The file name of a backup of that moment, in whole seconds of UTC. */
export const backupName = (now: Instant, isEncrypted: boolean): string => {
  const seconds = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  return `sanad-${seconds}Z.backup${isEncrypted ? '.age' : ''}`
}

/** The moment in a name that `backupName` made; undefined: the file has another name. */
export const momentOfName = (name: string): Instant | undefined => {
  const [, year, month, day, hour, minute, second] = nameForm.exec(name) ?? []
  if (year === undefined) return undefined
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // A day that does not exist, such as February 31, becomes another day: such a name is not ours.
  return Number.isNaN(moment) || backupName(moment, name.endsWith('.age')) !== name ? undefined : moment
}

const periodOf: { readonly [unit in Unit]: (moment: Instant) => string } = {
  d: (moment) => new Date(moment).toISOString().slice(0, 10),
  // 1970-01-01 was a Thursday: three days later a week begins.
  w: (moment) => String(Math.floor((Math.floor(moment / day_ms) + 3) / 7)),
  m: (moment) => new Date(moment).toISOString().slice(0, 7),
  y: (moment) => new Date(moment).toISOString().slice(0, 4),
}

export type DatedFile = { readonly name: string; readonly at: Instant }

/** Two machines that write into one folder differ by some seconds. */
const allowedAhead_ms = 5 * minute_ms

/** Whether a backup is dated after now, because a clock was or is wrong. */
export const isFromFuture = (file: DatedFile, now: Instant): boolean => file.at > now + allowedAhead_ms

/** The files that the rule does not keep, the oldest first. `written`: the backup of this run. */
export const backupsToDelete = (
  files: readonly DatedFile[],
  rule: KeepRule,
  now: Instant,
  written: string,
): readonly DatedFile[] => {
  const counted = files
    .filter((file) => !isFromFuture(file, now))
    .toSorted((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
  const kept = new Set([written, ...counted.slice(0, 1).map(({ name }) => name)])
  for (const unit of Object.keys(rule) as Unit[]) {
    const periods = new Set<string>()
    for (const { name, at } of counted) {
      const period = periodOf[unit](at)
      if (periods.has(period)) continue
      if (periods.size === rule[unit]) break
      periods.add(period)
      kept.add(name)
    }
  }
  return counted.filter(({ name }) => !kept.has(name)).toReversed()
}
