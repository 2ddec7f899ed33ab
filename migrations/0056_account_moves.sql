-- An account could not be moved to another installation (docs/decisions/0130). This table says, here, which account is being copied to
-- which cell, and which ones have gone there, so that what still comes for them can be forwarded; and there, which copy has arrived and
-- is not in use yet.

create table account_moves (
  account_id  uuid primary key,
  move_id     uuid not null,
  cell        text not null check (cell <> '' and char_length(cell) <= 63),
  origin      text not null check (origin ~ '^https?://[^/]+$' and char_length(origin) <= 300),
  state       text not null check (state in ('copying', 'switched', 'ending', 'arriving')),
  began_at    timestamptz(3) not null,
  switched_at timestamptz(3),
  check ((state in ('switched', 'ending')) = (switched_at is not null)));
comment on table account_moves is 'Accounts that are moved to another cell, or have come from one and are not in use yet.';
comment on column account_moves.move_id is 'The same in both cells: a copy that was made by another move is none of this one.';
comment on column account_moves.cell is 'The name of the cell to which the account is moved, as in SANAD_CELLS.';
comment on column account_moves.origin is 'The https origin of that cell, to which calls are forwarded; http of a loopback address only.';
comment on column account_moves.state is
  'copying: it can be turned back. switched: the account is used in the other cell, its rows here stay frozen, and calls are forwarded. '
  'ending: nothing is forwarded any more, and the rows are erased. arriving: this is the other cell, and the account is not used yet.';
comment on column account_moves.switched_at is 'Since when the account is used in the other cell. Null: it is not.';

-- Intents and alerts refer to each other, and so none of the two tables can be copied first. The reference is still checked with each
-- statement, unless a transaction asks for the check at its end.
alter table alerts alter constraint alerts_account_id_intent_id_fkey deferrable initially immediate;

-- After the switch an account stays frozen for as long as calls are forwarded. Its users may be members of other accounts here: their own
-- rows and passkeys are not refused then. The rest of the function is that of 0055.
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
    raise exception 'account % is frozen', account using errcode = 'SN002';
  end if;
  return changed;
end $$;
