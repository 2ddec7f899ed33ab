-- People come through a door of their own: sessions that can be listed and ended, a second factor, links that invite
-- somebody or let them set a new password, and a log of every change that a person made. The log is append-only by the
-- database itself: what happened to money must be explainable afterwards, also to those who would rather it were not.

alter table users
  add column operator      boolean not null default false,
  add column totp_sealed   bytea,
  add column totp_since    timestamptz(3),
  -- The last step of 30 seconds whose code was accepted: a code works once.
  add column totp_step     bigint not null default 0,
  add column recovery      bytea[] not null default '{}',
  -- Sessions and tokens from before this instant are over: a password was changed.
  add column valid_from    timestamptz(3) not null default '1970-01-01+00',
  alter column password_hash drop not null;

alter table accounts add column time_zone text not null default '' check (char_length(time_zone) <= 64);

create table sessions (
  id           uuid primary key,
  token_hash   bytea not null unique,
  user_id      uuid not null references users (id),
  -- Which account this person acts for now; null while they belong to none.
  account_id   uuid references accounts (id),
  created_at   timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at   timestamptz(3) not null,
  ended_at     timestamptz(3),
  address      text not null default '' check (char_length(address) <= 64),
  agent        text not null default '' check (char_length(agent) <= 300));
create index sessions_of_user on sessions (user_id, id);
create index sessions_over on sessions (expires_at);

-- A link that somebody was sent: only its hash is kept, and it works once.
create table user_links (
  token_hash bytea primary key,
  purpose    text not null check (purpose in ('invite', 'reset')),
  email      text not null check (email = lower(email) and char_length(email) <= 254),
  user_id    uuid references users (id),
  account_id uuid references accounts (id),
  role       text check (role in ('owner', 'manager', 'cashier', 'viewer')),
  id         uuid not null unique,
  made_by    uuid references users (id),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at    timestamptz(3),
  check (purpose = 'reset' and user_id is not null or purpose = 'invite' and account_id is not null and role is not null));
create index user_links_of_account on user_links (account_id, id) where purpose = 'invite';
create index user_links_over on user_links (expires_at);

create table audit_log (
  id         uuid primary key,
  -- Null: it concerns no single account (an operator's change).
  account_id uuid references accounts (id),
  at         timestamptz(3) not null,
  user_id    uuid references users (id),
  -- The name as it was then.
  actor      text not null check (char_length(actor) <= 300),
  via        text not null check (via in ('session', 'token', 'command')),
  action     text not null check (char_length(action) <= 64),
  kind       text not null check (char_length(kind) <= 32),
  object_id  text not null check (char_length(object_id) <= 128),
  before     json,
  after      json,
  address    text not null default '' check (char_length(address) <= 64),
  agent      text not null default '' check (char_length(agent) <= 300));
create index audit_of_account on audit_log (account_id, id);
create index audit_of_object on audit_log (account_id, kind, object_id, id);
create index audit_of_user on audit_log (account_id, user_id, id);

create function audit_log_stays() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_stays before update or delete or truncate on audit_log
  for each statement execute function audit_log_stays();

alter table api_keys add column last_used_at timestamptz(3);

-- Money that somebody put aside can be taken back to where it was.
alter table alerts
  add column dismissed_from text,
  add column dismissed_at   timestamptz(3),
  add constraint alerts_dismissed_check check ((state = 'dismissed') = (dismissed_from is not null)) not valid;

create index members_of_user on members (user_id, created_at);
