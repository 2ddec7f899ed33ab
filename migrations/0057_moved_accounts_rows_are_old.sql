-- An account that was moved to another cell stays frozen here for as long as calls are forwarded, perhaps for months. Jobs that delete what
-- is old of all accounts together would fail all that time on its rows: they may delete them. The rest of the function is that of 0056.

create or replace function refuse_frozen() returns trigger language plpgsql as $$
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
    when 'device_id' then select d.account_id into account from public.devices d where d.id = changed.device_id;
    when 'wallet_id' then select w.account_id into account from public.wallets w where w.id = changed.wallet_id;
    when 'user_id' then
      select f.account_id into account
        from public.account_freezes f join public.members m on m.account_id = f.account_id and m.user_id = changed.user_id
       where f.state = 'frozen'
         and not exists (select from public.account_moves v where v.account_id = f.account_id and v.state <> 'copying') limit 1;
    else
      select f.account_id into account
        from public.account_freezes f join public.members m on m.account_id = f.account_id and m.user_id = changed.id
       where f.state = 'frozen'
         and not exists (select from public.account_moves v where v.account_id = f.account_id and v.state <> 'copying') limit 1;
  end case;
  if exists (select from public.account_freezes f where f.account_id = account and f.state = 'frozen') then
    if tg_op <> 'DELETE' or not exists (
         select from public.account_moves v where v.account_id = account and v.state = 'switched') then
      raise exception 'account % is frozen', account using errcode = 'SN002';
    end if;
  end if;
  return changed;
end $$;
