/**
 * Reads all intents of a filter, newest first, in batches: only one batch is in memory, and no transaction stays open
 * between batches. Intents created in the meantime are not included. An intent that changes in the meantime is read before
 * or after the change, never twice.
 */
import type { Instant } from '../../core/clock.ts'
import type { Intent } from '../../intents/intent.ts'
import type { Filter, Order } from '../../intents/list/intent-list.ts'
import type { ListIntents } from './list-intents.ts'

const newestFirst: readonly Order[] = [{ field: 'created_at', down: true }]
export const batchSize = 500

export async function* eachIntent(
  list: Pick<ListIntents, 'page'>,
  filter: Filter,
  now: Instant,
): AsyncGenerator<readonly Intent[], void> {
  let until = Math.min(filter.until ?? Number.POSITIVE_INFINITY, now + 1)
  let last: Intent | undefined
  let offset = 0
  for (;;) {
    const rows = await list.page({ ...filter, everyRow: true, until }, newestFirst, batchSize, offset, now)
    // The next batch begins in the millisecond in which the previous one ended, because that may have more intents.
    const previous = last
    const unread = previous === undefined ? rows : rows.filter(({ id }) => id < previous.id)
    if (unread.length > 0) yield unread
    if (rows.length < batchSize) return
    last = unread.at(-1) ?? last
    // A millisecond with more intents than a batch is paged by offset.
    const isSameMillisecond = rows.at(-1)!.createdAt + 1 === until
    offset = isSameMillisecond ? offset + batchSize : 0
    until = rows.at(-1)!.createdAt + 1
  }
}
