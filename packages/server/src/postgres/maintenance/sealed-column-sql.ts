import type { Session } from '../connection/database.ts'
import { text, uuid, whole } from '../query/columns.ts'
import { statement } from '../query/statement.ts'

/**
 * A column whose values are sealed with a key derived from the master key, each bound to the id of its row. All such columns are
 * in one list (sealed-columns.ts): when the master key is rotated, their values are sealed again.
 */
export type SealedColumn = {
  /** `table.column`. */
  readonly place: string
  /** The purpose from which its key is derived. */
  readonly purpose: string
  count(session: Session): Promise<{ rows: number }[]>
  /** The rows after `after` in the order of their ids, with the column's value as text. */
  read(session: Session, after: string, limit: number): Promise<{ id: string; value: string }[]>
  /** A value that was changed meanwhile stays as it is. */
  replace(
    session: Session,
    ids: readonly string[],
    was: readonly string[],
    becomes: readonly string[],
  ): Promise<{ id: string }[]>
  /** Changes each sealed text in the value. */
  each(value: string, change: (sealed: Buffer) => Buffer): string
}

const sealedColumnWith = (
  table: string,
  column: string,
  purpose: string,
  sql: { readonly exists: string; readonly asText: string; readonly fromText: (text: string) => string },
  each: SealedColumn['each'],
): SealedColumn => ({
  place: `${table}.${column}`,
  purpose,
  each,
  count: statement(
    `count_${table}_${column}`,
    { rows: whole() },
    () => [],
    `select count(*) as rows from ${table} where ${sql.exists}`,
  ),
  /** Index: the unique index of the table's id. */
  read: statement(
    `read_${table}_${column}`,
    { id: uuid(), value: text() },
    (after: string, limit: number) => [after, limit],
    `select id, ${sql.asText} as value from ${table} where id > $1 and ${sql.exists} order by id limit $2`,
  ),
  /** Index: the unique index of the table's id. */
  replace: statement(
    `replace_${table}_${column}`,
    { id: uuid() },
    (ids: readonly string[], was: readonly string[], becomes: readonly string[]) => [ids, was, becomes],
    `update ${table} t set ${column} = ${sql.fromText('n.becomes')}
       from unnest($1::uuid[], $2::text[], $3::text[]) as n (id, was, becomes)
      where t.id = n.id and ${sql.asText.replace(column, `t.${column}`)} = n.was
     returning t.id`,
  ),
})

/** A column of type bytea that holds one sealed text. */
export const sealedColumn = (table: string, column: string, purpose: string): SealedColumn =>
  sealedColumnWith(
    table,
    column,
    purpose,
    {
      exists: `${column} is not null`,
      asText: `encode(${column}, 'hex')`,
      fromText: (value) => `decode(${value}, 'hex')`,
    },
    (value, change) => change(Buffer.from(value, 'hex')).toString('hex'),
  )

/** A column of type json that holds an object whose values are sealed texts in base64. */
export const sealedJsonColumn = (table: string, column: string, purpose: string): SealedColumn =>
  sealedColumnWith(
    table,
    column,
    purpose,
    { exists: `${column}::text <> '{}'`, asText: `${column}::text`, fromText: (value) => `${value}::json` },
    (value, change) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(JSON.parse(value) as Record<string, string>).map(([name, sealed]) => [
            name,
            change(Buffer.from(sealed, 'base64')).toString('base64'),
          ]),
        ),
      ),
  )
