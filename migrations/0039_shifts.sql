-- A cashier starts and ends a shift, and its sums say what that cashier took. For this it must be known which member took a payment:
-- `by` of sales, bookings and marks is the text of the audit log, which changes when a user is renamed. A payment is taken by one
-- member at most, so the sums of all shifts never count a payment twice (docs/decisions/0083).

create table shifts (
  account_id uuid not null references accounts,
  id         uuid not null,
  user_id    uuid not null references users,
  started_at timestamptz(3) not null,
  latest_end timestamptz(3) not null,
  ended_at   timestamptz(3),
  ended_by   text not null default '' check (char_length(ended_by) <= 300),
  primary key (account_id, id),
  constraint shifts_order check (latest_end > started_at and ended_at between started_at and latest_end),
  constraint shifts_ended_by check (ended_at is not null or ended_by = ''));
comment on table shifts is 'When a member worked at the counter. The shifts of one member do not overlap.';
comment on column shifts.user_id is 'The member. Stays when the member leaves the account.';
comment on column shifts.started_at is 'After the end of the member''s shift before. What is taken at this instant belongs to it.';
comment on column shifts.latest_end is 'A shift that nobody ended is over then, whether ended_at was written or not.';
comment on column shifts.ended_at is 'What is taken at this instant still belongs to it. Null: nobody has ended it.';
comment on column shifts.ended_by is 'Who ended it, as in audit_log.actor. Empty: nobody; it ended at latest_end.';

-- The shift of a member at an instant; a page of the member's shifts.
create index shifts_of_member on shifts (account_id, user_id, started_at);
create index shifts_own on shifts (account_id, user_id, id);
create unique index shifts_open on shifts (account_id, user_id) where ended_at is null;
comment on index shifts_open is 'A member has at most one shift that nobody has ended.';

create table takings (
  account_id uuid not null,
  alert_id   uuid not null,
  user_id    uuid not null references users,
  at         timestamptz(3) not null,
  primary key (account_id, alert_id),
  foreign key (account_id, alert_id) references alerts (account_id, id));
comment on table takings is
  'Which member took a payment: took it as a sale, booked it, or, if no member did, was the first to hand it over. Deleted when a sale is undone.';
comment on column takings.at is 'When. It belongs to the shift that the member had at that instant; none: to no shift.';
create index takings_of_member on takings (account_id, user_id, at);
