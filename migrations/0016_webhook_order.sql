-- Webhooks in order, by settings, for a time.

-- Money on the testing wallet is told of first as received, then as verified: the second follows the first, whose event it
-- names, and is not claimed before an attempt of that one has been written down.
alter table deliveries add column follows uuid;

-- How far an endpoint is trusted after a pause is a setting, and may grow beyond 8. The largest number is full speed.
alter table webhook_endpoints drop constraint webhook_endpoints_slow_start_check;
alter table webhook_endpoints alter column slow_start set default 32767;
update webhook_endpoints set slow_start = 32767 where slow_start = 8;
alter table webhook_endpoints add constraint webhook_endpoints_slow_start_check check (slow_start >= 1);

-- Notices and replays are kept as long as the ends of deliveries: these find those that are too old.
create index webhook_notices_old on webhook_notices (at);
create index webhook_replays_old on webhook_replays (created_at) where state <> 'running';
