-- Texts of alerts, names and phones of payers, and the audit log were kept for ever. An account now has a time for each
-- (docs/decisions/0102), and a job erases what is older, in batches that survive a kill: where it stands is in a row of its own.

alter table alerts add column erased_at timestamptz(3);
comment on column alerts.erased_at is
  'When its text, title and payer were erased; since then client_id and fingerprint are keyed hashes. Null: they were not.';

create table retention_settings (
  account_id uuid primary key references accounts,
  texts      integer check (texts between 1 and 36500),
  no_money   integer check (no_money between 1 and 36500),
  payers     integer check (payers between 1 and 36500),
  api_calls  integer check (api_calls between 1 and 36500),
  audit      integer check (audit between 1 and 36500));
comment on table retention_settings is
  'For how many days an account keeps what is not needed for ever. Null: as long as the service says (SANAD_KEEP_DAYS).';
comment on column retention_settings.texts is 'Texts of alerts that are money, and the payers that they name.';
comment on column retention_settings.no_money is 'Messages that no template reads as money.';
comment on column retention_settings.payers is 'Names and phones that were claimed for intents or sent with checkouts.';
comment on column retention_settings.api_calls is 'The log of API calls.';
comment on column retention_settings.audit is 'The audit log.';

create table retention_progress (
  account_id uuid not null references accounts,
  kind       text not null check (kind in ('texts', 'late_texts', 'no_money', 'payers', 'customers', 'api_calls', 'audit')),
  erased_to  uuid not null,
  due_at     timestamptz(3) not null,
  primary key (account_id, kind));
comment on table retention_progress is 'How far the job has come that erases what is too old. A node that works on a row has locked it.';
comment on column retention_progress.kind is
  'What is erased. late_texts: texts that a member still had to decide about when texts came by. customers: of checkouts; both they and '
  'payers follow the setting payers.';
comment on column retention_progress.erased_to is 'Everything up to this id, which begins with a time, has been looked at.';
comment on column retention_progress.due_at is 'When there is something to do again.';
create index retention_progress_due on retention_progress (due_at);

-- Calls are deleted by account and id now.
drop index api_calls_old;

-- What is older than the time of the account may be deleted, and nothing that is younger than a year.
create or replace function audit_log_stays() returns trigger language plpgsql as $$
declare
  forgets boolean := tg_op = 'DELETE' and coalesce(current_setting('sanad.forgets', true), '') = 'audit';
begin
  if forgets and tg_level = 'STATEMENT' then
    return null;
  end if;
  if forgets and old.at < public.database_time() - interval '365 days' then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $$;
comment on function audit_log_stays is
  'Refuses every change of the audit log, except that the job of retention deletes what is older than a year.';
create trigger audit_log_entry_stays before delete on audit_log
  for each row execute function audit_log_stays();
