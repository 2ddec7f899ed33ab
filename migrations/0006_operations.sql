-- What the service keeps about itself: its master keys, and which migrations ran.

create table master_keys (
  generation      integer primary key check (generation >= 1),
  check_value     bytea not null check (length(check_value) = 32),
  hash_key_sealed bytea not null,
  began_at        timestamptz(3) not null,
  tokens_until    timestamptz(3) not null,
  done_at         timestamptz(3));

comment on table master_keys is
  'One row for each master key that this database has had. A node whose key does not fit the newest is refused, so that it '
  'cannot seal secrets that the right key could not open (docs/decisions/0029). The keys themselves are not here.';
comment on column master_keys.generation is 'Counts rotations.';
comment on column master_keys.check_value is '32 bytes derived from the key, from which it cannot be found.';
comment on column master_keys.hash_key_sealed is
  'The key of keyed hashes. A hash cannot be made again without what was hashed, so this key stays when the master key '
  'changes and is only sealed anew.';
comment on column master_keys.tokens_until is 'Until then tokens are accepted that the generation before has signed.';
comment on column master_keys.done_at is
  'When every secret was sealed with this generation''s key. Null: a rotation is under way.';

-- The table was made before the first migration ran (postgres/maintenance/migrate.ts).
comment on table migrations is
  'Which files of migrations/ ran here. Rows of the 27 files before the six of today stay: nodes of the version before count '
  'them.';
comment on column migrations.hash is 'SHA-256 of the file: one that changed after it ran stops the start.';
