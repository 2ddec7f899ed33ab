-- Entries of the audit log kept the names and numbers of buyers after these were forgotten. Numbers are masked when an entry is
-- written now; those of earlier entries are masked by the job of retention and when a buyer is erased
-- (docs/decisions/0124). The log stays append-only for everything else: characters of values may become stars, nothing more.

-- A bare number of JSON becomes a text of the same length, so quotation marks are allowed too.
create function only_masked(old text, new text) returns boolean language sql immutable as $$
  select case
    when old is null or new is null then old is null and new is null
    else char_length(old) = char_length(new) and not exists (
      select from unnest(string_to_array(old, null), string_to_array(new, null)) as c (o, n)
       where c.o <> c.n and c.n not in ('*', '"')) end
$$;
comment on function only_masked is 'Whether a text differs from an earlier one by stars and quotation marks alone.';

create or replace function audit_log_stays() returns trigger language plpgsql as $$
declare
  allowed text := coalesce(current_setting('sanad.forgets', true), '');
  forgets boolean := tg_op = 'DELETE' and allowed = 'audit';
  masks   boolean := tg_op = 'UPDATE' and allowed = 'payers';
  erases  text := case tg_op when 'DELETE' then coalesce(current_setting('sanad.erases', true), '') else '' end;
begin
  if tg_level = 'STATEMENT' then
    if forgets or masks or erases <> '' then
      return null;
    end if;
    raise exception 'the audit log is append-only';
  end if;
  if masks
     and (to_jsonb(old) - 'before' - 'after') = (to_jsonb(new) - 'before' - 'after')
     and public.only_masked(old.before::text, new.before::text)
     and public.only_masked(old.after::text, new.after::text) then
    return new;
  end if;
  if tg_op = 'UPDATE' then
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
  'Refuses every change of the audit log, except that the job of retention deletes what is older than a year, the erasure of an '
  'account what is of that account, and that what names a buyer is masked.';
drop trigger audit_log_entry_stays on audit_log;
create trigger audit_log_entry_stays before delete or update on audit_log
  for each row execute function audit_log_stays();

alter table retention_progress drop constraint retention_progress_kind_check;
alter table retention_progress add constraint retention_progress_kind_check
  check (kind in ('texts', 'late_texts', 'no_money', 'payers', 'customers', 'audit_payers', 'api_calls', 'audit'));
comment on column retention_progress.kind is
  'What is erased. late_texts: texts that a member still had to decide about when texts came by. customers: of checkouts; '
  'audit_payers: buyers in entries of the audit log, which stay; both and payers follow the setting payers.';
