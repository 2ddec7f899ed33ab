-- A member may be given some wallets instead of all: a cashier of one branch sees its payments only (docs/decisions/0087). The limit
-- is a mark on the member, not the absence of rows: a limited member without a wallet sees nothing, never everything.

alter table members
  add column limited boolean not null default false,
  add constraint members_owner_unlimited check (not (limited and role = 'owner'));
comment on column members.limited is 'Sees the wallets in member_wallets only. False: all of the account, also later ones. Never an owner.';

create table member_wallets (
  account_id uuid not null,
  user_id    uuid not null,
  wallet_id  uuid not null,
  primary key (account_id, user_id, wallet_id),
  foreign key (account_id, user_id) references members (account_id, user_id) on delete cascade,
  foreign key (account_id, wallet_id) references wallets (account_id, id));
comment on table member_wallets is 'The wallets that a limited member sees. Of a member who is not limited there are none.';

alter table user_links
  add column wallets uuid[] check (cardinality(wallets) <= 200),
  add constraint user_links_limited check (wallets is null or (purpose = 'invite' and role <> 'owner'));
comment on column user_links.wallets is 'invite: the wallets that the new member will see; empty: none. Null: all.';
