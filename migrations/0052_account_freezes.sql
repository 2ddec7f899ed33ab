-- An account that is moved to another installation must not change while it is copied, and no write that was under way may be missing
-- in the copy (docs/decisions/0116). While an account is frozen, a trigger of every table with rows of accounts refuses to write its rows.
-- The triggers are created by the first freeze, and disabled while none is under way: then they cost nothing.

create table account_freezes (
  account_id uuid primary key,
  state      text not null check (state in ('stopping', 'frozen')),
  began_at   timestamptz(3) not null,
  frozen_at  timestamptz(3));
comment on table account_freezes is 'Accounts of which nothing is written now, because an operator froze them.';
comment on column account_freezes.state is
  'stopping: no call is answered and no webhook is begun; those under way end. frozen: the triggers refuse to write.';
comment on column account_freezes.frozen_at is 'Since when the triggers refuse. Null: not yet.';

-- The function of the triggers. How a row names its account is the argument.
create function refuse_frozen() returns trigger language plpgsql as $$
declare
  changed record;
  account uuid;
begin
  if tg_op = 'DELETE' then
    changed := old;
  else
    changed := new;
  end if;
  case tg_argv[0]
    when 'account_id' then account := changed.account_id;
    when 'id' then account := changed.id;
    when 'device_id' then select d.account_id into account from devices d where d.id = changed.device_id;
    when 'wallet_id' then select w.account_id into account from wallets w where w.id = changed.wallet_id;
    when 'user_id' then
      select f.account_id into account
        from account_freezes f join members m on m.account_id = f.account_id and m.user_id = changed.user_id
       where f.state = 'frozen' limit 1;
    else
      select f.account_id into account
        from account_freezes f join members m on m.account_id = f.account_id and m.user_id = changed.id
       where f.state = 'frozen' limit 1;
  end case;
  if exists (select from account_freezes f where f.account_id = account and f.state = 'frozen') then
    raise exception 'account % is frozen', account using errcode = 'SN002';
  end if;
  return changed;
end $$;
