/**
 * Alerts that were stored and not matched get their chance: released by the merchant although the phone was switched off,
 * or read by a template that was published since. They are settled as if they had just come, but keep the time at which
 * they did: a late one matches only inside its intent's window. Reading again goes in steps, and a step that was not
 * finished is taken again.
 */
import { accountsOfProvider, markReread, templateToReread } from '../alerts/template-sql.ts'
import type { Instant } from '../ground/clock.ts'
import type { AccountId } from '../ground/ids.ts'
import { type Refusal, refuse } from '../ground/refusal.ts'
import type { Zone } from '../ground/zone.ts'
import type { Db } from '../postgres/database.ts'
import type { RowOf } from '../postgres/statement.ts'
import type { Settling } from './decide.ts'
import { lockKeys } from './matching-sql.ts'
import { locksOf, type Settled, settle } from './settle.ts'
import { holdAlert, type storedColumns, unreadAlerts } from './stored-alert-sql.ts'
import type { UnderstandReport } from './understand-report.ts'

type Stored = RowOf<typeof storedColumns>
type Rooms = {
  readonly db: Db
  readonly zone: Zone
  readonly understand: UnderstandReport
  /** After the commit: what became of those that were read again. */
  readonly onSettled?: (accountId: AccountId, settled: readonly Settled[]) => void
}

const settling = async (row: Stored, understand: UnderstandReport, now: Instant): Promise<Settling> => {
  const report = {
    clientId: row.client_id,
    kind: row.kind,
    sender: row.sender,
    package: row.package,
    title: row.title,
    text: row.raw_text,
    simSlot: row.sim_slot,
    sentAt: row.sent_at,
    phoneReceivedAt: row.phone_received_at,
  }
  return {
    accountId: row.account_id,
    deviceId: row.device_id,
    adapter: row.adapter,
    trusted: row.trusted,
    report,
    understood: await understand(row.account_id, row.device_id, report, now),
    now,
    stored: { id: row.id, receivedAt: row.received_at, was: row.state },
    released: true,
  }
}

export const releaseHeld = (
  rooms: Rooms,
  asked: { readonly accountId: AccountId; readonly alertId: string },
  now: Instant,
): Promise<Settled | Refusal<'alert_unknown' | 'alert_not_held'>> =>
  rooms.db.transaction(async (tx) => {
    const [row] = await holdAlert(tx, asked.accountId, asked.alertId)
    if (row === undefined) return refuse('alert_unknown')
    if (row.state !== 'held') return refuse('alert_not_held')
    const item = await settling(row, rooms.understand, now)
    await lockKeys(tx, locksOf([item]))
    const [settled] = await settle(tx, [item], rooms.zone)
    return settled!
  })

/** Reads again what nobody understood, in steps; answers how many are understood now. */
export const rereadAlerts = async (
  rooms: Rooms,
  asked: { readonly accountId: AccountId; readonly senders: readonly string[] },
  now: Instant,
): Promise<number> => {
  const step = 100
  let understood = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await unreadAlerts(rooms.db, asked.accountId, asked.senders, after, step)
    const items = await Promise.all(rows.map((row) => settling(row, rooms.understand, now)))
    const readable = items.filter((item) => item.understood.kind === 'read')
    if (readable.length > 0) {
      const settled = await rooms.db.transaction((tx) => settle(tx, readable, rooms.zone), locksOf(readable))
      rooms.onSettled?.(asked.accountId, settled)
      understood += readable.length
    }
    if (rows.length < step) return understood
    after = rows.at(-1)!.id
  }
}

/** Takes the next published template and reads again what its senders sent. True: there may be more to do. */
export const rereadForNext = async (rooms: Rooms, now: Instant): Promise<boolean> => {
  const [template] = await templateToReread(rooms.db)
  if (template === undefined) return false
  const senders = JSON.parse(template.sender_names) as string[]
  for (const { account_id } of await accountsOfProvider(rooms.db, template.provider_id))
    await rereadAlerts(rooms, { accountId: account_id, senders }, now)
  await markReread(rooms.db, template.id)
  return true
}
