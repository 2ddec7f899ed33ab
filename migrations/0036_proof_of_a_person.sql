-- An open browser was enough to make a key, to move an endpoint or to add an owner. What cannot be taken back now needs a proof of
-- the last ten minutes that the signed-in person is there: a password, a code or a passkey (docs/decisions/0084). The proof belongs
-- to the session. Sessions from before have none: their next such call asks for it.

alter table sessions add column proved_at timestamptz(3);
comment on column sessions.proved_at is
  'When the user last proved that it is them: at sign-in, or by a password, a code or a passkey later. Null: a session from before '
  'proofs were stored.';
