-- An open browser was enough to make a key, to move an endpoint or to add an owner. What cannot be taken back now needs a proof of
-- the last ten minutes that the signed-in person is there: a password, a code or a passkey (docs/decisions/0084). The proof belongs
-- to the session. Sessions from before have none: their next such call asks for it.

alter table sessions add column proved_at timestamptz(3);
comment on column sessions.proved_at is
  'When the user last proved that it is them: at sign-in, or by a password, a code or a passkey later. Null: a session from before '
  'proofs were stored.';

-- Passkeys (WebAuthn): instead of a password and a code, or as the second factor. A challenge is signed by the service and not stored
-- when it is given out, so nobody can fill a table with challenges; it is stored when it was used, so that it works once on all nodes.

create table passkeys (
  id            uuid primary key,
  user_id       uuid not null references users,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key    bytea not null check (length(public_key) <= 4096),
  counter       bigint not null default 0 check (counter >= 0),
  transports    text[] not null default '{}' check (cardinality(transports) <= 10),
  name          text not null check (char_length(name) between 1 and 100),
  synced        boolean not null,
  created_at    timestamptz(3) not null,
  last_used_at  timestamptz(3));
comment on table passkeys is 'The passkeys of users. They are deleted with the last membership of the user.';
comment on column passkeys.credential_id is 'What the browser or the security key calls it.';
comment on column passkeys.public_key is 'In COSE form. The private key never leaves the authenticator.';
comment on column passkeys.counter is 'The last signature counter. 0: the authenticator does not count. A counter that does not grow is refused.';
comment on column passkeys.transports is 'How a browser reaches the authenticator, as it said itself.';
comment on column passkeys.name is 'Given by the user.';
comment on column passkeys.synced is 'Whether the authenticator says that it is kept on several devices.';
comment on column passkeys.last_used_at is 'Null: it was never used since it was added.';
create index passkeys_of_user on passkeys (user_id);

create table passkey_challenges (
  hash       bytea primary key check (length(hash) = 32),
  expires_at timestamptz(3) not null);
comment on table passkey_challenges is 'Challenges that were answered: each works once.';
comment on column passkey_challenges.hash is 'SHA-256 of the challenge.';
comment on column passkey_challenges.expires_at is 'Then the challenge is too old in any case, and the row is deleted.';
create index passkey_challenges_over on passkey_challenges (expires_at);
