-- An API key may have less power than its account: live or test, read-only, some wallets only, some addresses only. Its last use is
-- shown with its address and the calls of the day (docs/decisions/0086).

alter table api_keys
  add column is_test      boolean not null default false,
  add column read_only    boolean not null default false,
  add column wallets      uuid[] check (cardinality(wallets) between 1 and 50),
  add column addresses    text[] check (cardinality(addresses) between 1 and 20),
  add column last_address text not null default '' check (char_length(last_address) <= 64),
  add column used_day     date,
  add column used_count   integer not null default 0 check (used_count >= 0),
  add constraint api_keys_test_wallets check (not is_test or wallets is not null);
comment on column api_keys.is_test is 'A test key sees and uses the test wallet only.';
comment on column api_keys.read_only is 'Calls that change something are refused.';
comment on column api_keys.wallets is 'The wallets that it sees and uses; of a test key the test wallet; null: all of the account, also later ones.';
comment on column api_keys.addresses is 'The ranges (CIDR) from which it may be used; null: from everywhere.';
comment on column api_keys.last_address is 'The address of its last use; empty: not known.';
comment on column api_keys.used_day is 'The day of used_count, in the time zone of the account.';
comment on column api_keys.used_count is 'How many calls it made on used_day, up to a minute late.';

-- Owners are told when a key may do more than before.
alter table owner_notices
  drop constraint owner_notices_kind_check,
  add constraint owner_notices_kind_check check (kind in (
    'phone_paired', 'app_let_in', 'signing_key_set', 'webhook_created', 'webhook_moved', 'webhook_rotated', 'key_created',
    'key_rotated', 'key_loosened', 'template_published', 'approval_asked', 'secrets_lost', 'webhook_failing', 'webhook_disabled',
    'webhook_gone', 'member_request', 'booked_short'));
