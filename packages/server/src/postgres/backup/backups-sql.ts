/** The records of complete backups, for metrics, `sanad health` and the operator's page. */
import type { Instant } from '../../core/clock.ts'
import { at, bool, instant, nullable, text, uuid, whole } from '../query/columns.ts'
import { noColumns, statement } from '../query/statement.ts'

const columns = {
  id: uuid(),
  made_at: instant(),
  finished_at: instant(),
  made_by: text(),
  file: text(),
  file_bytes: whole(),
  row_count: whole(),
  encrypted: bool(),
  verified_at: nullable(instant()),
  verified_ok: nullable(bool()),
}
const columnList = Object.keys(columns).join(', ')

export type BackupRecord = {
  readonly id: string
  readonly madeAt: Instant
  readonly finishedAt: Instant
  readonly madeBy: string
  readonly file: string
  readonly file_bytes: number
  readonly rows: number
  readonly isEncrypted: boolean
}

/** A database of an earlier version has no such table. */
export const hasBackupsTable = statement(
  'has_backups_table',
  { exists: bool() },
  () => [],
  `select to_regclass('public.backups') is not null as exists`,
)

/** Records a backup and keeps the newest 1,000 records. Index: backups_newest. Several commands may do it at once. */
export const recordBackup = statement(
  'record_backup',
  noColumns,
  (made: BackupRecord) => [
    made.id,
    at(made.madeAt),
    at(made.finishedAt),
    made.madeBy,
    made.file,
    made.file_bytes,
    made.rows,
    made.isEncrypted,
  ],
  `
  with old as (
    delete from backups
     where id in (select id from backups order by finished_at desc, id desc offset 999 limit 1000))
  insert into backups (id, made_at, finished_at, made_by, file, file_bytes, row_count, encrypted)
  values ($1::uuid, $2::timestamptz, $3::timestamptz, $4::text, $5::text, $6::bigint, $7::bigint, $8::boolean)`,
)

/** The result of a verification; nothing, if this service has no record of the backup. A file that is too damaged to tell its id is
 *  found by its path. Index: primary key; without an id at most 1,000 rows are read. */
export const recordVerified = statement(
  'record_verified',
  { id: uuid() },
  (backup: { readonly id: string | null; readonly file: string }, verifiedAt: Instant, isOk: boolean) => [
    backup.id,
    backup.file,
    at(verifiedAt),
    isOk,
  ],
  `
  update backups set verified_at = $3::timestamptz, verified_ok = $4::boolean
   where id = coalesce($1::uuid, (select id from backups where file = $2::text order by finished_at desc, id desc limit 1))
  returning id`,
)

/** The sizes that the backups had, by path, to recognise a file that was cut later. At most 1,000 rows. */
export const recordedSizes = statement(
  'recorded_sizes',
  { file: text(), file_bytes: whole() },
  () => [],
  `select file, file_bytes from backups order by finished_at desc, id desc limit 1000`,
)

/** The newest backup that is not dated after `until`. Index: backups_newest. */
export const latestBackup = statement(
  'latest_backup',
  columns,
  (until: Instant) => [at(until)],
  `select ${columnList} from backups where made_at <= $1::timestamptz order by finished_at desc, id desc limit 1`,
)

/** The newest whose restore as a test went well. At most 1,000 rows are read. Index: backups_newest. */
export const latestVerified = statement(
  'latest_verified',
  { verified_at: instant() },
  (until: Instant) => [at(until)],
  `
  select verified_at from backups
   where verified_ok and verified_at <= $1::timestamptz
   order by verified_at desc limit 1`,
)
