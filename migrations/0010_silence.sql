-- A phone is judged silent by what its app promises: an app with heartbeats by their period, any other app by how often the
-- phone usually reports.

alter table devices
  add column heartbeat_at timestamptz(3),
  add column heartbeat_s  integer check (heartbeat_s between 1 and 86400);

comment on column devices.heartbeat_at is
  'Last heartbeat: of the agent, or a ping of SMS Gateway. Null: none yet. Messages are no heartbeats.';
comment on column devices.heartbeat_s is
  'Seconds between its heartbeats: what the agent promises, or what was measured between pings. Null: not known.';

create table phone_rhythms (
  device_id  uuid primary key,
  account_id uuid not null,
  hours      text not null default '' check (length(hours) <= 2352 and length(hours) % 24 = 0),
  last_day   integer not null default 0,
  counted_to uuid not null,
  heard_at   timestamptz(3),
  usual_at   timestamptz(3),
  alarm_at   timestamptz(3),
  unjudged   text not null default 'learning' check (unjudged in ('', 'learning', 'too_few')),
  due_at     timestamptz(3) not null,
  foreign key (account_id, device_id) references devices (account_id, id) on delete cascade);
create index phone_rhythms_due on phone_rhythms (due_at);

comment on table phone_rhythms is
  'How often a phone with a forwarding app usually reports, and from when its silence is unusual. Written by a background job, '
  'never while an alert is recorded.';
comment on column phone_rhythms.hours is
  'Messages in each hour of the last 98 days at most: 24 characters for a day of the account''s time zone, each 0-9 or a-z (35 '
  'and more). The last 24 characters are last_day.';
comment on column phone_rhythms.last_day is 'The last day in hours, as days since 1970-01-01.';
comment on column phone_rhythms.counted_to is 'The newest alert of the phone that is counted in hours.';
comment on column phone_rhythms.heard_at is
  'The phone''s last_seen_at when usual_at and alarm_at were computed: they hold while nothing newer was heard. Null: never.';
comment on column phone_rhythms.usual_at is 'By then there is usually a message. Null: not judged.';
comment on column phone_rhythms.alarm_at is 'From then on the phone counts as silent. Null: not judged.';
comment on column phone_rhythms.unjudged is
  'Why there is no alarm_at: learning (too short a time), too_few (too few messages). Empty: there is one.';
comment on column phone_rhythms.due_at is 'When the job may look at the phone again.';

-- Which phones reported the same payment: duplicates of an alert are found by it.
create index alerts_duplicates on alerts (duplicate_of) where duplicate_of is not null;
