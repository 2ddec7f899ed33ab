/**
 * The users of an account that is moved to another cell. They belong to no account: one may be a member of accounts in both cells.
 *
 * Members come with their address, password and authenticator app. A user who is there already, with the same id, stays as they are there
 * if they have another account there. Users who are no members, but whom a row of the account names (somebody who was removed, an operator),
 * come without name, address and password, also if they were once invited to the account. Nobody becomes an operator. Passkeys belong to a
 * host name, and stay.
 *
 * While the account is still at work, its users are only named in the other cell, so that rows can refer to them.
 */
import type { AccountId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { tableColumns, tableReferences } from '../../postgres/tenancy/account-tables-sql.ts'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** SQL: the users whom rows of these tables name; `$1` is the account. */
const namedUsers = async (session: Session, tables: readonly string[]): Promise<string> => {
  const references = (await tableReferences(session)).filter(
    ({ child, parent }) => parent === 'users' && tables.includes(child),
  )
  const named = references.map(
    ({ child, child_column }) => `select ${quoted(child_column)} from public.${quoted(child)} where account_id = $1`,
  )
  return named.join(' union ')
}

/** The columns that are copied: nobody becomes an operator of the other cell. */
const columnsOf = async (session: Session): Promise<string[]> =>
  (await tableColumns(session, 'users')).map(({ name }) => name).filter((name) => name !== 'operator')

/** For a user who is no member: nobody can sign in with it, and it names nobody. */
const emptied: Readonly<Record<string, string>> = {
  email: 'null',
  name: `''`,
  password_hash: 'null',
  totp_sealed: 'null',
  totp_since: 'null',
  recovery: `'{}'::bytea[]`,
  proved_at: 'null',
}

export type MovedUsers = {
  /** JSON, a list of rows. */
  readonly rows: string
  readonly ids: readonly string[]
  readonly emails: readonly string[]
}

/** `tables`: those whose rows are moved. */
export const usersToMove = async (
  session: Session,
  accountId: AccountId,
  tables: readonly string[],
): Promise<MovedUsers> => {
  const columns = await columnsOf(session)
  const value = (name: string): string => {
    if (name === 'invited_by') return `case when u.invited_by in (select id from moved) then u.invited_by end`
    if (name === 'invited_to') return 'case when u.invited_to = $1 then u.invited_to end'
    return name in emptied ? `case when m.comes then u.${quoted(name)} else ${emptied[name]} end` : `u.${quoted(name)}`
  }
  const [row] = await session.run({
    text: `
      with moved (id) as (${await namedUsers(session, tables)}),
      known as (
        select u.id, exists (select from members m where m.account_id = $1 and m.user_id = u.id) as comes
          from users u where u.id in (select id from moved)),
      made as (
        select ${columns.map((name) => `${value(name)} as ${quoted(name)}`).join(', ')}
          from users u join known m on m.id = u.id)
      select coalesce(json_agg(made), '[]')::text, coalesce(json_agg(made.id), '[]')::text,
             coalesce(json_agg(made.email) filter (where made.email is not null), '[]')::text
        from made`,
    values: [accountId],
  })
  const [rows, ids, emails] = row as [string, string, string]
  return { rows, ids: JSON.parse(ids), emails: JSON.parse(emails) }
}

/** Addresses that belong to another user in this database. */
export const takenEmails = async (session: Session, { ids, emails }: MovedUsers): Promise<string[]> => {
  const rows = await session.run({
    text: 'select email from users where email = any($1::text[]) and id <> all($2::uuid[]) order by email',
    values: [emails, ids],
  })
  return rows.map(([email]) => String(email))
}

/** The account's row is written before. No row of a user who is there already is changed or locked. Returns the ids of the new ones. */
export const insertNamedUsers = async (session: Session, { rows }: MovedUsers): Promise<string[]> => {
  const columns = await columnsOf(session)
  const values = columns.map((name) => emptied[name] ?? (name.startsWith('invited_') ? 'null' : quoted(name)))
  const made = await session.run({
    text: `
      insert into users (${columns.map(quoted).join(', ')})
      select ${values.join(', ')} from json_populate_recordset(null::users, $1::json)
      on conflict (id) do nothing
      returning id`,
    values: [rows],
  })
  return made.map(([id]) => String(id))
}

/** `named`: what `insertNamedUsers` has returned, in the same transaction. Returns how many of the users there are now. */
export const insertMovedUsers = async (
  session: Session,
  accountId: AccountId,
  { rows, ids }: MovedUsers,
  named: readonly string[],
): Promise<number> => {
  const columns = (await columnsOf(session)).map(quoted)
  // Named by a row that is gone.
  await session.run({
    text: 'delete from users where id = any($1::uuid[]) and id <> all($2::uuid[])',
    values: [named, ids],
  })
  await session.run({
    text: `
      insert into users as u (${columns.join(', ')})
      select ${columns.join(', ')} from json_populate_recordset(null::users, $1::json)
      on conflict (id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}
       where u.id = any($3::uuid[])
          or excluded.email is not null and not u.operator
             and not exists (select from members m where m.user_id = u.id and m.account_id <> $2)`,
    values: [rows, accountId, named],
  })
  const [row] = await session.run({ text: 'select count(*) from users where id = any($1::uuid[])', values: [ids] })
  return Number(row![0])
}
