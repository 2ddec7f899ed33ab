/**
 * Reads the messages of the inbox that are not known yet, however many came while the agent was not running.
 *
 * Termux lists pages with the newest first, by the time that the phone's clock had; clocks are wrong at times. So a
 * quick reading ends at the first page on which everything is known, but passes over pages that are dated in the
 * future; and a whole reading, at the start and once a day, goes to the end of the inbox. The end is a page with fewer
 * elements than asked for; elements that are no messages count too.
 */
import { instantOf } from './local-time.ts'
import { type InboxPage, rowKey, type SmsRow } from './sms-row.ts'

export type ListPage = (limit: number, offset: number) => Promise<InboxPage>

export type InboxReading = {
  /** The messages that `wanted` accepts, in the order of Android's numbers, the oldest first. */
  readonly rows: readonly SmsRow[]
  /** The keys of all messages that were read. */
  readonly keys: ReadonlySet<string>
  /** The end of the inbox was reached. */
  readonly complete: boolean
}

export const pageSize = 100
/** If messages are deleted meanwhile, others move up; without an overlap of the pages the gap would go unnoticed. */
const overlap = 10
/** A reading ends after this many elements, also when the list has no end. */
const mostElements = 100_000
const mostAttempts = 3
/** A message that is dated more than this after the phone's time counts as dated in the future. */
const ahead_ms = 3_600_000

export class InboxChanged extends Error {}

export const readInbox = async (
  list: ListPage,
  options: {
    readonly isKnown: (key: string) => boolean
    /** Whether a message is to be returned. */
    readonly wanted: (row: SmsRow, key: string) => boolean
    readonly whole: boolean
    readonly zone: string
    readonly now: number
  },
): Promise<InboxReading> => {
  for (let attempt = 1; ; attempt++) {
    const reading = await readOnce(list, options)
    if (reading !== undefined) return reading
    if (attempt === mostAttempts)
      throw new InboxChanged('Messages were deleted while the inbox was read. It is read again at the next sweep.')
  }
}

/** Undefined: two successive pages do not overlap, so messages may be missing between them. */
const readOnce = async (
  list: ListPage,
  { isKnown, wanted, whole, zone, now }: Parameters<typeof readInbox>[1],
): Promise<InboxReading | undefined> => {
  const rows = new Map<string, SmsRow>()
  const keys = new Set<string>()
  let offset = 0
  let complete = false
  for (let previousKeys: ReadonlySet<string> | undefined; ; ) {
    const page = await list(pageSize, offset)
    const pageKeys = new Set<string>()
    const length = page.rows.length + page.leftOut.length
    let hasUnknown = false
    let isPast = false
    for (const row of page.rows) {
      const key = rowKey(row)
      pageKeys.add(key)
      if (!isKnown(key)) hasUnknown = true
      if ((instantOf(row.received, zone) ?? now) <= now + ahead_ms) isPast = true
      if (wanted(row, key)) rows.set(key, row)
    }
    for (const key of pageKeys) keys.add(key)
    // If every element in the overlap was left out, these show that the pages overlap.
    for (const element of page.leftOut) pageKeys.add(element)
    if (previousKeys?.isDisjointFrom(pageKeys)) return undefined
    complete = length < pageSize
    if (complete || offset + length >= mostElements || (!whole && !hasUnknown && isPast)) break
    previousKeys = pageKeys
    offset += length - overlap
  }
  return { rows: [...rows.values()].sort((one, other) => one.id - other.id), keys, complete }
}
