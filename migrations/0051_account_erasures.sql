-- An account could not be erased. An operator asks twice and waits; then a job deletes every row of it, in batches that survive a kill
-- (docs/decisions/0102). What stays is one row: when it was erased, and how many rows there were.

create table account_erasures (
  id           uuid primary key,
  state        text not null check (state in ('asked', 'waiting', 'erasing', 'checking', 'done')),
  asked_at     timestamptz(3) not null,
  confirmed_at timestamptz(3),
  due_at       timestamptz(3) not null,
  erased_at    timestamptz(3),
  position     integer not null default 0 check (position >= 0),
  last_id      uuid not null default '00000000-0000-0000-0000-000000000000',
  row_counts   json not null default '{}');
comment on table account_erasures is 'Accounts that are to be erased, and that were. Holds no name and nothing else of the account.';
comment on column account_erasures.id is 'The id that the account has, or had.';
comment on column account_erasures.state is
  'asked: once; nothing happens. waiting: asked twice; it can be cancelled until due_at. erasing: it cannot. checking: nothing is left, but '
  'a node may still write what it had begun. done: the rest of the row stays for ever.';
comment on column account_erasures.asked_at is 'When it was first asked for. The second time must follow within an hour.';
comment on column account_erasures.confirmed_at is 'When it was asked for the second time. Null: not yet.';
comment on column account_erasures.due_at is 'When there is something to do.';
comment on column account_erasures.erased_at is 'When the row of the account itself was deleted. Null: not yet.';
comment on column account_erasures.position is 'Which table is next, of the order in which they are emptied.';
comment on column account_erasures.last_id is 'How far alerts were parted from their intents, which refer to each other.';
comment on column account_erasures.row_counts is 'How many rows of each table were deleted.';
create index account_erasures_due on account_erasures (due_at) where state not in ('asked', 'done');

-- The audit log of an account goes with the account.
create or replace function audit_log_stays() returns trigger language plpgsql as $$
declare
  forgets boolean := tg_op = 'DELETE' and coalesce(current_setting('sanad.forgets', true), '') = 'audit';
  erases  text := case tg_op when 'DELETE' then coalesce(current_setting('sanad.erases', true), '') else '' end;
begin
  if tg_level = 'STATEMENT' then
    if forgets or erases <> '' then
      return null;
    end if;
    raise exception 'the audit log is append-only';
  end if;
  if old.account_id::text = erases
     and exists (select from public.account_erasures e where e.id = old.account_id and e.state in ('erasing', 'checking')) then
    return old;
  end if;
  if forgets and old.at < public.database_time() - interval '365 days' then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $$;
comment on function audit_log_stays is
  'Refuses every change of the audit log, except that the job of retention deletes what is older than a year, and the erasure of an '
  'account what is of that account.';
