/**
 * The schema as text, read from PostgreSQL's own catalogue: the result of all migrations, with the comments of tables,
 * columns, constraints and indexes above them. `schema.sql` is written from it and compared with it. (The embedded
 * PostgreSQL has no pg_dump.)
 */
import pg from 'pg'

/** One or more lines of SQL, and the comment that belongs above them. */
type Part = { readonly sql: string; readonly comment: string | null }

type Table = Part & {
  readonly name: string
  readonly partitioned: string | null
  readonly attached: string | null
  readonly columns: readonly Part[]
  readonly constraints: readonly Part[]
  readonly indexes: readonly Part[]
  readonly triggers: readonly Part[]
  readonly statistics: string | null
}

const tablesSql = `
  select c.relname as name, format('create table %s', c.relname) as sql,
         obj_description(c.oid, 'pg_class') as comment, pg_get_partkeydef(c.oid) as partitioned,
         (select format('alter table %s attach partition %s %s;', p.relname, c.relname, pg_get_expr(c.relpartbound, c.oid))
            from pg_inherits i join pg_class p on p.oid = i.inhparent
           where i.inhrelid = c.oid and c.relispartition) as attached,
         (select coalesce(json_agg(json_build_object(
                   'sql', concat(a.attname, ' ', format_type(a.atttypid, a.atttypmod),
                                 case when a.attnotnull then ' not null' end,
                                 case when a.attgenerated = 's'
                                      then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
                                      else ' default ' || pg_get_expr(d.adbin, d.adrelid) end),
                   'comment', col_description(c.oid, a.attnum)) order by a.attnum), '[]')
            from pg_attribute a
            left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
         -- From PostgreSQL 18 on, not null is a constraint of its own; it stands with its column.
         (select coalesce(json_agg(json_build_object(
                   'sql', format('constraint %s %s', o.conname, pg_get_constraintdef(o.oid)),
                   'comment', obj_description(o.oid, 'pg_constraint')) order by o.contype, o.conname), '[]')
            from pg_constraint o where o.conrelid = c.oid and o.contype <> 'n') as constraints,
         (select coalesce(json_agg(json_build_object(
                   'sql', pg_get_indexdef(i.indexrelid) || ';',
                   'comment', obj_description(i.indexrelid, 'pg_class')) order by pg_get_indexdef(i.indexrelid)), '[]')
            from pg_index i
           where i.indrelid = c.oid
             and not exists (select from pg_constraint o where o.conindid = i.indexrelid and o.conrelid = c.oid)) as indexes,
         (select coalesce(json_agg(json_build_object(
                   'sql', pg_get_triggerdef(t.oid) || ';',
                   'comment', obj_description(t.oid, 'pg_trigger')) order by t.tgname), '[]')
            from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers,
         (select format('alter table %s%s;', c.relname, string_agg(
                   format(E'\\n  alter column %s set statistics %s', a.attname, a.attstattarget), ',' order by a.attname))
            from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and a.attstattarget >= 0 having count(*) > 0) as statistics
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
   order by c.relname`

// Functions of extensions are left out.
const functionsSql = `
  select rtrim(pg_get_functiondef(p.oid), E'\\n') || ';' as sql, obj_description(p.oid, 'pg_proc') as comment
    from pg_proc p
   where p.pronamespace = 'public'::regnamespace
     and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
   order by p.proname`

const heading = `-- What the migrations add up to. Written by \`npm run dumps\`; a test fails when it is stale.
--
-- Money is bigint, in minor units. Time is Sanad's own clock. A row of a merchant carries its account_id, and foreign keys
-- carry the account too. Ids of intents, alerts, events, timeline entries, notices, replays and audit entries are UUIDs of
-- version 7: their order is the order of creation. What ends in _hash is a hash; what ends in _sealed is encrypted with a
-- key derived from the master key. An empty text or array: nothing was given. Null: not known yet, or does not apply.`

const width = 120

/** The comment as lines that begin with `--`, each at most `width` characters long. */
const commentLines = (comment: string, indent: string): string[] => {
  const lines: string[] = []
  for (const word of comment.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(`${indent}-- ${word}`)
  }
  return lines
}

const withComment = ({ sql, comment }: Part, indent = ''): string =>
  [...(comment === null ? [] : commentLines(comment, indent)), `${indent}${sql}`].join('\n')

const tableText = (table: Table): string => {
  const inside = [...table.columns, ...table.constraints].map((part) => withComment(part, '  ')).join(',\n')
  const end = table.partitioned === null ? ');' : `) partition by ${table.partitioned};`
  const after = [...table.indexes, ...table.triggers].map((part) => withComment(part))
  const others = [table.attached, table.statistics].filter((line) => line !== null)
  return [`${withComment(table)} (\n${inside}${end}`, ...others, ...after].join('\n')
}

export const dumpSchema = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const extensions = await client.query<{ extname: string }>(
      `select extname from pg_extension where extname <> 'plpgsql' order by extname`,
    )
    const tables = await client.query<Table>(tablesSql)
    const functions = await client.query<Part>(functionsSql)
    const parts = [
      heading,
      extensions.rows.map(({ extname }) => `create extension ${extname};`).join('\n'),
      ...functions.rows.map((part) => withComment(part)),
      ...tables.rows.map(tableText),
    ]
    return `${parts.join('\n\n')}\n`
  } finally {
    await client.end()
  }
}
