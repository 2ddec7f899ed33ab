/**
 * What the agent keeps on the phone's disk: which messages it has seen, the queue of unsent reports, and small facts
 * about itself. A message is marked as seen in the same transaction that queues its report, and a report leaves the
 * queue only when the service's answer contains it: the process may end at any point, and nothing is lost.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { NativeAlert } from '../../native-client.ts'
import { openSqlite, sqliteCode } from './open-sqlite.ts'

export type StateName =
  | 'began'
  | 'config'
  | 'config_version'
  | 'whole_read_at'
  | 'reread_since'
  | 'swept_at'
  | 'contact_at'
  | 'revoked_at'
  | 'ahead_ms'
  | 'switched_on'
  | 'rebuilt_at'
  | 'missed_notifications'
  | 'problem_sms'
  | 'problem_notifications'
  | 'problem_server'
  | 'problem_queue'

export type QueuedReport = { readonly seq: number; readonly report: NativeAlert; readonly bytes: number }

/** A message of the inbox with its report. Undefined: it is not reported, because of its sender or because it is too old. */
export type SeenRow = { readonly key: string; readonly report: NativeAlert | undefined }

/** With `mostSms` reports the queue takes no more SMS: they wait in the inbox. Notifications cannot, so more of them fit. */
export const mostSms = 18_000
export const mostQueued = 20_000
/** With this many seen messages or more, those that left the inbox are forgotten, even if they are most of them. */
const mostSeen = 200_000
/** A notification that was visible is recognised for this long. */
const rememberShown_ms = 7 * 86_400_000

const schema = `
  create table if not exists state (name text primary key, value text not null) without rowid;
  create table if not exists seen (key text primary key, reported integer not null) without rowid;
  create table if not exists shown (client_id text primary key, last_seen_at integer not null) without rowid;
  create table if not exists queue (
    seq integer primary key autoincrement,
    client_id text not null unique,
    received_at integer not null,
    report text not null,
    refused integer not null default 0);
`

export type AgentStore = ReturnType<typeof storeOn>

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26
export const isDamaged = (fault: unknown): boolean => [SQLITE_CORRUPT, SQLITE_NOTADB].includes(sqliteCode(fault))

const openFile = (path: string, mostPages?: number): AgentStore => {
  const db = openSqlite(path)
  try {
    db.exec('pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = full')
    const { quick_check: found } = db.prepare('pragma quick_check(1)').get() as { quick_check: string }
    if (found !== 'ok') throw Object.assign(new Error(found), { errcode: SQLITE_CORRUPT })
    db.exec(schema)
    if (mostPages !== undefined) db.exec(`pragma max_page_count = ${mostPages}`)
    return storeOn(db)
  } catch (fault) {
    db.close()
    throw fault
  }
}

/**
 * Opens the store. A damaged file is put aside, and a damaged or unexpectedly missing one is replaced by a new one. Then
 * `rebuilt_at` is set, and the inbox is read again (sweep-inbox.ts).
 */
export const openStore = (
  path: string,
  options: {
    readonly now: number
    /** True: it is normal that the file does not exist yet. */
    readonly isNew?: boolean
    /** False: a damaged file is left as it is, and an error is thrown. For a reader that does not hold the work lock. */
    readonly repairs?: boolean
    /** For tests of a full disk. */
    readonly mostPages?: number
  },
): AgentStore => {
  let rebuilt = !existsSync(path) && options.isNew !== true
  let store: AgentStore
  try {
    store = openFile(path, options.mostPages)
  } catch (fault) {
    if (!isDamaged(fault) || options.repairs === false) throw fault
    renameSync(path, `${path}.damaged`)
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
    store = openFile(path, options.mostPages)
    rebuilt = true
  }
  if (rebuilt) store.setState({ rebuilt_at: String(options.now) })
  return store
}

const storeOn = (db: DatabaseSync) => {
  const prepared = new Map<string, StatementSync>()
  const sql = (text: string): StatementSync => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const statement = db.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  const transaction = <T>(work: () => T): T => {
    db.exec('begin immediate')
    try {
      const result = work()
      db.exec('commit')
      return result
    } catch (fault) {
      try {
        db.exec('rollback')
      } catch {
        // A full disk has ended the transaction already.
      }
      throw fault
    }
  }
  const depth = (): number => (sql('select count(*) as n from queue where refused = 0').get() as { n: number }).n
  const enqueue = (report: NativeAlert): void => {
    sql('insert into queue (client_id, received_at, report) values (?, ?, ?) on conflict do nothing').run(
      report.client_id,
      Math.trunc(report.received_at),
      JSON.stringify(report),
    )
  }
  const setState = (values: Partial<Record<StateName, string | null>>): void => {
    transaction(() => {
      for (const [name, value] of Object.entries(values)) {
        if (value === null) sql('delete from state where name = ?').run(name)
        else
          sql('insert into state values (?, ?) on conflict (name) do update set value = excluded.value').run(
            name,
            value,
          )
      }
    })
  }
  const state = (name: StateName): string | undefined =>
    (sql('select value from state where name = ?').get(name) as { value: string } | undefined)?.value

  return {
    state,
    setState,
    /** A time or a count; undefined: not set. */
    number: (name: StateName): number | undefined => {
      const value = state(name)
      return value === undefined ? undefined : Number(value)
    },

    /** Whether a message that was seen was also reported. Undefined: it was never seen. */
    wasReported(key: string): boolean | undefined {
      const row = sql('select reported from seen where key = ?').get(key) as { reported: number } | undefined
      return row === undefined ? undefined : row.reported === 1
    },

    /**
     * Marks messages as seen and queues their reports, in the given order and in one transaction. Messages that do not
     * fit are not marked, so the next sweep finds them again. Returns how many did not fit.
     */
    addRows(rows: readonly SeenRow[], most = mostSms): number {
      if (rows.length === 0) return 0
      return transaction(() => {
        let free = most - depth()
        for (const [i, { key, report }] of rows.entries()) {
          if (report !== undefined && free-- <= 0) return rows.length - i
          sql('insert into seen values (?, ?) on conflict (key) do update set reported = excluded.reported').run(
            key,
            report === undefined ? 0 : 1,
          )
          if (report !== undefined) enqueue(report)
        }
        return 0
      })
    },

    /**
     * Forgets messages that are no longer in the inbox; `keys` are those in it. If more than half are gone, it forgets none:
     * Android may show an empty inbox for a moment, and then every message would count as new.
     */
    keepSeen(keys: ReadonlySet<string>): void {
      const all = sql('select key from seen').all() as { key: string }[]
      const gone = all.filter(({ key }) => !keys.has(key))
      if (gone.length === 0 || (gone.length > all.length / 2 && all.length < mostSeen)) return
      transaction(() => {
        for (const { key } of gone) sql('delete from seen where key = ?').run(key)
      })
    },

    /** Queues the reports of notifications that were not visible before. Returns how many did not fit. */
    addShown(reports: readonly NativeAlert[], now: number, most = mostQueued): number {
      const remember =
        'insert into shown values (?, ?) on conflict (client_id) do update set last_seen_at = excluded.last_seen_at'
      return transaction(() => {
        let free = most - depth()
        let missed = 0
        for (const report of reports) {
          const isNew = sql('select 1 from shown where client_id = ?').get(report.client_id) === undefined
          if (isNew && free <= 0) {
            missed++
            continue
          }
          if (isNew) {
            enqueue(report)
            free--
          }
          sql(remember).run(report.client_id, now)
        }
        sql('delete from shown where last_seen_at < ?').run(now - rememberShown_ms)
        return missed
      })
    },

    depth,
    refused: (): number => (sql('select count(*) as n from queue where refused = 1').get() as { n: number }).n,
    /** When the oldest unsent message was received. */
    oldestAt: (): number | undefined =>
      (
        sql('select received_at as at from queue where refused = 0 order by seq limit 1').get() as
          | { at: number }
          | undefined
      )?.at,

    /** The oldest unsent reports, in order; together not larger than `most_bytes`, but at least one. */
    oldest(most: number, most_bytes: number): QueuedReport[] {
      const rows = sql('select seq, report from queue where refused = 0 order by seq limit ?').all(most) as {
        seq: number
        report: string
      }[]
      let size = 0
      const chosen: QueuedReport[] = []
      for (const { seq, report } of rows) {
        const bytes = Buffer.byteLength(report)
        size += bytes
        if (chosen.length > 0 && size > most_bytes) break
        chosen.push({ seq, report: JSON.parse(report) as NativeAlert, bytes })
      }
      return chosen
    },

    /** The service's answer contained these reports. */
    remove(clientIds: readonly string[]): void {
      transaction(() => {
        for (const id of clientIds) sql('delete from queue where client_id = ?').run(id)
      })
    },

    /** The service always refuses this report: it is kept, and does not stop the others. */
    refuse(seq: number): void {
      sql('update queue set refused = 1 where seq = ?').run(seq)
    },

    close: (): void => db.close(),
  }
}
