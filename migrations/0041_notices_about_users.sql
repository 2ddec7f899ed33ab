-- Whoever takes over a user or an account should be noticed by the people it belongs to: a sign-in from a new browser, ten wrong
-- sign-ins, a changed second factor, another owner, another sender. Owners are told of what concerns their account, and users of
-- what concerns themselves, although they may have just lost every account (docs/decisions/0090).

alter table owner_notices
  drop constraint owner_notices_kind_check,
  drop constraint owner_notices_object_kind_check,
  add constraint owner_notices_kind_check check (kind in (
    'phone_paired', 'app_let_in', 'signing_key_set', 'webhook_created', 'webhook_moved', 'webhook_rotated', 'key_created',
    'key_rotated', 'key_loosened', 'template_published', 'template_retired', 'trust_changed', 'approval_asked', 'secrets_lost',
    'webhook_failing', 'webhook_disabled', 'webhook_gone', 'member_request', 'booked_short', 'owner_added', 'owner_removed',
    'sign_in_new', 'sign_in_wrong', 'second_factor_changed', 'factor_rule_changed')),
  add constraint owner_notices_object_kind_check check (object_kind in (
    'phone', 'webhook', 'key', 'template', 'approval', 'account', 'member', 'intent', 'user', 'wallet', 'provider'));
comment on column owner_notices.kind is
  'What happened: someone can report as a phone now, events go elsewhere, a key or template is new, an endpoint fails, less was booked to an intent than was asked, another owner, another sender, something about a member''s sign-in.';
comment on column owner_notices.object_kind is
  'What it is about: phone, webhook, key, template, approval, account, member, intent, wallet, provider, or user: a member, who has a notice of their own.';
comment on column owner_notices.object_id is
  'Id of the phone, endpoint, API key (client id), template, approval, account, member, user, intent, wallet or provider that it is about.';

create table user_notices (
  user_id     uuid not null references users,
  id          uuid not null,
  kind        text not null check (kind in (
    'sign_in_new', 'sign_in_wrong', 'second_factor_changed', 'password_changed', 'role_changed', 'membership_ended',
    'operator_changed')),
  account_id  uuid references accounts,
  was_owner   boolean not null default false,
  by_whom     text not null,
  facts       json not null,
  at          timestamptz(3) not null,
  taken_until timestamptz(3),
  told_at     timestamptz(3),
  seen_at     timestamptz(3),
  primary key (user_id, id));
comment on table user_notices is 'What a user is notified of about themselves, whichever accounts they have.';
comment on column user_notices.account_id is 'The account that it happened in. Null: it concerns the user in every account.';
comment on column user_notices.was_owner is
  'It ended the user''s ownership of the account. Notices to its owners that are still to be sent go to this user too.';
comment on column user_notices.by_whom is 'As owner_notices.by_whom.';
comment on column user_notices.facts is 'As owner_notices.facts.';
comment on column user_notices.taken_until is 'A worker sends its mail until then; after that another may take it.';
comment on column user_notices.told_at is 'When the mail server had taken the mail. Null: still to be sent.';
comment on column user_notices.seen_at is 'When the user marked it as seen in the dashboard.';
create index user_notices_old on user_notices (at);
create index user_notices_untold on user_notices (at) where told_at is null;
create index user_notices_owners on user_notices (account_id, at) where was_owner;

create table known_browsers (
  user_id uuid not null references users,
  hash    bytea not null check (octet_length(hash) = 32),
  seen_at timestamptz(3) not null,
  primary key (user_id, hash));
comment on table known_browsers is
  'Browsers in which a user has signed in, and the network addresses from which a script of theirs got a token. One that is not here is announced.';
comment on column known_browsers.hash is
  'SHA-256 of the random name in the browser''s cookie, or of the network address of a script.';
comment on column known_browsers.seen_at is 'The last sign-in.';
create index known_browsers_old on known_browsers (seen_at);

create table sign_in_failures (
  user_key uuid primary key,
  recent   timestamptz(3)[] not null default '{}' check (cardinality(recent) <= 10),
  counted  bigint not null default 0,
  told_at  timestamptz(3));
comment on table sign_in_failures is 'Wrong sign-ins of a user that are not announced yet, and how many were since the last announcement.';
comment on column sign_in_failures.user_key is
  'The user; or one of a few ids that belong to nobody, so that a wrong sign-in takes as long for an address that nobody has.';
comment on column sign_in_failures.recent is 'When the last wrong sign-ins were, ten at most, the newest first.';
comment on column sign_in_failures.counted is 'How many wrong sign-ins the last announcement counts.';
comment on column sign_in_failures.told_at is 'When they were announced last. Null: never.';

comment on column user_notices.kind is 'What happened to the user: a sign-in, a second factor, a password, a role.';
