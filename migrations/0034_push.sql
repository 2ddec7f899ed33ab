-- Members are notified on their devices (browsers that subscribed) of money, of what waits for them, and of phones and endpoints
-- that fail. A notification has counts and amounts only. What is to be sent is summed up for each device, so its queue stays small
-- however much money comes (docs/decisions/0076).

create table push_keys (
  id             uuid primary key,
  only_one       boolean not null default true unique check (only_one),
  public_key     text not null check (char_length(public_key) <= 200),
  private_sealed bytea not null,
  created_at     timestamptz(3) not null);
comment on table push_keys is
  'The key pair by which push services know this service (VAPID). One row, made at the first start. Browsers subscribe with its public '
  'key: with another pair every device must subscribe again.';
comment on column push_keys.only_one is 'Always true, and unique: of two nodes that start at once, one stores its pair.';
comment on column push_keys.private_sealed is 'What the service signs with.';
comment on column push_keys.public_key is 'Base64url, as browsers take it.';

create table push_settings (
  account_id    uuid not null,
  user_id       uuid not null,
  kinds         text[] not null
                  check (kinds <@ array['money', 'unmatched', 'wrong_amount', 'phone_silent', 'endpoint_failing']),
  quiet_from    smallint check (quiet_from between 0 and 1439),
  quiet_until   smallint check (quiet_until between 0 and 1439),
  counter_until timestamptz(3),
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references members on delete cascade,
  constraint push_settings_quiet check ((quiet_from is null) = (quiet_until is null) and quiet_from <> quiet_until));
comment on table push_settings is 'What a member wants to be notified of. No row: everything, at any hour.';
comment on column push_settings.kinds is 'What the member wants. What their role may not read is not sent all the same.';
comment on column push_settings.quiet_from is 'Minutes after midnight in the zone of the account. Null: no quiet hours.';
comment on column push_settings.quiet_until is 'Smaller than quiet_from: on the next day.';
comment on column push_settings.counter_until is
  'The member has a counter screen open until then, and sees money arrive there. Null: never.';

create table push_devices (
  account_id          uuid not null,
  id                  uuid not null unique,
  user_id             uuid not null,
  session_id          uuid not null references sessions on delete cascade,
  address_hash        bytea not null unique,
  subscription_sealed bytea not null,
  service             text not null check (char_length(service) <= 255),
  agent               text not null default '' check (char_length(agent) <= 300),
  created_at          timestamptz(3) not null,
  sent_at             timestamptz(3),
  failures            smallint not null default 0,
  next_at             timestamptz(3),
  taken_until         timestamptz(3),
  message             json,
  message_at          timestamptz(3),
  attempts            smallint not null default 0,
  primary key (account_id, id),
  foreign key (account_id, user_id) references members on delete cascade,
  constraint push_devices_message check ((message is null) = (message_at is null)));
comment on table push_devices is
  'Browsers that subscribed to notifications. A device is gone with its member and with its session, or when its push service says so.';
comment on column push_devices.session_id is 'The session in which it subscribed. When that is ended by someone, the device is deleted.';
comment on column push_devices.address_hash is 'SHA-256 of the address at the push service: a browser is the device of one member.';
comment on column push_devices.subscription_sealed is 'Address and keys of the subscription, as JSON.';
comment on column push_devices.service is 'The host of its push service.';
comment on column push_devices.agent is 'The browser''s User-Agent header.';
comment on column push_devices.sent_at is 'When the push service last took a message. Null: never.';
comment on column push_devices.failures is 'Messages that were given up since then. After some the device is deleted.';
comment on column push_devices.next_at is 'When there is something to do for it. Null: nothing.';
comment on column push_devices.taken_until is 'A worker sends to it until then; after that another may.';
comment on column push_devices.message is 'What is being sent: the same text at every attempt, with an id that the device knows. Null: nothing.';
comment on column push_devices.message_at is 'When the message was put together. An old one is dropped.';
comment on column push_devices.attempts is 'How often the message was tried, counted before each attempt.';

-- Devices of a member; devices of a session that is deleted; what is due.
create index push_devices_of_member on push_devices (account_id, user_id);
create index push_devices_of_session on push_devices (session_id);
create index push_devices_due on push_devices (next_at) where next_at is not null;

create table push_pending (
  account_id uuid not null,
  device_id  uuid not null,
  kind       text not null
               check (kind in ('money', 'unmatched', 'wrong_amount', 'phone_silent', 'endpoint_failing', 'test')),
  currency   text not null default '',
  count      integer not null check (count > 0),
  amount     bigint not null default 0 check (amount >= 0),
  first_at   timestamptz(3) not null,
  primary key (account_id, device_id, kind, currency),
  foreign key (account_id, device_id) references push_devices on delete cascade);
comment on table push_pending is 'What a device is to be notified of, summed up: one row for each kind and currency.';
comment on column push_pending.kind is 'test: the member asked for a notification, to see that they arrive.';
comment on column push_pending.count is 'How many.';
comment on column push_pending.currency is 'Empty: a kind without amounts.';
comment on column push_pending.amount is 'The sum, in minor units.';
comment on column push_pending.first_at is 'When the first of them happened. Old ones are dropped.';

create table push_told (
  account_id uuid not null references accounts,
  kind       text not null
               check (kind in ('money', 'unmatched', 'wrong_amount', 'phone_silent', 'endpoint_failing')),
  object     text not null check (char_length(object) <= 100),
  keep_until timestamptz(3) not null,
  primary key (account_id, kind, object));
comment on table push_told is
  'What was put into push_pending, or was not because nobody wanted it: each once, whichever nodes look. Only for accounts with devices.';
comment on column push_told.kind is 'As push_settings.kinds.';
comment on column push_told.object is 'The alert; the phone and when it was last seen; the endpoint and since when it fails.';
comment on column push_told.keep_until is 'Longer than the time in which the object could be found again.';
create index push_told_over on push_told (keep_until);
