-- Accounts: merchants, their members and how these sign in, API keys, what owners must be told, and the audit log.
--
-- Rules for every table here and in the files that follow:
-- * Money is bigint, in minor units (1,500.00 YER is 150000). There is no float on its way.
-- * Time is timestamptz(3). Sanad writes its own clock's time; no column defaults to now().
-- * A row of a merchant carries its account_id, and a reference to such a row carries the account too. So the database itself
--   keeps the rows of one merchant apart from those of another.
-- * Ids of intents, alerts, events, timeline entries, notices, replays and audit entries are UUIDs of version 7, made from the
--   row's own time: the order of ids is the order of creation, and a range of time is a range of ids.
-- * A secret is never stored readable. A column that ends in _hash holds a hash. One that ends in _sealed is encrypted with a key
--   derived from the master key (table master_keys).
-- * An empty text or array stands for "nothing given"; null is used where a value is not known yet or does not apply.

-- Only for accounts_name, the search by a part of a name.
create extension if not exists pg_trgm;

create table accounts (
  id                   uuid primary key,
  name                 text not null check (name <> '' and char_length(name) <= 200),
  status               text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  time_zone            text not null default '' check (char_length(time_zone) <= 64),
  monthly_intent_quota integer check (monthly_intent_quota >= 0),
  suspended_at         timestamptz(3),
  release_since        timestamptz(3),
  created_at           timestamptz(3) not null);
create index accounts_newest     on accounts (created_at, id);
create index accounts_name       on accounts using gin (name gin_trgm_ops);
create index accounts_to_release on accounts (id) where release_since is not null;

comment on table accounts is 'A merchant. Almost every other row belongs to one account.';
comment on column accounts.status is
  'SUSPENDED: its API is refused, what its phones report is stored as held, its webhooks wait.';
comment on column accounts.time_zone is 'IANA name, for days on screens. Empty: the zone of the service.';
comment on column accounts.monthly_intent_quota is
  'Intents it may create in a calendar month, test wallet left out. Null: no limit.';
comment on column accounts.suspended_at is 'Since when it is suspended. Null while it is active.';
comment on column accounts.release_since is
  'Set when a suspension ends: alerts that were held since then are still to be matched. Null once that is done.';

create table quota_months (
  account_id uuid not null references accounts,
  month      date not null,
  used       integer not null check (used >= 0),
  primary key (account_id, month));

comment on table quota_months is
  'Intents created in a calendar month, only for accounts with a quota. Whoever creates an intent locks the row while counting.';
comment on column quota_months.month is 'The first day of the month, in the time zone of the service.';

create table users (
  id            uuid primary key,
  email         text not null unique check (email = lower(email) and char_length(email) <= 254),
  name          text not null default '' check (char_length(name) <= 200),
  password_hash text,
  operator      boolean not null default false,
  totp_sealed   bytea,
  totp_since    timestamptz(3),
  totp_step     bigint not null default 0,
  recovery      bytea[] not null default '{}',
  valid_from    timestamptz(3) not null default '1970-01-01+00',
  created_at    timestamptz(3) not null,
  disabled_at   timestamptz(3));

comment on table users is 'A person who signs in. One user may be a member of several accounts.';
comment on column users.email is 'In lower case; what the user signs in with.';
comment on column users.password_hash is 'Argon2. Null: no password was set yet, the user cannot sign in with one.';
comment on column users.operator is 'Hosts the service: may look across accounts.';
comment on column users.totp_sealed is 'Secret of the second factor. Set and totp_since null: being set up.';
comment on column users.totp_since is 'Since when a second factor is required. Null: none.';
comment on column users.totp_step is 'The last 30-second step whose code was accepted: a code works once.';
comment on column users.recovery is 'SHA-256 of the recovery codes that are left; each works once instead of a second factor.';
comment on column users.valid_from is
  'Sessions and tokens from before are over. Moves forward when a password or second factor changes.';
comment on column users.disabled_at is 'An operator has shut the user out. Null: may sign in.';

create table members (
  account_id uuid not null references accounts,
  user_id    uuid not null references users,
  role       text not null check (role in ('owner', 'manager', 'cashier', 'viewer')),
  created_at timestamptz(3) not null,
  primary key (account_id, user_id));
create index members_of_user on members (user_id, created_at);

comment on table members is 'Which users belong to an account, and what each may do in it.';
comment on column members.role is 'owner may everything; viewer may only look.';

create table sessions (
  id           uuid primary key,
  token_hash   bytea not null unique,
  user_id      uuid not null references users,
  account_id   uuid references accounts,
  created_at   timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at   timestamptz(3) not null,
  ended_at     timestamptz(3),
  address      text not null default '' check (char_length(address) <= 64),
  agent        text not null default '' check (char_length(agent) <= 300));
create index sessions_of_user on sessions (user_id, id);
create index sessions_over    on sessions (expires_at);

comment on table sessions is 'A browser that is signed in. Rows are deleted some time after they are over.';
comment on column sessions.token_hash is 'SHA-256 of the cookie.';
comment on column sessions.account_id is 'The account that the user acts for now. Null: a member of none.';
comment on column sessions.last_seen_at is 'Written at most once a minute. A week without use ends the session.';
comment on column sessions.ended_at is 'Ended by hand. Null: open, or over by time.';
comment on column sessions.address is 'IP address at sign-in.';
comment on column sessions.agent is 'The browser''s User-Agent header.';

create table user_links (
  token_hash bytea primary key,
  id         uuid not null unique,
  purpose    text not null check (purpose in ('invite', 'reset')),
  email      text not null check (email = lower(email) and char_length(email) <= 254),
  user_id    uuid references users,
  account_id uuid references accounts,
  role       text check (role in ('owner', 'manager', 'cashier', 'viewer')),
  made_by    uuid references users,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at    timestamptz(3),
  check (
    purpose = 'reset' and user_id is not null or purpose = 'invite' and account_id is not null and role is not null));
create unique index user_links_open_invitation on user_links (account_id, email) where purpose = 'invite' and used_at is null;
create index user_links_of_account on user_links (account_id, id) where purpose = 'invite';
create index user_links_of_user    on user_links (user_id) where purpose = 'reset' and used_at is null;
create index user_links_over       on user_links (expires_at);

comment on table user_links is 'A link that was sent by mail: to join an account, or to set a new password. It works once.';
comment on column user_links.token_hash is 'SHA-256 of the secret in the link.';
comment on column user_links.id is 'Names the link where its secret must not appear, as in the list of invitations.';
comment on column user_links.user_id is 'reset: whose password is set. invite: null.';
comment on column user_links.account_id is 'invite: the account to join. reset: null.';
comment on column user_links.role is 'invite: what the new member may do.';
comment on column user_links.made_by is 'Who invited. Null: a command of the operator, or the user asked for the reset.';
comment on column user_links.used_at is
  'Used, or void because the password was set by another link. Null: good until it expires.';
comment on index user_links_open_invitation is
  'An account has one open invitation for an address: of two who invite the same person together, one finds the other''s.';

create table api_keys (
  client_id            text primary key check (client_id ~ '^[0-9a-f]{32}$'),
  account_id           uuid not null references accounts,
  name                 text not null check (name <> '' and char_length(name) <= 100),
  secret_hash          bytea not null,
  generation           integer not null default 1,
  previous_secret_hash bytea,
  previous_until       timestamptz(3),
  created_at           timestamptz(3) not null,
  revoked_at           timestamptz(3),
  last_used_at         timestamptz(3));
create index api_keys_of_account on api_keys (account_id);

comment on table api_keys is 'What a merchant''s server signs in with: client id and secret.';
comment on column api_keys.secret_hash is 'SHA-256. The secret is 32 random bytes, so no slow hash is needed.';
comment on column api_keys.generation is 'Counts rotations. A token names the generation that bought it.';
comment on column api_keys.previous_secret_hash is 'The secret before the last rotation, good until previous_until.';
comment on column api_keys.revoked_at is 'Null: in use.';
comment on column api_keys.last_used_at is 'Written some seconds later. Null: never used.';

create table owner_notices (
  account_id  uuid not null references accounts,
  id          uuid not null,
  kind        text not null check (kind in ('phone_paired', 'app_let_in', 'signing_key_set', 'webhook_created', 'webhook_moved',
                                            'webhook_rotated', 'key_created', 'key_rotated', 'template_published',
                                            'webhook_failing', 'webhook_disabled', 'webhook_gone')),
  object_kind text not null check (object_kind in ('phone', 'webhook', 'key', 'template')),
  object_id   text not null,
  by_whom     text not null,
  facts       json not null,
  at          timestamptz(3) not null,
  taken_until timestamptz(3),
  told_at     timestamptz(3),
  told_users  uuid[] not null default '{}',
  seen_users  uuid[] not null default '{}',
  primary key (account_id, id));
create index owner_notices_untold on owner_notices (at) where told_at is null;
create index owner_notices_old    on owner_notices (at);

comment on table owner_notices is
  'What the owners of an account must be told, by mail and in the dashboard. Written in the transaction of the fact itself, '
  'deleted after 90 days.';
comment on column owner_notices.kind is
  'What happened: someone can report as a phone now, events go elsewhere, a key or template is new, an endpoint fails.';
comment on column owner_notices.object_id is 'Id of the phone, endpoint, API key (client id) or template that it is about.';
comment on column owner_notices.by_whom is 'Who did it, as in audit_log.actor. Empty: the service found out by itself.';
comment on column owner_notices.facts is 'What the sentence needs, as it was then: names, hosts, counts. Never a secret.';
comment on column owner_notices.taken_until is 'A worker sends its mails until then; after that another may take it.';
comment on column owner_notices.told_at is 'When the mail server had taken a mail for every owner. Null: still to be sent.';
comment on column owner_notices.told_users is
  'Owners whose mail was taken already. They get no second one when the others'' is tried again.';
comment on column owner_notices.seen_users is 'Owners who marked it as seen in the dashboard.';

create table audit_log (
  id         uuid primary key,
  account_id uuid references accounts,
  at         timestamptz(3) not null,
  user_id    uuid references users,
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
create index audit_of_kind    on audit_log (account_id, kind, id);
create index audit_of_action  on audit_log (account_id, action, id);
create index audit_of_object  on audit_log (account_id, kind, object_id, id);
create index audit_of_user    on audit_log (account_id, user_id, id);

comment on table audit_log is
  'Every change that a user or an operator made, written in the transaction of the change. A trigger refuses changes to it.';
comment on column audit_log.account_id is 'Null: it concerns no single account, as an operator''s change of a shared provider.';
comment on column audit_log.user_id is 'Null: a command of the operator.';
comment on column audit_log.actor is 'The user''s name and address as they were then, or "the operator".';
comment on column audit_log.via is
  'session: in the dashboard. token: the dashboard''s API with a token. command: the command line.';
comment on column audit_log.action is 'The thing and what was done to it, such as wallet.update.';
comment on column audit_log.kind is 'The kind of thing, such as wallet; object_id names it.';
comment on column audit_log.before is 'What users see of the thing, before the change. Never a secret. Null: it was created.';
comment on column audit_log.after is 'The same after the change. Null: it was removed, or there is nothing to show.';
comment on column audit_log.address is 'IP address. Empty for a command.';
comment on column audit_log.agent is 'User-Agent header of the browser or program.';

create function audit_log_stays() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
comment on function audit_log_stays is
  'Refuses every change of the audit log: what happened to money must be explainable afterwards.';
create trigger audit_log_stays before update or delete or truncate on audit_log
  for each statement execute function audit_log_stays();
