-- The voucher of an intent can be shared: it gets a public address, which the shop can revoke. The address is made when somebody
-- shares it, so an intent that nobody shares has none. The token of the address is derived from the id of the row with a key that
-- is not in the database; only its hash is stored. Whoever reads the database can open no voucher (docs/decisions/0081).

create table vouchers (
  account_id uuid not null,
  id         uuid not null,
  intent_id  uuid not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  shared_by  text not null check (char_length(shared_by) <= 300),
  shared_at  timestamptz(3) not null,
  revoked_by text check (char_length(revoked_by) <= 300),
  revoked_at timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, intent_id) references intents (account_id, id),
  constraint vouchers_revoked check ((revoked_by is null) = (revoked_at is null)));
comment on table vouchers is 'Public addresses of intents, one row for each address. A revoked address stays, for the timeline.';
comment on column vouchers.token_hash is 'The SHA-256 of the token in the address.';
comment on column vouchers.shared_by is 'Who shared it, as in audit_log.actor; the buyer''s page is ''checkout''.';
comment on column vouchers.shared_at is 'When the address was made.';
comment on column vouchers.revoked_by is 'Who revoked it. Null: the address works.';
comment on column vouchers.revoked_at is 'Since when the address does not work. Null: it works.';

create unique index vouchers_live on vouchers (account_id, intent_id) where revoked_at is null;
create index vouchers_intent on vouchers (account_id, intent_id, id);

comment on index vouchers_live is 'An intent has one public address at a time.';
