-- How many intents there are, kept by the database with every change (docs/decisions/0113). Before, lists counted the intents of the last
-- ten minutes row by row, with a status those of the last hours: after a burst of creates a list was many times slower.
--
-- Triggers keep the counts, so that no writer can forget them, and so that nodes of earlier versions that still run on this database
-- count too. Rows that are already there are counted below, while creating the triggers keeps writers out until the end.

create table intent_counts (
  account_id uuid not null,
  hour       timestamptz(3) not null,
  wallet_id  uuid not null,
  status     text not null,
  writer     integer not null,
  n          integer not null,
  primary key (account_id, hour, wallet_id, status, writer))
  with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index intent_counts_of_writers on intent_counts (account_id) where writer <> 0;

comment on table intent_counts is
  'How many intents an account has, by the hour of creation, wallet and stored status: the sum of all writers. Only hours that are not '
  'tallied yet are read; older rows are deleted. No foreign keys: intents have them.';
comment on column intent_counts.hour is 'The beginning of the hour, UTC.';
comment on column intent_counts.status is 'As stored: PENDING also when the window has closed.';
comment on column intent_counts.writer is
  'The process id of the database session that counted, so that no session ever waits for another; 0: added up by the service.';
comment on column intent_counts.n is 'May be negative for one writer: an intent that another one created has left this status.';
comment on index intent_counts_of_writers is 'Finds the rows that are to be added up.';

-- The schema is named because pg_restore and psql run with an empty search_path.
create function count_new_intents() returns trigger language plpgsql as $$
begin
  insert into public.intent_counts as c (account_id, hour, wallet_id, status, writer, n)
  select m.account_id, date_trunc('hour', m.created_at, 'UTC'), m.wallet_id, m.status, pg_backend_pid(), count(*)
    from made as m
   group by 1, 2, 3, 4
  on conflict (account_id, hour, wallet_id, status, writer) do update set n = c.n + excluded.n;
  return null;
end $$;
comment on function count_new_intents is 'Counts the intents of one statement (intent_counts).';

create function count_changed_intent() returns trigger language plpgsql as $$
begin
  insert into public.intent_counts as c (account_id, hour, wallet_id, status, writer, n)
  values (old.account_id, date_trunc('hour', old.created_at, 'UTC'), old.wallet_id, old.status, pg_backend_pid(), -1),
         (new.account_id, date_trunc('hour', new.created_at, 'UTC'), new.wallet_id, new.status, pg_backend_pid(), 1)
  on conflict (account_id, hour, wallet_id, status, writer) do update set n = c.n + excluded.n;
  return null;
end $$;
comment on function count_changed_intent is 'Counts an intent whose status or wallet has changed (intent_counts).';

create trigger intents_count_new after insert on intents referencing new table as made
  for each statement execute function count_new_intents();
create trigger intents_count_changed after update of status, wallet_id on intents
  for each row when (old.status <> new.status or old.wallet_id <> new.wallet_id)
  execute function count_changed_intent();

insert into intent_counts (account_id, hour, wallet_id, status, writer, n)
select a.id, f.hour, f.wallet_id, f.status, 0, f.n
  from accounts a
 cross join (select (lpad(to_hex((extract(epoch from sealed_until) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid as first_id
               from tally_progress) as t
 cross join lateral (
       select date_trunc('hour', i.created_at, 'UTC') as hour, i.wallet_id, i.status, count(*) as n
         from intents i
        where i.account_id = a.id and i.id >= t.first_id
        group by 1, 2, 3) as f;
