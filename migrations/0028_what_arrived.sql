-- Money that is shown or summed as received is what arrived (docs/decisions/0057). A member may book an amount that differs from what
-- was asked: until now such an intent counted as if its whole amount had arrived. The three columns are set only where something
-- differs, so this migration writes few rows, and nodes of the version before go on verifying intents.

alter table intents
  add column arrived  bigint,
  add column forgiven bigint,
  add column excess   bigint,
  add constraint intents_arrival_check check (
    num_nulls(arrived, forgiven, excess) = 3
    or (num_nulls(arrived, forgiven, excess) = 0 and status = 'VERIFIED' and arrived >= 1 and forgiven >= 0 and excess >= 0
        and (forgiven = 0 or excess = 0))) not valid;
comment on column intents.arrived is
  'VERIFIED: what arrived, if it is not what was asked. Null: exactly payable arrived (or the intent is not VERIFIED).';
comment on column intents.forgiven is 'What was asked for the order and did not arrive. Null as arrived is.';
comment on column intents.excess is 'What arrived and was not asked for. Null as arrived is.';

-- Bookings of before. An accepted amount has an intent of its own: the audit log names the intent whose amount had been asked.
update intents i
   set arrived = b.amount,
       forgiven = greatest(b.asked_least - b.amount, 0),
       excess = greatest(b.amount - b.asked_most, 0)
  from (select v.account_id, v.id, v.payable, a.amount,
               least(coalesce(o.base, v.base), coalesce(o.payable, v.payable)) as asked_least,
               greatest(coalesce(o.base, v.base), coalesce(o.payable, v.payable)) as asked_most
          from intents v
          join alerts a on a.account_id = v.account_id and a.id = v.alert_id
          left join audit_log e on e.account_id = v.account_id and e.action = 'intent.accept_paid' and e.object_id = v.id::text
          left join intents o on o.account_id = v.account_id and o.id = (e.before ->> 'copy_of')::uuid
         where v.manual and v.status = 'VERIFIED' and a.amount is not null) as b
 where i.account_id = b.account_id and i.id = b.id
   and (b.amount <> b.payable or b.amount < b.asked_least or b.amount > b.asked_most);

alter table intents validate constraint intents_arrival_check;

-- Charts read stored hours, which count what was asked, and correct them by these intents.
create index intents_differing on intents (account_id, id) where arrived is not null;

-- A node of the version before does not write the three columns when a member books.
create function arrival_of_booking() returns trigger language plpgsql as $$
declare
  amount bigint := (select a.amount from public.alerts a where a.account_id = new.account_id and a.id = new.alert_id);
begin
  if amount <> new.payable then
    new.arrived := amount;
    new.forgiven := greatest(least(new.base, new.payable) - amount, 0);
    new.excess := greatest(amount - greatest(new.base, new.payable), 0);
  end if;
  return new;
end $$;
comment on function arrival_of_booking is
  'What arrived, for a booking by a node that does not know these columns yet. Such a node runs for minutes during an upgrade.';
create trigger intents_arrival before update of status on intents for each row
  when (new.manual and new.status = 'VERIFIED' and old.status = 'PENDING' and new.arrived is null)
  execute function arrival_of_booking();

-- Owners are told of each booking that falls short.
alter table owner_notices
  drop constraint owner_notices_kind_check,
  add constraint owner_notices_kind_check check (
    kind in ('phone_paired', 'app_let_in', 'signing_key_set', 'webhook_created', 'webhook_moved', 'webhook_rotated', 'key_created',
             'key_rotated', 'template_published', 'secrets_lost', 'webhook_failing', 'webhook_disabled', 'webhook_gone',
             'member_request', 'booked_short')),
  drop constraint owner_notices_object_kind_check,
  add constraint owner_notices_object_kind_check check (object_kind in ('phone', 'webhook', 'key', 'template', 'account', 'member', 'intent'));
comment on column owner_notices.kind is
  'What happened: someone can report as a phone now, events go elsewhere, a key or template is new, an endpoint fails, less was '
  'booked to an intent than was asked.';
comment on column owner_notices.object_kind is 'What it is about: phone, webhook, key, template, account, member or intent.';
comment on column owner_notices.object_id is 'Id of the phone, endpoint, API key (client id), template, member or intent that it is about.';
