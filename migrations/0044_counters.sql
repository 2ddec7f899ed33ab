-- A cashier without an e-mail address could not use Sanad: the shop shared one password at the till, and every sale carried the same
-- name. Now an owner makes a browser the shop's counter, and cashiers with a name and a PIN take turns on it (docs/decisions/0089).
-- A cashier of the counter is a user without an address. A PIN belongs to a membership and works only at a counter of that account.

alter table users alter column email drop not null;
alter table users add constraint users_without_email check (email is not null or (password_hash is null and not operator));
comment on column users.email is
  'In lower case; what the user signs in with. Null: a cashier who signs in at a counter, with a PIN alone.';

alter table audit_log drop constraint audit_log_via_check;
alter table audit_log add constraint audit_log_via_check check (via in ('session', 'token', 'command', 'counter'));
comment on column audit_log.via is
  'session: in the dashboard. token: the dashboard''s API with a token. command: the command line. counter: at a counter, with a PIN.';

create table counters (
  account_id      uuid not null references accounts,
  id              uuid not null,
  name            text not null check (char_length(name) between 1 and 100),
  token_hash      bytea not null unique check (length(token_hash) = 32),
  made_by         uuid not null references users,
  created_at      timestamptz(3) not null,
  last_seen_at    timestamptz(3) not null,
  ended_at        timestamptz(3),
  address         text not null default '' check (char_length(address) <= 64),
  agent           text not null default '' check (char_length(agent) <= 300),
  idle_minutes    integer not null default 10 check (idle_minutes between 1 and 60),
  cashier_id      uuid references users,
  cashier_seen_at timestamptz(3),
  pauses          integer not null default 0 check (pauses >= 0),
  paused_until    timestamptz(3),
  wrong_total     integer not null default 0 check (wrong_total >= 0),
  tried_at        timestamptz(3),
  primary key (account_id, id),
  constraint counters_cashier check ((cashier_id is null) = (cashier_seen_at is null)));
comment on table counters is 'Browsers that are counters of a shop: cashiers sign in there with a PIN.';
comment on column counters.name is 'Given by the owner, such as Front till.';
comment on column counters.token_hash is 'SHA-256 of the cookie.';
comment on column counters.made_by is 'The owner who made it. It ends with their right: removed, no longer an owner, disabled, or new credentials.';
comment on column counters.created_at is 'Not before valid_from of that owner.';
comment on column counters.last_seen_at is 'Written at most once a minute. 90 days without use end the counter.';
comment on column counters.ended_at is 'Ended by an owner. Null: open, or over for another reason.';
comment on column counters.address is 'IP address of its last use.';
comment on column counters.agent is 'User-Agent header of the browser.';
comment on column counters.idle_minutes is 'After so many minutes without a touch it is locked.';
comment on column counters.cashier_id is 'The cashier who entered a PIN last. Null: locked.';
comment on column counters.cashier_seen_at is 'When that cashier last touched it. Null: locked.';
comment on column counters.pauses is 'How many pauses wrong PINs at this counter have caused. The next one is longer.';
comment on column counters.paused_until is 'No PIN is checked at this counter before then.';
comment on column counters.wrong_total is 'PINs tried here that no right PIN of the same cashier followed.';
comment on column counters.tried_at is 'When a PIN was last tried here. After a day without a try the counts start again.';
create index counters_of_account on counters (account_id, created_at);

create table pins (
  account_id   uuid not null,
  user_id      uuid not null,
  hash         text not null check (char_length(hash) <= 300),
  set_at       timestamptz(3) not null,
  wrong        integer not null default 0 check (wrong between 0 and 5),
  pauses       integer not null default 0 check (pauses >= 0),
  paused_until timestamptz(3),
  wrong_total  integer not null default 0 check (wrong_total >= 0),
  tried_at     timestamptz(3),
  used_at      timestamptz(3),
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references members on delete cascade);
comment on table pins is 'The PINs of members. They work at the counters of the account and nowhere else.';
comment on column pins.hash is 'Argon2 of six digits.';
comment on column pins.set_at is 'When an owner last set it.';
comment on column pins.wrong is 'Tries of this round, at all counters. The fifth begins a pause; a right PIN ends the round.';
comment on column pins.pauses is 'How many pauses wrong PINs of this member have caused. The next one is longer.';
comment on column pins.paused_until is 'This PIN is not checked before then.';
comment on column pins.wrong_total is 'Tries since the last right PIN.';
comment on column pins.tried_at is 'When it was last tried. After a day without a try the counts start again.';
comment on column pins.used_at is 'When the member last signed in with it. Null: not yet.';

create table pin_tries (
  account_id uuid not null,
  counter_id uuid not null,
  user_id    uuid not null,
  wrong      integer not null check (wrong between 1 and 5),
  primary key (account_id, counter_id, user_id),
  foreign key (account_id, counter_id) references counters on delete cascade);
comment on table pin_tries is
  'The tries of a counter''s round, by the cashier they were for: a right PIN takes back the tries of its own cashier alone.';
comment on column pin_tries.user_id is 'The cashier. The id of the counter itself: a cashier who is not on its list.';
comment on column pin_tries.wrong is 'Together the fifth of a counter begins a pause.';
