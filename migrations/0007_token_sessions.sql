-- A token of a user (POST /token/ of the dashboard's API) was only signed: nobody could list it or end it before it
-- expired. Each is a session of its own kind now. It has no token_hash: the token names the session by its id, signed.
alter table sessions
  add column kind text not null default 'browser' check (kind in ('browser', 'token')),
  alter column token_hash drop not null,
  add constraint sessions_kind_has_hash check ((kind = 'browser') = (token_hash is not null));

-- Owners are told when the operator had to replace a lost master key: with it went the secrets of their phones, endpoints and
-- second factors.
alter table owner_notices
  drop constraint owner_notices_kind_check,
  drop constraint owner_notices_object_kind_check,
  add constraint owner_notices_kind_check check (kind in (
    'phone_paired', 'app_let_in', 'signing_key_set', 'webhook_created', 'webhook_moved', 'webhook_rotated', 'key_created',
    'key_rotated', 'template_published', 'secrets_lost', 'webhook_failing', 'webhook_disabled', 'webhook_gone')),
  add constraint owner_notices_object_kind_check check (object_kind in ('phone', 'webhook', 'key', 'template', 'account'));
