/**
 * The schema as text, read from PostgreSQL's own catalogue: what `migrations/` add up to, for people to read and for
 * `schema.sql` to be held against. (The embedded PostgreSQL comes without pg_dump.)
 */
import pg from 'pg'

const tablesSql = `
  select c.oid, c.relname as name,
         (select string_agg(format('  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                                   case when a.attnotnull then ' not null' else '' end,
                                   coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')), E',\n' order by a.attnum)
            from pg_attribute a
            left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
         -- From PostgreSQL 18 on, not null is a constraint of its own; it stands with its column.
         (select string_agg(format('  constraint %s %s', o.conname, pg_get_constraintdef(o.oid)), E',\n'
                            order by o.contype, o.conname)
            from pg_constraint o where o.conrelid = c.oid and o.contype <> 'n') as constraints,
         (select string_agg(pg_get_indexdef(i.indexrelid) || ';', E'\n' order by pg_get_indexdef(i.indexrelid))
            from pg_index i
           where i.indrelid = c.oid
             and not exists (select from pg_constraint o where o.conindid = i.indexrelid and o.conrelid = c.oid)) as indexes
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
   order by c.relname`

// Functions of extensions are left out.
const functionsSql = `
  select pg_get_functiondef(p.oid) as text
    from pg_proc p
   where p.pronamespace = 'public'::regnamespace
     and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
   order by p.proname`

export const dumpSchema = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const extensions = await client.query<{ extname: string }>(
      `select extname from pg_extension where extname <> 'plpgsql' order by extname`,
    )
    const tables = await client.query<{
      name: string
      columns: string
      constraints: string | null
      indexes: string | null
    }>(tablesSql)
    const functions = await client.query<{ text: string }>(functionsSql)
    const parts = [
      '-- What the migrations add up to. Written by `npm run dumps`; a test fails when it is stale.',
      extensions.rows.map(({ extname }) => `create extension ${extname};`).join('\n'),
      ...functions.rows.map(({ text }) => `${text.trimEnd()};`),
      ...tables.rows.map(({ name, columns, constraints, indexes }) =>
        [`create table ${name} (\n${[columns, constraints].filter((part) => part !== null).join(',\n')});`, indexes]
          .filter((part) => part !== null)
          .join('\n'),
      ),
    ]
    return `${parts.join('\n\n')}\n`
  } finally {
    await client.end()
  }
}
