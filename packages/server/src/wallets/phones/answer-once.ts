/**
 * A request of a phone is processed once: if it is sent again with the same id, it gets the same answer, byte for byte.
 * If it arrives twice at once on one node, the second waits for the first. On two nodes both may do the work, which is
 * safe because alerts are unique; both return the answer that was stored first. After a crash between the work and
 * storing the answer the work is done again, which is safe for the same reason. Failures are not stored.
 */
import type { Instant } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'
import type { PhoneId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { findPhoneRequests, rememberPhoneRequests } from './phone-sql.ts'

export type AnswerOnce = (
  request: { readonly phoneId: PhoneId; readonly requestId: string },
  work: () => Promise<string>,
  now: Instant,
) => Promise<string>

/**
 * How long answers are stored. A request whose clock is more than five minutes off is refused, so a request that is sent
 * again asks for an answer of the last ten minutes.
 */
export const answerLife_ms = hour_ms

export const answerOnce = (db: Db): AnswerOnce => {
  const underWay = new Map<string, Promise<string>>()
  return ({ phoneId, requestId }, work, now) => {
    const key = `${phoneId} ${requestId}`
    const running = underWay.get(key)
    if (running !== undefined) return running
    const answering = (async () => {
      const [known] = await findPhoneRequests(db, [{ phoneId, requestId }])
      if (known !== undefined) return known.answer
      const answer = await work()
      const stored = await rememberPhoneRequests(db, [{ phoneId, requestId, answer, now }])
      if (stored.length > 0) return answer
      const [other] = await findPhoneRequests(db, [{ phoneId, requestId }])
      return other?.answer ?? answer
    })().finally(() => underWay.delete(key))
    underWay.set(key, answering)
    return answering
  }
}
