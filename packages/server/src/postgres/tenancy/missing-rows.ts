/** Which rows of an account are in one database alone: their ids begin with the time at which they were made. */
import type { Instant } from '../../core/clock.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { Session } from '../connection/database.ts'

/** What would be missed: money, messages, and what merchants are told. */
const tables = ['intents', 'alerts', 'events'] as const
const page = 10_000

const countIn = async (
  source: Session,
  target: Session,
  table: string,
  accountId: string,
  since: Instant,
): Promise<number> => {
  let missing = 0
  let last = firstIdAt(since)
  for (;;) {
    const rows = await source.run({
      text: `select id::text from ${table} where account_id = $1 and id > $2 order by id limit ${page}`,
      values: [accountId, last],
    })
    const ids = rows.map(([id]) => String(id))
    const [row] = await target.run({
      text: `select count(*) from unnest($2::uuid[]) as n (id)
              where not exists (select from ${table} t where t.account_id = $1 and t.id = n.id)`,
      values: [accountId, ids],
    })
    missing += Number(row![0])
    if (ids.length < page) return missing
    last = ids.at(-1)!
  }
}

/** What was written in the source since and is not in the target, such as `3 intents`. */
export const countMissing = async (
  source: Session,
  target: Session,
  accountId: string,
  since: Instant,
): Promise<string[]> => {
  const missing: string[] = []
  for (const table of tables) {
    const count = await countIn(source, target, table, accountId, since)
    if (count > 0) missing.push(`${count} ${table}`)
  }
  return missing
}
