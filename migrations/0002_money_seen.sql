-- How money is seen: phones and how they prove themselves, alerts and how they are read, the one place where an alert
-- meets an intent, and the events that tell of it.

-- A phone is paired by a one-time code, kept as its hash. A regenerated code gives a new secret; the one before lives
-- until the new one is used for the first time. What a phone says of itself in a heartbeat is kept as it came.
alter table devices
  add column pairing_hash           bytea,
  add column pairing_until          timestamptz(3),
  add column pairing_tries          smallint not null default 0,
  add column previous_secret_sealed bytea,
  add column secret_used            boolean not null default false,
  add column signing_key_sealed     bytea,
  add column about                  json not null default '{}',
  add column health                 json not null default '{}',
  add column last_seen_at           timestamptz(3),
  add column last_alert_at          timestamptz(3);
create unique index devices_pairing on devices (pairing_hash) where pairing_hash is not null;

-- A request that was answered is answered as before. Timestamps more than five minutes off are refused, so older rows
-- can go.
create table device_requests (
  device_id  uuid not null references devices,
  request_id uuid not null,
  status     smallint not null,
  answer     text not null,
  at         timestamptz(3) not null,
  primary key (device_id, request_id));
create index device_requests_old on device_requests (at);

-- Templates are immutable versions of one another: `lineage` is what they have in common.
alter table alert_templates
  add column account_id      uuid references accounts,
  add column lineage         uuid,
  add column version         integer not null default 1,
  add column name            text not null default '' check (char_length(name) <= 100),
  add column sender_names    text[] not null default '{}',
  add column direction       text not null default 'credit' check (direction in ('credit', 'debit')),
  add column currency        text not null default 'YER' check (currency ~ '^[A-Z]{3}$'),
  add column samples         json not null default '[]',
  add column counter_samples json not null default '[]',
  -- Whether what nobody understood before has been read again with it.
  add column reread          boolean not null default false;
update alert_templates set lineage = id;
alter table alert_templates alter column lineage set not null;
create unique index alert_templates_version on alert_templates (lineage, version);
create index alert_templates_unread on alert_templates (created_at) where status = 'active' and not reread;
create unique index alert_templates_one_active on alert_templates (lineage) where status = 'active';

-- What a merchant asks to look at before it counts: credits above an amount, those of a phone that cannot prove what it
-- says (0: all of them), those that break the chain of balances.
alter table wallets
  add column review_above         bigint check (review_above >= 0),
  add column low_trust_limit      bigint not null default 0 check (low_trust_limit >= 0),
  add column review_broken_chains boolean not null default false;
create index wallets_of_device on wallets (device_id);

-- The last balance a wallet's alerts showed: whoever records an alert with a balance holds this row.
create table wallet_balances (
  wallet_id uuid primary key references wallets,
  balance   bigint not null,
  alert_id  uuid not null,
  at        timestamptz(3) not null);

-- Every alert that an authenticated phone sent, understood or not, with its raw text.
create table alerts (
  account_id         uuid not null references accounts,
  id                 uuid not null,
  device_id          uuid not null,
  client_id          text not null check (char_length(client_id) <= 128),
  adapter            text not null,
  trusted            boolean not null,
  kind               text not null check (kind in ('sms', 'notification')),
  sender             text not null check (char_length(sender) <= 128),
  package            text not null default '' check (char_length(package) <= 200),
  title              text not null default '' check (char_length(title) <= 500),
  raw_text           text not null check (char_length(raw_text) <= 65536),
  sim_slot           text not null default '' check (sim_slot in ('', 'SIM1', 'SIM2')),
  sent_at            timestamptz(3),
  phone_received_at  timestamptz(3),
  received_at        timestamptz(3) not null,
  normaliser_version smallint not null,
  fingerprint        bytea not null,
  -- What was read.
  wallet_id          uuid,
  template_id        uuid references alert_templates,
  direction          text check (direction in ('credit', 'debit')),
  amount             bigint check (amount >= 0),
  currency           text,
  reference          text,
  reference_key      text,
  payer              text,
  balance            bigint,
  -- How the balance follows from the one before: what is missing, and since when.
  chain              text check (chain in ('fits', 'break', 'unknown')),
  chain_missing      bigint,
  chain_since        timestamptz(3),
  -- What became of it, and why.
  state              text not null check (state in ('held', 'unread', 'debit', 'duplicate', 'waiting', 'review', 'matched',
                                                    'wrong_amount', 'booked', 'dismissed')),
  reason             text not null default '',
  duplicate_of       uuid,
  intent_id          uuid,
  -- payment.unmatched: owed until it was sent or somebody claimed the money.
  unmatched_owed     boolean not null default false,
  primary key (account_id, id),
  foreign key (account_id, device_id) references devices (account_id, id),
  foreign key (account_id, wallet_id) references wallets (account_id, id),
  foreign key (account_id, intent_id) references intents (account_id, id),
  check ((state in ('matched', 'wrong_amount', 'booked')) = (intent_id is not null)),
  check ((reference is null) = (reference_key is null)));
create unique index alerts_once on alerts (device_id, client_id);
-- An intent is resolved by one alert at most.
create unique index alerts_intent on alerts (intent_id) where intent_id is not null;
-- One alert at most stands for a reference of a wallet; a repetition is marked as such, another amount waits for review.
create unique index alerts_reference on alerts (wallet_id, reference_key)
  where reference_key is not null and state in ('waiting', 'matched', 'wrong_amount', 'booked');
create index alerts_same_reference on alerts (wallet_id, reference_key) where reference_key is not null;
create index alerts_fingerprint on alerts (fingerprint, received_at);
create index alerts_queue  on alerts (account_id, id) where state in ('waiting', 'review', 'held', 'unread');
create index alerts_unread on alerts (account_id, sender, id) where state = 'unread';
create index alerts_owed   on alerts (received_at) where unmatched_owed;
create index alerts_of_device on alerts (device_id, id);

-- An alert resolves one intent at most. `reference_at` is when the reference was attached last.
alter table intents
  add column alert_id     uuid,
  add column reference_at timestamptz(3),
  add foreign key (account_id, alert_id) references alerts (account_id, id);
create unique index intents_alert on intents (alert_id) where alert_id is not null;
create index intents_open on intents (wallet_id, id) where status = 'PENDING';

alter table intent_moves drop constraint intent_moves_kind_check;
alter table intent_moves
  add check (kind in ('reference', 'expired', 'cancelled', 'verified', 'wrong_amount', 'booked')),
  add column alert_id uuid;

-- The outbox: what is to be told, the exact bytes of it, written in the transaction that made it true.
create table events (
  account_id uuid not null references accounts,
  id         uuid not null,
  kind       text not null check (kind in ('payment.verified', 'payment.unmatched', 'payment.received')),
  wallet_id  uuid not null,
  intent_id  uuid,
  alert_id   uuid not null,
  body       text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, wallet_id) references wallets (account_id, id));
-- A resolution is told once, an alert of each kind once.
create unique index events_once on events (alert_id, kind);
