/**
 * The two roles of the embedded PostgreSQL. One is the superuser that initdb creates: it prepares the database, and the service
 * does not use it. The service uses the other one, which owns the database and has no other rights: an injected statement could
 * read no file, run no program and change no setting of the server. An older data directory with one role is changed at its next
 * start, completely or not at all.
 */
import type pg from 'pg'

/** The role that initdb creates. PostgreSQL does not allow removing its superuser rights. */
export const adminRole = 'sanad'
export const serviceRole = 'sanad_service'

/** Changes the owner of objects that an earlier version created as the superuser. Objects of an extension keep their owner. */
const changeOwner = `
  do $$
  declare one record;
  begin
    for one in
      select case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind,
             c.oid::regclass::text as name
        from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
         and c.relowner = '${adminRole}'::regrole
         and not exists (select 1 from pg_depend d
                          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('e', 'a', 'i')
                            and (d.deptype = 'e' or c.relkind = 'S'))
    loop
      execute format('alter %s %s owner to ${serviceRole}', one.kind, one.name);
    end loop;
    for one in
      select p.oid::regprocedure::text as name
        from pg_proc p
       where p.pronamespace = 'public'::regnamespace and p.proowner = '${adminRole}'::regrole
         and not exists (select 1 from pg_depend d
                          where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    loop
      execute format('alter routine %s owner to ${serviceRole}', one.name);
    end loop;
    for one in
      select t.oid::regtype::text as name
        from pg_type t
       where t.typnamespace = 'public'::regnamespace and t.typowner = '${adminRole}'::regrole
         and t.typrelid = 0 and t.typelem = 0
         and not exists (select 1 from pg_depend d
                          where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype in ('e', 'i'))
    loop
      execute format('alter type %s owner to ${serviceRole}', one.name);
    end loop;
  end $$`

const asAdmin = async <T>(client: pg.Client, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Called at every start: an earlier start may have been interrupted. `connect` connects as the superuser. */
export const prepareRoles = async (connect: (database: string) => pg.Client, database: string): Promise<void> => {
  const owner = await asAdmin(connect('postgres'), async (client) => {
    const role = await client.query('select 1 from pg_roles where rolname = $1', [serviceRole])
    if (role.rows.length === 0) await client.query(`create role ${serviceRole} login`)
    const found = await client.query('select pg_get_userbyid(datdba) as owner from pg_database where datname = $1', [
      database,
    ])
    if (found.rows.length > 0) return found.rows[0].owner
    await client.query(`create database ${database} owner ${serviceRole}`)
    return serviceRole
  })
  if (owner === serviceRole) return
  await asAdmin(connect(database), async (client) => {
    await client.query('begin')
    await client.query(changeOwner)
    await client.query(`alter database ${database} owner to ${serviceRole}`)
    await client.query('commit')
  })
}
