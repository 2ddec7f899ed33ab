-- A token of a user (POST /token/ of the dashboard's API) was only signed: nobody could list it or end it before it
-- expired. Each is a session of its own kind now. It has no token_hash: the token names the session by its id, signed.
alter table sessions
  add column kind text not null default 'browser' check (kind in ('browser', 'token')),
  alter column token_hash drop not null,
  add constraint sessions_kind_has_hash check ((kind = 'browser') = (token_hash is not null));
