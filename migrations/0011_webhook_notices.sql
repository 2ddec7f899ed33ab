-- Who must be told that an endpoint fails or was disabled: written with the fact itself, told by whoever sends mail. Never
-- silent: an endpoint that is disabled without a word costs a merchant its sales.
create table webhook_notices (
  account_id    uuid not null,
  id            uuid not null,
  endpoint_id   uuid not null,
  kind          text not null check (kind in ('failing', 'disabled', 'gone')),
  failing_since timestamptz(3),
  failures      integer not null,
  disables_at   timestamptz(3),
  at            timestamptz(3) not null,
  taken_until   timestamptz(3),
  told_at       timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id));
create index webhook_notices_untold on webhook_notices (at) where told_at is null;
