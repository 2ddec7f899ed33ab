-- Nobody could see how old the last backup is: an operator whose nightly job fails learns of it when the backup is needed. Each backup that
-- was written completely is recorded here, for the metrics, sanad health and the operator's page (docs/decisions/0097).
--
-- A backup is written from a snapshot, so it holds the records of the backups before it, not its own. A restored database therefore says
-- that its last backup is older than it is, and never that there is one that does not exist.

create table backups (
  id          uuid primary key,
  made_at     timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  made_by     text not null check (length(made_by) between 1 and 300),
  file        text not null check (length(file) between 1 and 4200),
  file_bytes  bigint not null check (file_bytes > 0),
  row_count   bigint not null check (row_count >= 0),
  encrypted   boolean not null,
  verified_at timestamptz(3),
  verified_ok boolean,
  constraint backups_verified check ((verified_at is null) = (verified_ok is null)));
comment on table backups is
  'Backups of this database that were written completely by sanad backup. Only the newest are kept. The file may be gone by now.';
comment on column backups.id is 'The id that the file itself holds.';
comment on column backups.made_at is 'The moment of the rows in the file, by the clock of the machine that wrote it.';
comment on column backups.finished_at is 'When the file was complete on the disk.';
comment on column backups.made_by is 'The user of the system and the machine that ran the command, as user@host.';
comment on column backups.file is 'The path of the file on that machine.';
comment on column backups.file_bytes is 'The size of the file.';
comment on column backups.row_count is 'How many rows of all tables are in the file.';
comment on column backups.encrypted is 'Whether the file can be read only with a private key.';
comment on column backups.verified_at is 'When sanad backup verify last restored this file into a throw-away database. Null: never, or not on this service.';
comment on column backups.verified_ok is 'Whether everything was as it should be then.';
create index backups_newest on backups (finished_at desc, id desc);
