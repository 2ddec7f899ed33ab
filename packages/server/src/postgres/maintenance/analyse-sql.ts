import { text } from '../query/columns.ts'
import { statement } from '../query/statement.ts'

/**
 * Tables of Sanad that have rows but were never analysed, or that have several times as many rows as at the last time.
 * (`reltuples` is the count of that time, `n_live_tup` the present one.) Daily partitions are left out: they are only read by key.
 */
export const grownTables = statement(
  'grown_tables',
  { name: text() },
  (least: number) => [least],
  `
  select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_stat_user_tables s on s.relid = c.oid
   where n.nspname = 'public' and c.relkind = 'r' and not c.relispartition
     and s.n_live_tup >= $1 and (c.reltuples < 0 or s.n_live_tup > 4 * c.reltuples)
   order by 1`,
)
