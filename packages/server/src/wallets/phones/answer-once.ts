/**
 * A request of a phone is processed once: if it is sent again with the same id, it gets the same answer, byte for byte.
 * Of two at once on one node, the second waits for the first. On two nodes both may do the work, which is safe because
 * alerts are unique; both return the answer that was stored first. After a crash between the work and storing the
 * answer the work is done again, which is safe for the same reason. Failures are not stored.
 */
import type { Instant } from '../../core/clock.ts'
import type { PhoneId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { findRequests, rememberRequests } from './phone-sql.ts'

export type AnswerOnce = (
  request: { readonly deviceId: PhoneId; readonly requestId: string },
  work: () => Promise<string>,
  now: Instant,
) => Promise<string>

/**
 * Requests with a clock more than five minutes off are refused, so nobody asks for an answer older than ten minutes.
 */
export const answerLife_ms = 3_600_000

export const answerOnce = (db: Db): AnswerOnce => {
  const underWay = new Map<string, Promise<string>>()
  return ({ deviceId, requestId }, work, now) => {
    const key = `${deviceId} ${requestId}`
    const first = underWay.get(key)
    if (first !== undefined) return first
    const answering = (async () => {
      const [before] = await findRequests(db, [{ deviceId, requestId }])
      if (before !== undefined) return before.answer
      const answer = await work()
      const made = await rememberRequests(db, [{ deviceId, requestId, answer, now }])
      if (made.length > 0) return answer
      const [other] = await findRequests(db, [{ deviceId, requestId }])
      return other?.answer ?? answer
    })().finally(() => underWay.delete(key))
    underWay.set(key, answering)
    return answering
  }
}
