/**
 * Records what phones report. Every alert is stored with its raw text before the phone is answered; one that can be
 * matched is matched in the same transaction. Alerts of the same instant share it; they are settled in the order in which
 * they came, because balances follow from one another.
 */
import type { Report } from '../alerts/alert.ts'
import type { Instant } from '../ground/clock.ts'
import type { AccountId, DeviceId } from '../ground/ids.ts'
import type { Zone } from '../ground/zone.ts'
import type { Db } from '../postgres/database.ts'
import { gather } from '../postgres/gather.ts'
import type { Settling } from './decide.ts'
import { locksOf, type Settled, settle } from './settle.ts'
import type { UnderstandReport } from './understand-report.ts'

export type RecordAlerts = (
  from: {
    readonly accountId: AccountId
    readonly deviceId: DeviceId
    readonly adapter: string
    readonly trusted: boolean
  },
  reports: readonly Report[],
  now: Instant,
) => Promise<('accepted' | 'duplicate' | 'held')[]>

export const alertRecorder = (rooms: {
  readonly db: Db
  readonly shared: Db
  readonly zone: Zone
  readonly understand: UnderstandReport
  /** After the commit: what became of them. */
  readonly onSettled?: (accountId: AccountId, settled: readonly Settled[]) => void
}): RecordAlerts => {
  const { db, shared, zone, understand, onSettled } = rooms
  const settleShared = gather<Settling, Settled>({
    together: (items) => shared.transaction((tx) => settle(tx, items, zone), locksOf(items)),
    alone: async (item) => (await db.transaction((tx) => settle(tx, [item], zone), locksOf([item])))[0]!,
    most: 128,
    parallel: 1,
  })

  return async (from, reports, now) => {
    const items: Settling[] = []
    for (const report of reports) {
      const clean = storable(report)
      items.push({
        ...from,
        report: clean,
        understood: await understand(from.accountId, from.deviceId, clean, now),
        now,
      })
    }
    const settled = await Promise.all(items.map((item) => settleShared(item)))
    onSettled?.(from.accountId, settled)
    return settled.map(({ known, state }) => {
      if (known || state === 'duplicate') return 'duplicate'
      return state === 'held' ? 'held' : 'accepted'
    })
  }
}

const longestText = 65_536
const cut = (text: string, most: number): string => {
  // PostgreSQL stores no NUL and no half of a character; what stands for them is visible.
  const clean = text.replaceAll('\0', '\ufffd').toWellFormed()
  return clean.length <= most ? clean : clean.slice(0, most).toWellFormed()
}

/** An authenticated alert is never refused for what is in it: it is cut to what can be kept. */
const storable = (report: Report): Report => ({
  ...report,
  clientId: cut(report.clientId, 128),
  sender: cut(report.sender, 128),
  package: cut(report.package, 200),
  title: cut(report.title, 500),
  text: cut(report.text, longestText),
})
