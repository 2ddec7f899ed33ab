-- The funnel of payment links over days needs to know when a link was opened: payment_links.viewed is one number for all time. The other
-- steps are known from the checkouts. Quarters of an hour, because no day of any time zone begins within one.
--
-- The operator's pictures show the last day by the hour. Messages and payments of all accounts are counted once, a few minutes at a time,
-- and not each time somebody looks. How late deliveries were, and how many phones were silent, is not known afterwards from any other table
-- (docs/decisions/0093).

create table link_views (
  account_id uuid not null,
  link_id    uuid not null,
  at         timestamptz(3) not null,
  views      integer not null check (views >= 1),
  primary key (account_id, link_id, at),
  foreign key (account_id, link_id) references payment_links (account_id, id));
comment on table link_views is
  'How many browsers opened a payment link, by quarter of an hour. Written with payment_links.viewed. Deleted after some weeks.';
comment on column link_views.at is 'The start of the quarter of an hour, in UTC.';
comment on column link_views.views is 'How many browsers opened the link then.';
create index link_views_old on link_views (at);

create table service_hours (
  hour          timestamptz(3) primary key,
  counted_until timestamptz(3) not null,
  messages      bigint not null default 0 check (messages >= 0),
  payments      bigint not null default 0 check (payments >= 0),
  lag_s         integer check (lag_s >= 0),
  phones        integer check (phones >= 0),
  silent_phones integer check (silent_phones >= 0),
  constraint service_hours_counted check (counted_until between hour and hour + interval '1 hour'));
comment on table service_hours is 'What the whole service did in an hour, for its operator. Deleted after some days.';
comment on column service_hours.hour is 'The start of the hour, in UTC.';
comment on column service_hours.counted_until is 'Messages and payments before this time are counted.';
comment on column service_hours.messages is 'How many alerts were stored in the hour, of all accounts.';
comment on column service_hours.payments is 'How many intents were verified in the hour, of all accounts.';
comment on column service_hours.lag_s is
  'The longest time in seconds that a delivery, of an endpoint that may be called, was seen waiting. Null: never looked in this hour.';
comment on column service_hours.phones is 'The most phones that were switched on. Null: never looked in this hour.';
comment on column service_hours.silent_phones is 'The most phones that were silent at once. Null: never looked in this hour.';
