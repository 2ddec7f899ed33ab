-- Owners are told of more than failing endpoints: a phone that was paired, an endpoint that was created or moved, an API key
-- that was made. One table for all that owners are told, by letter and in the dashboard: who has their letter, who has marked
-- it as seen. The notices of failing endpoints move here.
create table owner_notices (
  account_id   uuid not null references accounts (id),
  id           uuid not null,
  kind         text not null check (kind in ('phone_paired', 'app_let_in', 'signing_key_set', 'webhook_created',
                                             'webhook_moved', 'webhook_rotated', 'key_created', 'key_rotated', 'template_published',
                                             'webhook_failing', 'webhook_disabled', 'webhook_gone')),
  object_kind  text not null check (object_kind in ('phone', 'webhook', 'key', 'template')),
  object_id    text not null,
  by_whom      text not null,
  facts        json not null,
  at           timestamptz(3) not null,
  taken_until  timestamptz(3),
  told_at      timestamptz(3),
  told_users   uuid[] not null default '{}',
  seen_users   uuid[] not null default '{}',
  primary key (account_id, id));
create index owner_notices_untold on owner_notices (at) where told_at is null;
create index owner_notices_old on owner_notices (at);

-- Nodes of the version before go on recording results until they are replaced: what they write into the old table becomes a
-- notice here, and the old table stays empty. A later migration drops it.
create function webhook_notice_moves() returns trigger language plpgsql as $$
begin
  insert into public.owner_notices (account_id, id, kind, object_kind, object_id, by_whom, facts, at, taken_until, told_at, told_users)
  select new.account_id, new.id, 'webhook_' || new.kind, 'webhook', new.endpoint_id::text, '',
         json_build_object('to', substring(w.url from '^[^/]+//[^/?#]+'),
                           'failing_since', (extract(epoch from new.failing_since) * 1000)::bigint,
                           'failures', new.failures,
                           'disables_at', (extract(epoch from new.disables_at) * 1000)::bigint),
         new.at, new.taken_until, new.told_at, new.told_users
    from public.webhook_endpoints w
   where w.account_id = new.account_id and w.id = new.endpoint_id;
  return null;
end $$;
create trigger webhook_notice_moves before insert on webhook_notices
  for each row execute function webhook_notice_moves();
create temporary table notices_before on commit drop as select * from webhook_notices;
delete from webhook_notices;
insert into webhook_notices select * from notices_before;

-- When what a phone proves itself with was last issued: its pairing completed, a forwarding app's access or signing key
-- renewed. A payment that a phone of today proves says so. Null: never. Of the phones that are there only the day they were
-- added is known.
alter table devices add paired_at timestamptz(3);
update devices set paired_at = created_at
 where secret_sealed is not null or ingest_token_hash is not null or signing_key_sealed is not null;
-- Who made the pairing code that is open: owners are told by whom a phone was paired.
alter table devices add pairing_by text not null default '';
