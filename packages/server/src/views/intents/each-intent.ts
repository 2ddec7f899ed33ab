/**
 * All intents of a filter, newest first, a batch at a time: only one batch is in memory, and no transaction stays open
 * between two. Intents created meanwhile are not included; one that changes meanwhile is shown before or after the
 * change, never twice.
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
    const rows = await list.page({ ...filter, until }, newestFirst, batchSize, offset, now)
    // The next batch begins in the millisecond in which the last one ended: it may have more intents.
    const seen = last
    const fresh = seen === undefined ? rows : rows.filter(({ id }) => id < seen.id)
    if (fresh.length > 0) yield fresh
    if (rows.length < batchSize) return
    last = fresh.at(-1) ?? last
    // A millisecond with more than a batch of intents is paged by offset.
    const stuck = rows.at(-1)!.createdAt + 1 === until
    offset = stuck ? offset + batchSize : 0
    until = rows.at(-1)!.createdAt + 1
  }
}
