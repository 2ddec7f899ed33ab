-- What the phones of a suspended account report is stored and held. Once the account goes on, that is settled as if it had
-- just come: since when is written down where it can be found after a crash.

alter table accounts
  add column suspended_at  timestamptz(3),
  -- Not null: what was held since then has still to be settled.
  add column release_since timestamptz(3);
create index accounts_to_release on accounts (id) where release_since is not null;
