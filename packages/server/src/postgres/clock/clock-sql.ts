/** The database's clock in statements. */
import { whole } from '../query/columns.ts'
import { statement } from '../query/statement.ts'

/** The database's time, in microseconds. */
export const askTime = statement(
  'ask_time',
  { time_us: whole() },
  () => [],
  `select (extract(epoch from clock_timestamp()) * 1000000)::int8 as time_us`,
)

/**
 * The instant until which windows have closed, for `now` of the caller: an end is stored only if the clock of the node and the
 * clock of the database have both passed it. (`database_time()` is the time of the statement; it is stable, so an index can use
 * it.)
 */
export const closedUntil = (now: string): string => `least(${now}::timestamptz, database_time())`
