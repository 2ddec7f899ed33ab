-- Wallets: the companies that run them (providers), the phones that report their messages, and the wallets themselves.

create table providers (
  id           uuid primary key,
  account_id   uuid references accounts,
  name         text not null check (name <> '' and char_length(name) <= 100),
  display_name text not null check (char_length(display_name) <= 100),
  theme_color  text not null check (theme_color ~ '^#[0-9A-F]{6}$'),
  logo_url     text not null default '' check (char_length(logo_url) <= 500),
  packages     text[] not null default '{}' constraint providers_packages_few check (cardinality(packages) <= 20),
  status       text not null default 'ACTIVE' check (status in ('ACTIVE', 'INACTIVE', 'MAINTENANCE')),
  version      integer not null default 1);
create unique index providers_shared_name on providers (name) where account_id is null;

comment on table providers is
  'A wallet company, such as Jawali. Most come with Sanad and are written at the start of the service.';
comment on column providers.account_id is
  'The account that entered it for itself. Null: shared by all accounts, the operator''s.';
comment on column providers.name is 'Short name for programs, such as jawali.';
comment on column providers.packages is
  'Android packages of the provider''s own app. A notification of another app is never believed. Empty: not known.';
comment on column providers.status is 'Whether the provider is at work. Shown to merchants with each wallet.';
comment on column providers.version is 'Counts changes, so that a remembered copy can be checked when an intent is created.';
comment on index providers_shared_name is 'A shared provider is known by its name.';

-- The provider of the test wallet that every account has. Accounts can be made before the first start of the service has
-- brought the other providers, so this one is here from the beginning, under an id that is the same everywhere.
insert into providers (id, name, display_name, theme_color)
values ('0baca53a-4442-50b8-8fc7-1f2fe7efede2', 'sanad-test', 'Test wallet', '#5C6675');

create table devices (
  id                     uuid primary key,
  account_id             uuid not null references accounts,
  name                   text not null check (name <> '' and char_length(name) <= 100),
  switched_on            boolean not null default false,
  awaited                boolean not null default false,
  -- How it proves that a report is its own.
  secret_sealed          bytea,
  secret_version         integer not null default 0,
  secret_used            boolean not null default false,
  previous_secret_sealed bytea,
  ingest_token_hash      bytea unique,
  signing_key_sealed     bytea,
  paired_at              timestamptz(3),
  -- The pairing code that is open, if there is one.
  pairing_hash           bytea,
  pairing_until          timestamptz(3),
  pairing_tries          smallint not null default 0,
  pairing_by             text not null default '',
  -- What it says of itself, and when it was heard of.
  about                  json not null default '{}',
  health                 json not null default '{}',
  last_seen_at           timestamptz(3),
  last_alert_at          timestamptz(3),
  created_at             timestamptz(3) not null,
  unique (account_id, id));
create unique index devices_pairing on devices (pairing_hash) where pairing_hash is not null;

comment on table devices is
  'A phone (the public API says device) that reports the messages of wallets: by Sanad''s own agent, or by an SMS forwarding '
  'app.';
comment on column devices.switched_on is 'False: its reports are stored as held and verify nothing until someone releases them.';
comment on column devices.awaited is
  'True from when the phone is added until it is first heard of, which switches it on. A user who moves the switch before '
  'ends this.';
comment on column devices.secret_sealed is 'What the agent signs with. Null: never paired.';
comment on column devices.secret_version is 'Counts pairings; 0: never paired.';
comment on column devices.secret_used is 'The newest secret was used: from then on the previous one is refused.';
comment on column devices.previous_secret_sealed is 'The secret before, good until the newest is used for the first time.';
comment on column devices.ingest_token_hash is 'SHA-256 of the token in a forwarding app''s address. Null: no such app.';
comment on column devices.signing_key_sealed is 'What a forwarding app signs with, if it can. Null: its reports are not signed.';
comment on column devices.paired_at is
  'When what it proves itself with was last issued: pairing, token or signing key. A phone of less than a day is a doubt. '
  'Null: never.';
comment on column devices.pairing_hash is
  'Keyed hash of the open one-time code: 50 bits could be guessed from a plain hash. Null: none.';
comment on column devices.pairing_until is 'The code is good until then.';
comment on column devices.pairing_tries is 'Wrong codes that were tried near this one; after five it is void.';
comment on column devices.pairing_by is 'Who made the open code; owners are told. As in audit_log.actor.';
comment on column devices.about is 'Agent, version, model, Android version; as the phone said at pairing.';
comment on column devices.health is 'Its last heartbeat: battery, permissions, queue; as the phone says.';
comment on column devices.last_seen_at is 'Last authenticated call, written every ten seconds at most. Null: never heard of.';
comment on column devices.last_alert_at is 'Last report, written as last_seen_at.';
comment on index devices_pairing is 'An open pairing code names one phone.';

create table device_requests (
  device_id  uuid not null references devices,
  request_id uuid not null,
  status     smallint not null,
  answer     text not null,
  at         timestamptz(3) not null,
  primary key (device_id, request_id));
create index device_requests_old on device_requests (at);

comment on table device_requests is
  'Answers that phones were given: a request that comes again gets the same one. Kept an hour; a request with a timestamp '
  'more than five minutes off is refused anyway.';
comment on column device_requests.request_id is 'Chosen by the phone.';
comment on column device_requests.status is 'HTTP status.';
comment on column device_requests.answer is
  'The JSON text, or "sealed:" and the sealed text where it repeats what must not be read.';

create table wallets (
  id                   uuid primary key,
  account_id           uuid not null references accounts,
  identity             uuid not null,
  provider_id          uuid not null references providers,
  device_id            uuid,
  sim_slot             text not null default '' check (sim_slot in ('', 'SIM1', 'SIM2')),
  name                 text not null check (name <> '' and char_length(name) <= 100),
  account_number       text not null check (char_length(account_number) <= 64),
  sender_name          text not null default '' check (char_length(sender_name) <= 64),
  currency             text not null default 'YER' check (currency ~ '^[A-Z]{3}$'),
  active               boolean not null default true,
  is_test              boolean not null default false,
  -- What a user must look at before it counts.
  review_above         bigint check (review_above >= 0),
  low_trust_limit      bigint not null default 0 check (low_trust_limit >= 0),
  review_broken_chains boolean not null default true,
  version              integer not null default 1,
  reread               boolean not null default false,
  reread_at            timestamptz(3),
  created_at           timestamptz(3) not null,
  unique (account_id, id),
  constraint wallets_identity_key unique (account_id, id, identity),
  foreign key (account_id, device_id) references devices (account_id, id));
create unique index wallets_one_test on wallets (account_id) where is_test;
create unique index wallets_one_open on wallets (account_id, identity) where active;
create index wallets_of_account  on wallets (account_id, name, id);
create index wallets_of_device   on wallets (device_id);
create index wallets_of_provider on wallets (provider_id);
create index wallets_to_reread   on wallets (account_id, id) where reread;

comment on table wallets is
  'A wallet as a merchant entered it. Entries are closed, never deleted; the same real wallet may have several, at most one '
  'of them open.';
comment on column wallets.identity is
  'Which real wallet it is (provider and account number): the id of its first entry, shared by all its entries. A payment is '
  'unique by it.';
comment on column wallets.device_id is 'Its first phone; further ones are in wallet_phones. Null: nobody reports its messages.';
comment on column wallets.sim_slot is 'The slot of the first phone''s SIM. Empty: any.';
comment on column wallets.account_number is 'As the merchant entered it; buyers are shown it.';
comment on column wallets.sender_name is
  'The sender of its messages, as phones show it. Empty: none, so no message is of this wallet.';
comment on column wallets.active is 'False: closed. It takes no new intents; what was spent there stays spent.';
comment on column wallets.is_test is 'The account''s test wallet: payments can be simulated, quotas and figures leave it out.';
comment on column wallets.review_above is 'Credits above this amount (minor units) wait for a user. Null: no such limit.';
comment on column wallets.low_trust_limit is 'Unsigned credits above this amount (minor units) wait for a user. 0: all of them.';
comment on column wallets.review_broken_chains is 'Credits whose balance does not follow from the one before wait for a user.';
comment on column wallets.version is 'Counts changes, so that a remembered copy can be checked when an intent is created.';
comment on column wallets.reread is 'Its phones, sender or provider changed: unread alerts of its sender are to be read again.';
comment on column wallets.reread_at is
  'When they were read again the first time; once more when every node knows of the change. Null: not yet.';
comment on constraint wallets_identity_key on wallets is
  'Target of the foreign keys of intents and alerts, which hold their copies of identity true.';
comment on index wallets_one_test is 'An account has one test wallet.';
comment on index wallets_one_open is 'A real wallet has one open entry in an account.';

create table wallet_numbers (
  account_id  uuid not null references accounts,
  provider_id uuid not null references providers,
  number_key  text not null check (number_key <> '' and char_length(number_key) <= 64),
  identity    uuid not null,
  primary key (account_id, provider_id, number_key));

comment on table wallet_numbers is
  'Account numbers under which a real wallet was ever entered: one that was corrected still names the same wallet. The '
  'primary key makes a number one wallet''s.';
comment on column wallet_numbers.number_key is
  'The digits alone, without the international prefix (wallets/identity/account-number.ts).';
comment on column wallet_numbers.identity is 'As in wallets.identity.';

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

comment on table wallet_phones is 'Further phones of a wallet. The first one is in the wallet''s own row.';
comment on column wallet_phones.sim_slot is 'The slot of the SIM that gets the wallet''s messages. Empty: any.';

create function own_identity() returns trigger language plpgsql as $$
begin
  new.identity := new.id;
  return new;
end $$;
comment on function own_identity is
  'A wallet that is written without an identity is a real wallet of its own: its identity is its id.';
create trigger wallets_own_identity before insert on wallets
  for each row when (new.identity is null) execute function own_identity();

create function identity_of_wallet() returns trigger language plpgsql as $$
begin
  select w.identity into new.identity from public.wallets w where w.account_id = new.account_id and w.id = new.wallet_id;
  return new;
end $$;
comment on function identity_of_wallet is 'An intent or alert that is written without an identity gets that of its wallet.';
