-- A PIN has six digits: who reads a backup could try all of them against its hash. The hash is sealed with the master key now, as other
-- secrets are (docs/decisions/0106). The service seals the stored ones at its next start.

alter table pins
  add column id uuid not null default gen_random_uuid() unique,
  add column hash_sealed bytea,
  alter column hash drop not null;
alter table pins add check (hash is not null or hash_sealed is not null);
comment on column pins.id is 'Another one with each new PIN. The sealed hash is bound to it.';
comment on column pins.hash is 'Argon2 of six digits, of an earlier version that did not seal it. Null: hash_sealed has it.';
comment on column pins.hash_sealed is 'Argon2 of six digits, sealed with the master key.';

-- A right PIN took back all wrong ones before it. Who guessed four times between two right ones had any number of guesses. The wrong
-- ones of a day are counted apart, and after ten of a cashier, or thirty at a counter, a right PIN takes back itself alone.

alter table pins
  add column day_wrong integer not null default 0 check (day_wrong >= 0),
  add column day_since timestamptz(3);
comment on column pins.day_wrong is 'Tries since day_since, also those that a right PIN took back.';
comment on column pins.day_since is 'When the day of day_wrong began; a day later the next try begins another. Null: not tried yet.';
comment on column pins.wrong is 'Tries of this round, at all counters. The fifth begins a pause.';
comment on column pins.wrong_total is 'Tries that no right PIN took back.';
comment on column pins.tried_at is 'When a wrong one was last tried. After a day without one the pauses start again.';

alter table counters
  add column day_wrong integer not null default 0 check (day_wrong >= 0),
  add column day_since timestamptz(3);
comment on column counters.day_wrong is 'Tries since day_since, also those that a right PIN took back.';
comment on column counters.day_since is 'When the day of day_wrong began; a day later the next try begins another. Null: not tried yet.';
comment on column counters.tried_at is 'When a wrong PIN was last tried here. After a day without one the pauses start again.';
