import { text, whole } from '../query/columns.ts'
import { statement } from '../query/statement.ts'

/**
 * What a node reads every second. `keys` changes whenever master-key-sql.ts would read other rows; empty: there are none. `frozen`: the
 * ids of the frozen accounts. `moved`: a line for each account that is used in another cell, its id and the origin of that cell. Index:
 * primary key of master_keys; account_freezes and account_moves have few rows, mostly none.
 */
export const readPulse = statement(
  'read_pulse',
  { time_us: whole(), keys: text(), frozen: text(), moved: text() },
  () => [],
  `
  select (extract(epoch from clock_timestamp()) * 1000000)::int8 as time_us,
         coalesce((select string_agg(concat_ws(' ', k.generation, k.done_at, k.tokens_until), ', ' order by k.generation desc)
                     from (select generation, done_at, tokens_until
                             from master_keys order by generation desc limit 20) k), '') as keys,
         array_to_string(array(select f.account_id from account_freezes f), ' ') as frozen,
         array_to_string(array(select v.account_id || ' ' || v.origin from account_moves v where v.state = 'switched'), E'\\n') as moved`,
)
