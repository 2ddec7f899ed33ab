-- The time of an end is the database's. A node whose clock was two hours ahead expired every open intent of every account within
-- seconds. Now statements compare with the database's clock as well, and a trigger refuses the same from nodes of earlier
-- versions that share this database: such a row keeps its status, and the next run stores the end when it is due.

create function database_time() returns timestamptz language sql stable parallel safe as $$
  select case when current_setting('sanad.test_clock', true) = 'moved' then 'infinity'::timestamptz
              else statement_timestamp() end $$;
comment on function database_time is
  'The time of the statement by the database''s clock. Tests that move the clock of a node set sanad.test_clock = moved: then '
  'only the time that the node passes counts.';

create function end_is_not_due() returns trigger language plpgsql as $$
begin
  return null;
end $$;
comment on function end_is_not_due is 'Leaves the row as it is: by the database''s clock its window has not closed.';

create trigger intents_end_when_due before update of status on intents
  for each row when (new.status = 'EXPIRED' and old.status = 'PENDING' and new.expires_at > database_time())
  execute function end_is_not_due();

create trigger checkouts_end_when_due before update of status on checkouts
  for each row when (new.status = 'EXPIRED' and old.status = 'OPEN' and new.ended_at > database_time())
  execute function end_is_not_due();

create table node_clocks (
  node_id   uuid primary key,
  host      text not null,
  offset_ms bigint not null,
  error_ms  bigint not null,
  seen_at   timestamptz(3) not null
);
comment on table node_clocks is
  'The running nodes with the error of their clocks, for operators: a node whose clock is far off shows no page itself.';
comment on column node_clocks.node_id is 'A new one at each start.';
comment on column node_clocks.host is 'The name of the machine on which the node runs.';
comment on column node_clocks.offset_ms is 'The node''s clock minus the database''s, in milliseconds: positive if the node is ahead.';
comment on column node_clocks.error_ms is 'By how much the offset may be wrong at most.';
comment on column node_clocks.seen_at is 'When the node last reported, by the database''s clock. Rows older than a day are deleted.';
