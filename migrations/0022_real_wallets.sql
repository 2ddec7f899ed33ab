-- A payment was identified by a wallet's row. A wallet that was entered twice, or closed and entered again, let one payment
-- verify two intents. From here on it is identified by the real wallet: its provider and its account number.
--
-- `identity` names the real wallet. Entries of one real wallet share it, whether they are open or closed. Every alert and
-- every intent carries the identity of its wallet (the foreign keys hold it true, and follow when twins are merged), and
-- what must be unique is unique by identity.

alter table wallets
  add column identity uuid,
  -- Its phones, its sender or its provider changed: unread alerts of its sender are read again, and once more when every
  -- node knows of the change.
  add column reread boolean not null default false,
  add column reread_at timestamptz(3);
update wallets set identity = id;
alter table wallets
  alter column identity set not null,
  add constraint wallets_identity_key unique (account_id, id, identity);
-- One open entry of a real wallet. Entries that were there before keep an identity each until an operator merges them.
create unique index wallets_one_open on wallets (account_id, identity) where active;
create index wallets_to_reread on wallets (account_id, id) where reread;

-- Under which account numbers a real wallet was ever entered. A number that was corrected still names the same wallet.
create table wallet_numbers (
  account_id  uuid not null references accounts (id),
  provider_id uuid not null references providers (id),
  -- The digits alone, without the international prefix (wallets/identity/account-number.ts).
  number_key  text not null check (number_key <> '' and char_length(number_key) <= 64),
  identity    uuid not null,
  primary key (account_id, provider_id, number_key));

with keyed as (
  select w.account_id, w.provider_id, w.identity, w.active, w.created_at, w.id,
         ltrim(regexp_replace(
           translate(w.account_number, U&'\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669\06F0\06F1\06F2\06F3\06F4\06F5\06F6\06F7\06F8\06F9', '01234567890123456789'),
           '[^0-9]', '', 'g'), '0') as digits
    from wallets w
   where not w.is_test),
named as (
  select *, ltrim(regexp_replace(digits,
              '^(967(?=0?7[0-9]{8}$)|966(?=0?5[0-9]{8}$)|254(?=0?[17][0-9]{8}$)|880(?=0?1[0-9]{9}$)|20(?=0?1[0-9]{9}$))',
              ''), '0') as number_key
    from keyed
   where length(digits) >= 5)
insert into wallet_numbers (account_id, provider_id, number_key, identity)
select distinct on (account_id, provider_id, number_key) account_id, provider_id, number_key, identity
  from named
 order by account_id, provider_id, number_key, active desc, created_at, id;

-- Further phones of a wallet, each with the slot of the SIM that hears it. The first phone stands in the wallet's row.
create table wallet_phones (
  account_id uuid not null,
  wallet_id  uuid not null,
  device_id  uuid not null,
  sim_slot   text not null default '' check (sim_slot in ('', 'SIM1', 'SIM2')),
  added_at   timestamptz(3) not null,
  primary key (wallet_id, device_id),
  foreign key (account_id, wallet_id) references wallets (account_id, id),
  foreign key (account_id, device_id) references devices (account_id, id));
create index wallet_phones_of_device on wallet_phones (device_id);

alter table intents
  add column identity uuid,
  -- The keys of all references that were ever attached: at most 20, so that nobody finds a stranger's payment by counting.
  add column reference_keys text[] not null default '{}' check (cardinality(reference_keys) <= 20);
update intents set identity = wallet_id;
update intents set reference_keys = array[reference_key] where reference_key is not null;
alter table intents
  alter column identity set not null,
  add constraint intents_wallet_identity_fkey foreign key (account_id, wallet_id, identity)
    references wallets (account_id, id, identity) on update cascade,
  drop constraint intents_account_id_wallet_id_fkey;
drop index intents_reference_held;
create unique index intents_reference_held on intents (identity, reference_key) where status = 'PENDING';
-- Money that only ended an intent as WRONG_AMOUNT is not spent: it may verify one other intent.
drop index intents_alert;
create unique index intents_alert on intents (alert_id) where alert_id is not null and status = 'VERIFIED';
create index intents_wrong_alert on intents (alert_id) where alert_id is not null and status = 'WRONG_AMOUNT';

alter table alerts
  add column identity uuid,
  -- The phone had been connected less than a day before.
  add column phone_new boolean not null default false,
  -- An earlier alert with the same words, where nobody can tell whether it is the same payment.
  add column similar_to uuid,
  -- Verified before its wallet's twins were merged, by money that another intent had been given credit for.
  add column spent_twice boolean not null default false;
update alerts set identity = wallet_id where wallet_id is not null;
-- One text of one sender is looked for in the whole account, whichever wallet and app it came by.
update alerts
   set fingerprint = sha256(convert_to(
         account_id || E'\n' || sender || E'\n' || btrim(regexp_replace(raw_text, '\s+', ' ', 'g')), 'UTF8'));
alter table alerts
  add constraint alerts_wallet_identity_fkey foreign key (account_id, wallet_id, identity)
    references wallets (account_id, id, identity) on update cascade,
  add constraint alerts_identity_check check ((wallet_id is null) = (identity is null)),
  drop constraint alerts_account_id_wallet_id_fkey,
  -- Money that ended an intent as WRONG_AMOUNT can be set aside, and still names that intent.
  drop constraint alerts_check,
  add constraint alerts_check check (
    case state when 'matched' then intent_id is not null when 'booked' then intent_id is not null
               when 'wrong_amount' then intent_id is not null when 'dismissed' then true else intent_id is null end);
drop index alerts_reference;
create unique index alerts_reference on alerts (identity, reference_key)
  where reference_key is not null and state in ('waiting', 'matched', 'wrong_amount', 'booked') and not spent_twice;
drop index alerts_same_reference;
create index alerts_same_reference on alerts (identity, reference_key) where reference_key is not null;
drop index alerts_unclaimed;
create index alerts_unclaimed on alerts (identity, amount, id) where state in ('waiting', 'review', 'held', 'wrong_amount');
drop index alerts_queue;
create index alerts_queue on alerts (account_id, id)
  where state in ('waiting', 'review', 'held', 'unread', 'wrong_amount');
drop index alerts_queue_state;
create index alerts_queue_state on alerts (account_id, state, id)
  where state in ('waiting', 'review', 'held', 'unread', 'wrong_amount', 'dismissed');
drop index alerts_queue_wallet;
create index alerts_queue_wallet on alerts (account_id, wallet_id, id)
  where state in ('waiting', 'review', 'held', 'unread', 'wrong_amount');

-- Alerts that waited because of a balance, which turned out to be true: they are matched now.
alter table wallet_balances add column to_release boolean not null default false;
create index wallet_balances_to_release on wallet_balances (wallet_id) where to_release;

-- The check of balances is on where a template reads one: the default is a choice with figures (docs/decisions).
alter table wallets alter column review_broken_chains set default true;
update wallets set review_broken_chains = true;

-- Who writes a row without an identity (a node of the version before, while it is being replaced) gets its wallet's.
create function own_identity() returns trigger language plpgsql as $$
begin
  new.identity := new.id;
  return new;
end $$;
create function identity_of_wallet() returns trigger language plpgsql as $$
begin
  select w.identity into new.identity from public.wallets w where w.account_id = new.account_id and w.id = new.wallet_id;
  return new;
end $$;
create trigger wallets_own_identity before insert on wallets
  for each row when (new.identity is null) execute function own_identity();
create trigger intents_identity before insert on intents
  for each row when (new.identity is null) execute function identity_of_wallet();
create trigger alerts_identity before insert or update of wallet_id on alerts
  for each row when (new.identity is null and new.wallet_id is not null) execute function identity_of_wallet();
