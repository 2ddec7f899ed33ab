-- Webhooks that arrive: where events go, what is still to be delivered, and what happened at each try.

-- An endpoint, its sealed secrets, and its health. The breaker (`open_until`) parks an endpoint that cannot be reached;
-- after it closes, sending starts slowly. An endpoint that fails for days is disabled, with a warning before.
create table webhook_endpoints (
  account_id             uuid not null references accounts,
  id                     uuid not null unique,
  url                    text not null check (char_length(url) <= 2048),
  wallet_id              uuid,
  kinds                  text[] not null check (kinds <@ array['payment.verified', 'payment.unmatched', 'payment.received']),
  headers                json not null default '{}',
  enabled                boolean not null default true,
  disabled_why           text not null default '' check (disabled_why in ('', 'person', 'gone', 'failing')),
  disabled_at            timestamptz(3),
  secret_sealed          bytea not null,
  previous_secret_sealed bytea,
  previous_until         timestamptz(3),
  created_at             timestamptz(3) not null,
  last_success_at        timestamptz(3),
  failing_since          timestamptz(3),
  failures               integer not null default 0,
  misconfigured          boolean not null default false,
  network_failures       integer not null default 0,
  open_until             timestamptz(3),
  open_step              smallint not null default 0,
  slow_start             smallint not null default 8 check (slow_start between 1 and 8),
  warned_at              timestamptz(3),
  deleted_at             timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, wallet_id) references wallets (account_id, id));

-- Only what is not finished yet. A row is claimed by a lease; a worker that dies loses it after a while.
create table deliveries (
  id          uuid primary key default gen_random_uuid(),
  account_id  uuid not null,
  event_id    uuid not null,
  endpoint_id uuid not null references webhook_endpoints (id),
  replay      integer not null default 0,
  attempt     smallint not null default 0,
  by_hand     boolean not null default false,
  due_at      timestamptz(3) not null,
  lease_id    uuid,
  lease_until timestamptz(3),
  created_at  timestamptz(3) not null,
  unique (endpoint_id, event_id, replay),
  foreign key (account_id, event_id) references events (account_id, id));
create index deliveries_due    on deliveries (endpoint_id, due_at, event_id) where lease_id is null;
create index deliveries_leased on deliveries (lease_until) where lease_id is not null;

-- Append-only, a partition a day: old ones are dropped, no row is ever deleted.
create table delivery_attempts (
  at            timestamptz(3) not null,
  account_id    uuid not null,
  delivery_id   uuid not null,
  event_id      uuid not null,
  endpoint_id   uuid not null,
  attempt       smallint not null,
  outcome       text not null,
  status        smallint,
  error         text not null default '',
  request       json not null,
  response      json not null,
  took          json not null) partition by range (at);
create index delivery_attempts_of_endpoint on delivery_attempts (account_id, endpoint_id, at);
create index delivery_attempts_of_delivery on delivery_attempts (account_id, delivery_id, attempt);

-- How each delivery ended: told, given up after the last try, or its endpoint gone.
create table delivery_ends (
  at          timestamptz(3) not null,
  account_id  uuid not null,
  delivery_id uuid not null,
  event_id    uuid not null,
  endpoint_id uuid not null,
  replay      integer not null,
  attempts    smallint not null,
  ending      text not null check (ending in ('delivered', 'exhausted', 'disabled'))) partition by range (at);
create index delivery_ends_of_delivery on delivery_ends (account_id, delivery_id);
create index delivery_ends_of_endpoint on delivery_ends (account_id, endpoint_id, event_id, replay);
create index delivery_ends_failed      on delivery_ends (account_id, endpoint_id, event_id, replay) where ending <> 'delivered';

-- For what comes before its day has a partition: nothing is ever refused for want of one.
create table delivery_attempts_other partition of delivery_attempts default;
create table delivery_ends_other     partition of delivery_ends default;

-- Events of a stretch of time, sent to an endpoint again, a few each second. `cursor` is the last event looked at: whoever
-- goes on, on whichever node, goes on from there. One at a time for an endpoint.
create table webhook_replays (
  account_id  uuid not null,
  id          uuid not null,
  endpoint_id uuid not null,
  from_at     timestamptz(3) not null,
  until_at    timestamptz(3) not null,
  kinds       text[] not null,
  undelivered boolean not null,
  total       integer not null,
  more        boolean not null,
  done        integer not null default 0,
  cursor      uuid not null,
  paced_at    timestamptz(3) not null,
  state       text not null default 'running' check (state in ('running', 'stopped', 'done')),
  created_at  timestamptz(3) not null,
  ended_at    timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id));
create unique index webhook_replays_running on webhook_replays (endpoint_id) where state = 'running';
create index webhook_replays_of_endpoint on webhook_replays (account_id, endpoint_id, id);

-- The text of an event is kept for a month, that there was one for good: this finds those whose text is to go.
create index events_with_body on events (created_at) where body <> '';
