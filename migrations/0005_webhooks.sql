-- Webhooks: what merchants are told (events), where (endpoints), what is still to be sent (deliveries), and what happened.

create table webhook_endpoints (
  account_id             uuid not null references accounts,
  id                     uuid not null unique,
  url                    text not null check (char_length(url) <= 2048),
  wallet_id              uuid,
  kinds                  text[] not null check (kinds <@ array['payment.verified', 'payment.unmatched', 'payment.received']),
  headers                json not null default '{}',
  secret_sealed          bytea not null,
  previous_secret_sealed bytea,
  previous_until         timestamptz(3),
  enabled                boolean not null default true,
  disabled_why           text not null default '' check (disabled_why in ('', 'person', 'gone', 'failing')),
  disabled_at            timestamptz(3),
  -- How its calls went.
  last_success_at        timestamptz(3),
  failing_since          timestamptz(3),
  failures               integer not null default 0,
  warned_at              timestamptz(3),
  misconfigured          boolean not null default false,
  -- Its circuit breaker (webhooks/sending/breaker.ts).
  network_failures       integer not null default 0,
  open_until             timestamptz(3),
  open_step              smallint not null default 0,
  slow_start             smallint not null default 32767 check (slow_start >= 1),
  created_at             timestamptz(3) not null,
  deleted_at             timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, wallet_id) references wallets (account_id, id));

comment on table webhook_endpoints is 'Where an account''s events are sent, and how well that goes.';
comment on column webhook_endpoints.wallet_id is 'Only events of this wallet. Null: of all.';
comment on column webhook_endpoints.kinds is 'Kinds of events that are sent to it.';
comment on column webhook_endpoints.headers is 'Headers that the merchant wants with each call: name and sealed value.';
comment on column webhook_endpoints.secret_sealed is 'What calls are signed with. Empty once the endpoint is deleted.';
comment on column webhook_endpoints.previous_secret_sealed is
  'The secret before the last rotation; signs too until previous_until.';
comment on column webhook_endpoints.enabled is 'False: nothing is put into its queue. Events are recorded all the same.';
comment on column webhook_endpoints.disabled_why is
  'person: a user switched it off. gone: it answered 410. failing: days without a success, after a warning. Empty: enabled.';
comment on column webhook_endpoints.failing_since is 'The first failure since the last success. Null: the last call succeeded.';
comment on column webhook_endpoints.failures is 'Failures since the last success.';
comment on column webhook_endpoints.warned_at is 'When owners were warned that it will be disabled. Null: not.';
comment on column webhook_endpoints.misconfigured is
  'An answer since the last success says that its set-up is wrong, not that it is busy.';
comment on column webhook_endpoints.network_failures is 'Network failures in a row; some open the breaker.';
comment on column webhook_endpoints.open_until is
  'The breaker is open: nothing is sent until then, afterwards one probe. Null: closed.';
comment on column webhook_endpoints.open_step is 'How often it opened without recovering: each pause is twice the one before.';
comment on column webhook_endpoints.slow_start is
  'Calls at once that it is given after a pause; grows with each answer. 32767: no limit of its own.';
comment on column webhook_endpoints.deleted_at is 'Null: there. A deleted one stays for its log.';

create table events (
  account_id uuid not null,
  id         uuid not null,
  kind       text not null check (kind in ('payment.verified', 'payment.unmatched', 'payment.received')),
  wallet_id  uuid not null,
  intent_id  uuid,
  alert_id   uuid not null,
  body       text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, id));
create unique index events_once on events (alert_id, kind);
create index events_with_body on events (created_at) where body <> '';

comment on table events is
  'The outbox: what merchants are told, written in the transaction that made it true. Kept for good. It has no foreign keys: '
  'account, wallet and intent are those of its alert, and a key on the wallet would make all payments into it share a lock.';
comment on column events.kind is
  'payment.verified: an intent is paid. payment.unmatched: money came that no intent asked for. payment.received: money came '
  'to the test wallet.';
comment on column events.intent_id is 'The intent that was resolved. Null: none was, as with payment.unmatched.';
comment on column events.body is 'The exact text that is sent and signed. Emptied after a month.';
comment on index events_once is 'An alert is told of once in each kind.';

create table deliveries (
  endpoint_id uuid not null references webhook_endpoints (id),
  event_id    uuid not null,
  replay      integer not null default 0,
  id          uuid not null default gen_random_uuid(),
  account_id  uuid not null,
  attempt     smallint not null default 0,
  by_hand     boolean not null default false,
  follows     uuid,
  due_at      timestamptz(3) not null,
  lease_id    uuid,
  lease_until timestamptz(3),
  created_at  timestamptz(3) not null,
  primary key (endpoint_id, event_id, replay),
  foreign key (account_id, event_id) references events (account_id, id));
create index deliveries_due    on deliveries (endpoint_id, due_at, event_id) where lease_id is null;
create index deliveries_leased on deliveries (lease_until) where lease_id is not null;

-- The queue is empty most of the day, and PostgreSQL analyses it again each time it fills. What it learns is of no use a minute
-- later: a tenth of the rows that it would read otherwise is enough.
alter table deliveries
  alter column endpoint_id set statistics 10,
  alter column event_id    set statistics 10,
  alter column replay      set statistics 10,
  alter column id          set statistics 10,
  alter column account_id  set statistics 10,
  alter column attempt     set statistics 10,
  alter column by_hand     set statistics 10,
  alter column follows     set statistics 10,
  alter column due_at      set statistics 10,
  alter column lease_id    set statistics 10,
  alter column lease_until set statistics 10,
  alter column created_at  set statistics 10;

comment on table deliveries is
  'The queue: an event that is still to be sent to an endpoint. A finished one is deleted here and written to delivery_ends. '
  'The primary key makes an event wait once for an endpoint.';
comment on column deliveries.replay is '0: the event itself. 1 and more: sent again, by hand or by a replay.';
comment on column deliveries.id is
  'Begins as the event''s id does (webhooks/log/delivery-id.ts), so it is found by endpoint and event and needs no index. '
  'Sanad gives each one; the default is for rows written by hand.';
comment on column deliveries.attempt is 'Attempts begun.';
comment on column deliveries.by_hand is 'A user asked for it: its result says nothing about the health of the endpoint.';
comment on column deliveries.follows is
  'An event that must be tried first: payment.verified waits for payment.received. Null: none.';
comment on column deliveries.due_at is 'Not sent before.';
comment on column deliveries.lease_id is 'The worker that is sending it. Null: waiting.';
comment on column deliveries.lease_until is 'When it is given back if that worker died.';

-- The log of deliveries, append-only. A partition holds a day (UTC), made ahead by the service; old partitions are dropped, so
-- no row is ever deleted. The default partition takes what comes for a day without one: nothing is refused for want of it.

create table delivery_attempts (
  at          timestamptz(3) not null,
  account_id  uuid not null,
  delivery_id uuid not null,
  event_id    uuid not null,
  endpoint_id uuid not null,
  attempt     smallint not null,
  outcome     text not null,
  status      smallint,
  error       text not null default '',
  request     json not null,
  response    json not null,
  took        json not null) partition by range (at);
create table delivery_attempts_other partition of delivery_attempts default;
create index delivery_attempts_of_delivery on delivery_attempts (account_id, delivery_id, attempt);

comment on table delivery_attempts is 'One call to an endpoint: what was sent, what came back. Kept a month.';
comment on column delivery_attempts.at is 'When it had ended.';
comment on column delivery_attempts.outcome is
  'How it went, as a code: ok, status, redirect, timeout, network, tls, dns, refused and the like.';
comment on column delivery_attempts.status is 'HTTP status. Null: no answer.';
comment on column delivery_attempts.error is 'What went wrong, for a reader.';
comment on column delivery_attempts.request is 'Headers and address that were used; no secrets.';
comment on column delivery_attempts.response is 'Headers and the beginning of the body that came back.';
comment on column delivery_attempts.took is 'Milliseconds of each stage: name lookup, connecting, first byte, total.';
comment on table delivery_attempts_other is 'Attempts of days that have no partition of their own.';

create table delivery_ends (
  at          timestamptz(3) not null,
  account_id  uuid not null,
  delivery_id uuid not null,
  event_id    uuid not null,
  endpoint_id uuid not null,
  replay      integer not null,
  attempts    smallint not null,
  ending      text not null check (ending in ('delivered', 'exhausted', 'disabled'))) partition by range (at);
create table delivery_ends_other partition of delivery_ends default;
create index delivery_ends_of_endpoint on delivery_ends (account_id, endpoint_id, event_id, replay);
create index delivery_ends_failed      on delivery_ends (account_id, endpoint_id, event_id, replay) where ending <> 'delivered';

comment on table delivery_ends is 'How each delivery ended. Kept three months.';
comment on column delivery_ends.replay is 'As in deliveries.replay.';
comment on column delivery_ends.ending is
  'exhausted: given up after the last attempt. disabled: its endpoint was switched off or deleted.';
comment on table delivery_ends_other is 'Ends of days that have no partition of their own.';

create table webhook_replays (
  account_id  uuid not null,
  id          uuid not null,
  endpoint_id uuid not null,
  from_at     timestamptz(3) not null,
  until_at    timestamptz(3) not null,
  kinds       text[] not null,
  undelivered boolean not null,
  state       text not null default 'running' check (state in ('running', 'stopped', 'done')),
  total       integer not null,
  more        boolean not null,
  done        integer not null default 0,
  cursor      uuid not null,
  paced_at    timestamptz(3) not null,
  created_at  timestamptz(3) not null,
  ended_at    timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id));
create unique index webhook_replays_running on webhook_replays (endpoint_id) where state = 'running';
create index webhook_replays_of_endpoint on webhook_replays (account_id, endpoint_id, id);
create index webhook_replays_old         on webhook_replays (created_at) where state <> 'running';

comment on table webhook_replays is 'Events of a range of time that a user has sent to an endpoint again, a few each second.';
comment on column webhook_replays.from_at is 'The range of time: events created from here until until_at.';
comment on column webhook_replays.undelivered is 'Only events that never arrived there.';
comment on column webhook_replays.state is 'running; stopped by a user, who may let it go on; done.';
comment on column webhook_replays.total is 'Events counted at the beginning, up to a limit; more: there were more than that.';
comment on column webhook_replays.done is 'Events put into the queue so far.';
comment on column webhook_replays.cursor is 'The last event looked at: whichever node goes on, goes on behind it.';
comment on column webhook_replays.paced_at is 'When it went on last; keeps the speed.';
comment on column webhook_replays.ended_at is 'When it was done, or stopped by a user, who may let it go on. Null: running.';
comment on index webhook_replays_running is 'One replay runs for an endpoint at a time.';
