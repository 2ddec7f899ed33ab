/** Looks for marks, such as a name or a number, in every column of every table of the database, whatever their names are. */
import assert from 'node:assert/strict'

type Sql = (text: string, values?: unknown[]) => Promise<readonly (readonly (string | null)[])[]>

/** The columns that hold one of the marks, as `table.column`. Blanks and hyphens between the characters of a mark do not hide it. */
export const columnsWith = async (
  sql: Sql,
  marks: readonly string[],
  accountId: string | undefined = undefined,
): Promise<string[]> => {
  const columns = (await sql(
    `select table_name, column_name,
            exists (select from information_schema.columns a where a.table_schema = 'public'
                     and a.table_name = c.table_name and a.column_name = 'account_id')
       from information_schema.columns c
      where table_schema = 'public' and data_type in ('text', 'json', 'jsonb', 'bytea', 'ARRAY', 'character varying', 'numeric', 'bigint')
        and table_name in (select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace)
      order by 1, 2`,
  )) as unknown as readonly (readonly [string, string, string])[]
  assert.ok(columns.length > 250, `${columns.length} columns`)
  const found: string[] = []
  for (const [table, column, isOfAccount] of columns) {
    const own = accountId !== undefined && ['t', 'true', true].includes(isOfAccount as string)
    if (accountId !== undefined && !own) continue
    const [[rows]] = (await sql(
      `select count(*)::text from "${table}" t
        where ${own ? 'account_id = $2' : '$2::text is null'}
          and exists (select from unnest($1::text[]) as m (mark)
                       where position(replace(replace(lower(mark), ' ', ''), '-', '')
                               in regexp_replace(lower(t."${column}"::text), '[ -]', '', 'g')) > 0
                          or position(encode(convert_to(mark, 'UTF8'), 'hex') in t."${column}"::text) > 0)`,
      [marks, accountId ?? null],
    )) as unknown as [[string]]
    if (rows !== '0') found.push(`${table}.${column}`)
  }
  return found
}
