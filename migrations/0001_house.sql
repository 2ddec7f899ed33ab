-- The ground of Sanad: who collects (accounts, people, API keys), where money lands (providers, devices, wallets), what
-- is expected (intents, their timeline, idempotency keys) and how much of it there is (tallies).
--
-- Rules that hold in every table: money is bigint, in minor units; time is kept to the millisecond; a row of a merchant
-- carries its account, and a reference to such a row carries the account too, so that the database itself keeps one
-- merchant's rows apart from another's.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table accounts (
  id                   uuid primary key,
  name                 text not null check (name <> '' and char_length(name) <= 200),
  status               text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  monthly_intent_quota integer check (monthly_intent_quota >= 0),
  created_at           timestamptz(3) not null);

-- Only for accounts with a quota, one row a calendar month: whoever creates an intent holds it while counting.
create table quota_months (
  account_id uuid not null references accounts,
  month      date not null,
  used       integer not null check (used >= 0),
  primary key (account_id, month));

create table users (
  id            uuid primary key,
  email         text not null unique check (email = lower(email) and char_length(email) <= 254),
  name          text not null default '' check (char_length(name) <= 200),
  password_hash text not null,
  created_at    timestamptz(3) not null,
  disabled_at   timestamptz(3));

create table members (
  account_id uuid not null references accounts,
  user_id    uuid not null references users,
  role       text not null check (role in ('owner', 'manager', 'cashier', 'viewer')),
  created_at timestamptz(3) not null,
  primary key (account_id, user_id));

-- Secrets are 32 random bytes, kept as their SHA-256. `generation` counts rotations: a token names the generation that
-- bought it. The one before the newest may live on for the overlap its owner chose.
create table api_keys (
  client_id            text primary key check (client_id ~ '^[0-9a-f]{32}$'),
  account_id           uuid not null references accounts,
  name                 text not null check (name <> '' and char_length(name) <= 100),
  secret_hash          bytea not null,
  generation           integer not null default 1,
  previous_secret_hash bytea,
  previous_until       timestamptz(3),
  created_at           timestamptz(3) not null,
  revoked_at           timestamptz(3));
create index api_keys_of_account on api_keys (account_id);

-- A provider without an account is the operator's and everybody's. `version` counts what changed in its appearance.
create table providers (
  id           uuid primary key,
  account_id   uuid references accounts,
  name         text not null check (name <> '' and char_length(name) <= 100),
  display_name text not null check (char_length(display_name) <= 100),
  theme_color  text not null check (theme_color ~ '^#[0-9A-F]{6}$'),
  logo_url     text not null default '' check (char_length(logo_url) <= 500),
  status       text not null default 'ACTIVE' check (status in ('ACTIVE', 'INACTIVE', 'MAINTENANCE')),
  version      integer not null default 1);

-- How a provider words its alerts. What a sentence means is read elsewhere; here it only counts whether one is active.
create table alert_templates (
  id          uuid primary key,
  provider_id uuid not null references providers,
  sentence    text not null check (sentence <> '' and char_length(sentence) <= 2000),
  status      text not null check (status in ('draft', 'active', 'retired')),
  created_at  timestamptz(3) not null);
create index alert_templates_active on alert_templates (provider_id) where status = 'active';

create table devices (
  id                uuid primary key,
  account_id        uuid not null references accounts,
  name              text not null check (name <> '' and char_length(name) <= 100),
  switched_on       boolean not null default false,
  secret_sealed     bytea,
  secret_version    integer not null default 0,
  ingest_token_hash bytea unique,
  created_at        timestamptz(3) not null,
  unique (account_id, id));

create table wallets (
  id             uuid primary key,
  account_id     uuid not null references accounts,
  provider_id    uuid not null references providers,
  device_id      uuid,
  name           text not null check (name <> '' and char_length(name) <= 100),
  account_number text not null check (char_length(account_number) <= 64),
  sender_name    text not null default '' check (char_length(sender_name) <= 64),
  currency       text not null default 'YER' check (currency ~ '^[A-Z]{3}$'),
  sim_slot       text not null default '' check (sim_slot in ('', 'SIM1', 'SIM2')),
  active         boolean not null default true,
  is_test        boolean not null default false,
  version        integer not null default 1,
  created_at     timestamptz(3) not null,
  unique (account_id, id),
  foreign key (account_id, device_id) references devices (account_id, id));
create unique index wallets_one_test on wallets (account_id) where is_test;
create index wallets_of_account on wallets (account_id, name, id);

-- An intent. Its id is of version 7 and made from the same instant as created_at: the order of ids is the order of
-- creation, and a range of time is a range of ids. So the primary key serves retrieval, the list and its date filters.
create table intents (
  account_id        uuid not null,
  id                uuid not null,
  wallet_id         uuid not null,
  code              text not null unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  status            text not null default 'PENDING'
                    check (status in ('PENDING', 'VERIFIED', 'WRONG_AMOUNT', 'EXPIRED', 'CANCELLED')),
  base              bigint not null check (base between 1 and 99999999999999),
  payable           bigint not null check (payable between 1 and 99999999999999),
  paid              bigint,
  currency          text not null,
  external_order_id text not null default '' check (char_length(external_order_id) <= 128),
  notes             text not null default '' check (char_length(notes) <= 500),
  items             json not null default '[]',
  reference         text not null default '' check (char_length(reference) <= 128),
  reference_key     text,
  manual            boolean not null default false,
  created_by        text not null,
  created_at        timestamptz(3) not null,
  expires_at        timestamptz(3) not null,
  verified_at       timestamptz(3),
  -- What the free-text search looks through, folded to lower case by us: the same on every PostgreSQL and locale.
  search_order      text not null,
  search_reference  text not null default '',
  primary key (account_id, id),
  foreign key (account_id, wallet_id) references wallets (account_id, id),
  check ((status = 'VERIFIED') = (verified_at is not null)),
  check ((status = 'WRONG_AMOUNT') = (paid is not null)),
  check ((reference = '') = (reference_key is null)));

-- One PENDING intent at most holds a reference of a wallet.
create unique index intents_reference_held on intents (wallet_id, reference_key) where status = 'PENDING';
create index intents_due      on intents (expires_at) where status = 'PENDING';
create index intents_status   on intents (account_id, status, id);
create index intents_wallet   on intents (account_id, wallet_id, id);
create index intents_payable  on intents (account_id, payable, id);
create index intents_verified on intents (account_id, verified_at, id) where verified_at is not null;
create index intents_order    on intents (account_id, external_order_id, id) where external_order_id <> '';
create index intents_ref      on intents (account_id, reference, id) where reference <> '';
-- U+001F stands between the fields, so that no term matches across two of them. The list of not yet indexed entries is
-- kept short: every search reads it whole.
create index intents_search on intents
  using gin (account_id, (search_order || U&'\001F' || search_reference) gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 512);

-- The timeline after the creation, which the intent itself tells: who did what, when and why.
create table intent_moves (
  account_id uuid not null,
  intent_id  uuid not null,
  id         uuid not null,
  at         timestamptz(3) not null,
  kind       text not null check (kind in ('reference', 'expired', 'cancelled')),
  by         text not null,
  facts      json not null default '{}',
  primary key (account_id, intent_id, id),
  foreign key (account_id, intent_id) references intents (account_id, id));

-- The answer that a key was given, byte for byte, written with the intent in one transaction.
create table idempotency_keys (
  account_id  uuid not null,
  key         text not null check (char_length(key) <= 128),
  fingerprint bytea not null,
  intent_id   uuid not null,
  answer      text not null,
  created_at  timestamptz(3) not null,
  primary key (account_id, key));
create index idempotency_keys_old on idempotency_keys (created_at);

-- How many intents there were until an hour, by wallet and final status. An intent whose window has closed never changes
-- again, so an hour is counted once and for all when the last window in it has closed; a list counts only what came since.
create table intent_tallies (
  account_id uuid not null references accounts,
  wallet_id  uuid not null references wallets,
  status     text not null,
  until      timestamptz(3) not null,
  total      bigint not null,
  primary key (account_id, wallet_id, status, until));

create table tally_progress (
  one          boolean primary key default true check (one),
  sealed_until timestamptz(3) not null);
insert into tally_progress (sealed_until) values ('1970-01-01T00:00:00Z');
