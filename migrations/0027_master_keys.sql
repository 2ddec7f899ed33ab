-- A node with a wrong master key used to start, answer that it is ready, and seal secrets that the right key could not
-- open. Each master key that this database has had leaves a check value here: 32 bytes derived from it, from which it
-- cannot be found. A node whose key does not fit the newest generation is refused. While done_at is null, secrets are
-- being sealed anew with that generation's key.
create table master_keys (
  generation      integer primary key check (generation >= 1),
  check_value     bytea not null check (length(check_value) = 32),
  -- The key of keyed hashes, sealed with this generation's key. A hash cannot be made again without what was hashed: so
  -- its key is a random one of its own and stays when the master key changes.
  hash_key_sealed bytea not null,
  began_at        timestamptz(3) not null,
  -- Until when tokens are good that an earlier generation's key has signed.
  tokens_until    timestamptz(3) not null,
  done_at         timestamptz(3)
);
