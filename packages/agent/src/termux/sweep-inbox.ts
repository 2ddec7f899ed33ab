/**
 * Finds new messages in the inbox and queues those whose sender matters.
 *
 * The first sweep after pairing marks old messages as seen: only those of the last hour before the pairing are reported,
 * because an open intent can wait for them. If the store was lost, the first sweep reports the messages since
 * the pairing again, of the last 30 days at most; they have the same ids, so the service stores none twice. When a
 * wallet with a new sender is bound, messages of that sender from the last day are reported.
 */
import { rulesOf } from './agent-config.ts'
import { instantOf } from './phone/local-time.ts'
import { type ListPage, readInbox } from './phone/read-inbox.ts'
import { reportOfRow, rowKey } from './phone/sms-row.ts'
import { type AgentStore, mostSms } from './store/agent-store.ts'

const day_ms = 86_400_000
/** Messages from up to this long before the pairing are reported. */
export const historyBeforePairing_ms = 3_600_000
const rebuild_ms = 30 * day_ms
const wholeEvery_ms = day_ms
const rereadBack_ms = day_ms

/** Whether the inbox must be read to its end: at the first sweep, after a change of the senders, and once a day. */
export const isWholeReadingDue = (store: AgentStore, now: number): boolean => {
  const readAt = store.number('whole_read_at')
  return (
    !hasBegun(store) ||
    store.state('reread_since') !== undefined ||
    readAt === undefined ||
    now - readAt >= wholeEvery_ms ||
    readAt > now
  )
}

/** Whether the first sweep is done. */
export const hasBegun = (store: AgentStore): boolean => store.state('began') !== undefined

export const sweepInbox = async (
  store: AgentStore,
  list: ListPage,
  options: {
    /** Messages from before this instant are not reported. */
    readonly historyFrom: number
    readonly zone: string
    readonly now: number
    /** Read to the end of the inbox. The first sweep always does. */
    readonly whole: boolean
    readonly most?: number
  },
): Promise<void> => {
  const { zone, now, historyFrom, most = mostSms } = options
  const { senders } = rulesOf(JSON.parse(store.state('config') ?? 'null'))
  const isFirst = !hasBegun(store)
  const whole = options.whole || isFirst
  const rereadSince = whole ? store.number('reread_since') : undefined
  const earliest = isFirst ? Math.max(historyFrom, now - rebuild_ms) : Number.NEGATIVE_INFINITY
  const rereadFrom = Math.max(historyFrom, (rereadSince ?? now) - rereadBack_ms)

  const receivedAt = (received: string): number => instantOf(received, zone) ?? now
  const reading = await readInbox(list, {
    isKnown: (key) => store.wasReported(key) !== undefined,
    wanted: (row, key) => {
      const reported = store.wasReported(key)
      if (reported === undefined) return true
      const isReread = rereadSince !== undefined && receivedAt(row.received) >= rereadFrom
      return !reported && isReread && senders.has(row.sender)
    },
    whole,
    zone,
    now,
  })
  const seen = reading.rows.map((row) => {
    const at = receivedAt(row.received)
    return { key: rowKey(row), report: senders.has(row.sender) && at >= earliest ? reportOfRow(row, at) : undefined }
  })
  const left = store.addRows(seen, most)
  store.setState({
    swept_at: String(now),
    problem_queue: left > 0 ? 'full' : null,
    ...(left === 0 ? { began: '1' } : {}),
    ...(left === 0 && whole ? { whole_read_at: String(now), reread_since: null } : {}),
  })
  if (left === 0 && reading.complete) store.keepSeen(reading.keys)
}
