import { text } from '../query/columns.ts'
import { statement } from '../query/statement.ts'

/**
 * Tables of ours that PostgreSQL has never looked at, though rows have come, or that hold several times as many as when it
 * last did. (Its count of tuples is of then; that of living ones is of now.) Not what is kept by the day: that is only ever
 * read by its keys.
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
