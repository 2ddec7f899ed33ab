-- What a merchant's developer sees: deliveries that failed so far, figures of endpoints, opt-in events, the log of API calls.

create index deliveries_failed on deliveries (endpoint_id, event_id, replay)
  where attempt > 1 or (attempt = 1 and lease_id is null);
comment on index deliveries_failed is
  'Unfinished deliveries with a failed attempt. One that arrives at its first attempt is never in it.';

create table endpoint_hours (
  account_id  uuid not null,
  endpoint_id uuid not null,
  hour        timestamptz(3) not null,
  bucket      smallint not null,
  attempts    integer not null,
  primary key (account_id, endpoint_id, hour, bucket));
comment on table endpoint_hours is
  'How many attempts at an endpoint succeeded in an hour, by how long they took, and how many failed. Written with the attempts. '
  'Deleted after some days.';
comment on column endpoint_hours.hour is 'The start of the hour, in UTC.';
comment on column endpoint_hours.bucket is
  '-1: failed. 0 and more: arrived; the number of the stretch of milliseconds in webhooks/endpoints/endpoint-figures.ts.';
create index endpoint_hours_old on endpoint_hours (hour);

-- An event can be about the end of an intent that was not paid; it is stored only where an endpoint subscribes to it.
alter table events
  drop constraint events_kind_check,
  add constraint events_kind_check check (kind in (
    'payment.verified', 'payment.unmatched', 'payment.received', 'payment.wrong_amount', 'payment.expired', 'payment.cancelled',
    'checkout.completed', 'checkout.expired')),
  drop constraint events_alert_check,
  add constraint events_alert_check check (
    alert_id is not null or kind like 'checkout.%'
    or (intent_id is not null and kind in ('payment.wrong_amount', 'payment.expired', 'payment.cancelled')));
comment on column events.kind is
  'payment.verified: an intent is paid. payment.unmatched: money came that no intent asked for. payment.received: money came to '
  'the test wallet. payment.wrong_amount, payment.expired, payment.cancelled: an intent ended otherwise. checkout.completed, '
  'checkout.expired: a checkout ended.';
comment on column events.alert_id is
  'Null: an event of a checkout, or of the end of an unpaid intent: one alert can end several intents with a wrong amount.';
create unique index events_end_once on events (intent_id)
  where kind in ('payment.wrong_amount', 'payment.expired', 'payment.cancelled');
comment on index events_end_once is 'An intent ends once, and is reported once.';
alter table webhook_endpoints
  drop constraint webhook_endpoints_kinds_check,
  add constraint webhook_endpoints_kinds_check check (kinds <@ array[
    'payment.verified', 'payment.unmatched', 'payment.received', 'payment.wrong_amount', 'payment.expired', 'payment.cancelled',
    'checkout.completed', 'checkout.expired']);

create table api_calls (
  account_id   uuid not null,
  id           uuid not null,
  at           timestamptz(3) not null,
  client_id    text not null,
  method       text not null check (char_length(method) <= 20),
  path         text not null check (char_length(path) <= 500),
  status       smallint not null,
  code         text not null,
  took_ms      integer not null,
  request_id   text not null,
  request_body text not null check (char_length(request_body) <= 2000),
  error_body   text not null check (char_length(error_body) <= 2000),
  skipped      integer not null default 0,
  primary key (account_id, id));
comment on table api_calls is
  'The calls of an account to the merchant and checkout APIs, for its developers. Written in batches after the answers, so a '
  'killed node loses the last second. Contains no secret. Deleted after a week.';
comment on column api_calls.id is 'Begins with the time: the order of the log.';
comment on column api_calls.path is 'With its query, without the values of parameters that may be secret.';
comment on column api_calls.code is 'The code of the first error. Empty: none.';
comment on column api_calls.request_body is 'Only of a failed call, its beginning, without values that may be secret; never of a token request.';
comment on column api_calls.error_body is 'The answer to a failed call, its beginning.';
comment on column api_calls.skipped is 'Calls before this one that were left out, because the account made too many.';
create index api_calls_failed on api_calls (account_id, id) where status >= 400;
create index api_calls_old on api_calls (at);

create table sample_events (
  account_id uuid not null,
  id         uuid not null,
  kind       text not null,
  body       text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, id));
comment on table sample_events is
  'Made-up events that a developer asked for (sanad trigger), for those who listen (sanad listen). Not events: never in a replay. '
  'Deleted after an hour.';
create index sample_events_old on sample_events (created_at);
