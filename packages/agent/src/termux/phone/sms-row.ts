/**
 * A message of the phone's inbox, as `termux-sms-list` prints it, and the key by which it is recognised. Pure.
 *
 * Android numbers messages (`_id`), but gives the number of a deleted newest message to the next one. So the key is the
 * number together with a digest of the message, and the same message always has the same key.
 */
import { createHash } from 'node:crypto'
import type { NativeAlert } from '../../native-client.ts'
import { zoneFreePart } from './local-time.ts'
import { TermuxFault } from './run-program.ts'

export type SmsRow = {
  /** Android's number of the message. */
  readonly id: number
  readonly sender: string
  readonly text: string
  /** Local time without a zone, to the second. */
  readonly received: string
}

/** A page of the inbox. */
export type InboxPage = {
  readonly rows: readonly SmsRow[]
  /** The elements that are no received message, as JSON. They count for the length of the page. */
  readonly leftOut: readonly string[]
}

/** Longer than any SMS, and shorter than what the service stores. */
export const longestText = 10_000

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A printed page. Elements without a number are left out: they cannot be recognised again. */
export const readPage = (printed: unknown): InboxPage => {
  if (!Array.isArray(printed)) throw new TermuxFault('unreadable', 'termux-sms-list printed no list')
  const rows: SmsRow[] = []
  const leftOut: string[] = []
  for (const entry of printed) {
    const row = rowOf(entry)
    if (row === undefined) leftOut.push(JSON.stringify(entry))
    else rows.push(row)
  }
  return { rows, leftOut }
}

const rowOf = (entry: Record<string, unknown> | null): SmsRow | undefined => {
  if (typeof entry !== 'object' || entry === null || !Number.isSafeInteger(entry._id)) return undefined
  if (entry.type !== undefined && entry.type !== 'inbox') return undefined
  const sender = textOf(entry.address) || textOf(entry.number)
  return { id: entry._id as number, sender, text: textOf(entry.body), received: textOf(entry.received) }
}

export const rowKey = ({ id, sender, text, received }: SmsRow): string => {
  const digest = createHash('sha256').update(JSON.stringify([sender, zoneFreePart(received), text]))
  return `${id}-${digest.digest('hex').slice(0, 24)}`
}

/** `client_id` follows from the message alone: if the queue is lost, the same message is sent under the same id. */
export const reportOfRow = (row: SmsRow, received_at: number): NativeAlert => ({
  client_id: `sms-${rowKey(row)}`,
  kind: 'sms',
  sender: row.sender,
  text: row.text.slice(0, longestText),
  received_at,
})
