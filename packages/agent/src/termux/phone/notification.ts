/**
 * The notifications that are visible on the phone, as `termux-notification-list` prints them, and the reports made from
 * them. A notification that is seen again is the same report; one that was updated is a new report. Pure.
 */
import { createHash } from 'node:crypto'
import type { NativeAlert } from '../../native-client.ts'
import { instantOf } from './local-time.ts'
import { TermuxFault } from './run-program.ts'
import { longestText } from './sms-row.ts'

export type Notification = {
  readonly key: string
  readonly package: string
  readonly title: string
  readonly content: string
  /** Messages that one notification collects. */
  readonly lines: readonly string[]
  /** Local time without a zone, to the second. */
  readonly when: string
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const readNotifications = (printed: unknown): Notification[] => {
  if (!Array.isArray(printed)) throw new TermuxFault('unreadable', 'termux-notification-list printed no list')
  return printed.flatMap((entry: Record<string, unknown> | null) => {
    if (typeof entry !== 'object' || entry === null || textOf(entry.packageName) === '') return []
    return [
      {
        key: textOf(entry.key),
        package: textOf(entry.packageName),
        title: textOf(entry.title),
        content: textOf(entry.content),
        lines: Array.isArray(entry.lines) ? entry.lines.filter((line): line is string => typeof line === 'string') : [],
        when: textOf(entry.when),
      },
    ]
  })
}

const mostLines = 50

/**
 * The reports of one notification: its text, and each line that it collects. A line is the same report while its
 * notification is updated with more lines, so its id does not contain the time; equal lines are counted.
 */
export const reportsOf = (notification: Notification, sender: string, zone: string, now: number): NativeAlert[] => {
  const id = (...parts: readonly (string | number)[]): string =>
    `ntf-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`
  const shown_at = instantOf(notification.when, zone)
  const report = (client_id: string, text: string): NativeAlert => ({
    client_id,
    kind: 'notification',
    sender,
    package: notification.package,
    title: notification.title.slice(0, 500),
    text: text.slice(0, longestText),
    received_at: shown_at ?? now,
  })
  const lines = notification.lines.slice(-mostLines).filter((line) => line !== '' && line !== notification.content)
  const counts = new Map<string, number>()
  const lineReports = lines.map((line) => {
    const count = counts.get(line) ?? 0
    counts.set(line, count + 1)
    return report(id('line', notification.key, notification.title, line, count), line)
  })
  if (notification.content === '') return lineReports
  return [
    ...lineReports,
    report(
      id('whole', notification.key, shown_at ?? notification.when, notification.title, notification.content),
      notification.content,
    ),
  ]
}
