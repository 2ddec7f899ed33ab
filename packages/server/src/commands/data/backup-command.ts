/**
 * `sanad backup FILE`, `sanad backup --to DIR`: writes all rows of one moment to a file, whether or not the service runs. With
 * `--to` the file is named after its moment, and with `--keep` older ones are deleted afterwards. A run that fails deletes nothing.
 */
import { hostname, userInfo } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { CommandError } from '../../command-error.ts'
import { type Config, readConfig } from '../../config.ts'
import { type Instant, systemClock } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import { migrationsFolder, openStore } from '../../open-store.ts'
import { type BackupDone, backup } from '../../postgres/backup/backup.ts'
import { connectForBackup } from '../../postgres/backup/backup-connection.ts'
import { encryptTo } from '../../postgres/backup/backup-encryption.ts'
import { BackupRefused } from '../../postgres/backup/backup-format.ts'
import { hasBackupsTable, recordBackup, recordedSizes } from '../../postgres/backup/backups-sql.ts'
import { backupName, type KeepRule, keepRuleText, readKeepRule } from '../../postgres/backup/keep-rule.ts'
import { pruneBackups, removeOldParts } from '../../postgres/backup/prune-backups.ts'
import { version } from '../../version.ts'
import { type AddTo, type CommandLine, wholeNumber } from '../command-line.ts'
import { addVerifyTo } from './add-backup-verify.ts'
import { keyFingerprint, keyPlace } from './key-fingerprint.ts'
import { progressBar } from './progress-bar.ts'
import { programAt, runProgram } from './run-program.ts'

type Options = {
  readonly to?: string
  readonly keep?: KeepRule
  readonly encryptTo: readonly string[]
  readonly then?: string
  readonly thenMinutes: number
}

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

const rowsOf = ({ manifest }: BackupDone): number => manifest.tables.reduce((sum, table) => sum + table.rows, 0)

const keepOption = (text: string): KeepRule => {
  const rule = readKeepRule(text)
  if (rule === undefined)
    throw new InvalidArgumentError('It must be like 7d,4w,6m: days, weeks, months, years (y), each once.')
  return rule
}

const minutesOption = (text: string): number => {
  const minutes = wholeNumber(text)
  if (minutes < 1 || minutes > 1_440) throw new InvalidArgumentError('It must be 1 to 1440.')
  return minutes
}

const fileOf = (path: string | undefined, { to, keep, encryptTo: keys }: Options, now: Instant): string => {
  if ((path === undefined) === (to === undefined))
    throw new CommandError('Give the file to write, or --to and a directory in which it is named after the time.')
  if (keep !== undefined && to === undefined)
    throw new CommandError(
      '--keep needs --to: only backups in that directory that are named after their time are deleted.',
    )
  return resolve(path ?? join(to!, backupName(now, keys.length > 0)))
}

/** The user of the system, for the record. A container may have no name for it. */
const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

type Written = { readonly done: BackupDone; readonly file: string; readonly isEncrypted: boolean }

/** Records the backup, and returns the recorded sizes of all. Null: the database of an earlier version has no such table. */
const record = async (url: string, { done, file, isEncrypted }: Written): Promise<Map<string, number> | null> => {
  const session = await connectForBackup(url, 'sanad backup')
  try {
    const [table] = await hasBackupsTable(session)
    if (!table!.exists) return null
    await recordBackup(session, {
      id: done.about.id!,
      madeAt: Date.parse(done.about.made_at),
      finishedAt: systemClock.now(),
      madeBy: `${userName()}@${hostname()}`.slice(0, 300),
      file,
      file_bytes: done.file_bytes,
      rows: rowsOf(done),
      isEncrypted,
    })
    return new Map((await recordedSizes(session)).map((one) => [one.file, one.file_bytes]))
  } finally {
    await session.close()
  }
}

const sayKey = ({ say }: CommandLine, config: Config, fingerprint: string | null): void => {
  const lost = 'Without it the secrets in the backup (of phones, webhooks, second factors and PINs) are lost'
  say(
    fingerprint === null
      ? `The master key is not in this file, and none was found here. ${lost}: keep it, apart from the backup.`
      : `The master key (${keyPlace(config)}) is not in this file. ${lost}: keep a copy of it, apart from the backup.`,
  )
}

const prune = async ({ say }: CommandLine, file: string, rule: KeepRule, sizes: ReadonlyMap<string, number>) => {
  const pruned = await pruneBackups({
    folder: dirname(file),
    rule,
    now: systemClock.now(),
    written: basename(file),
    sizes,
  })
  say(
    `Backups in ${dirname(file)}: ${pruned.kept} kept (the newest of each of the last ${keepRuleText(rule)}), ${pruned.deleted.length} deleted.`,
  )
  for (const name of pruned.deleted) say(`Deleted: ${name}`)
  for (const name of pruned.damaged) say(`Not whole, neither counted nor deleted: ${name}`)
  for (const name of pruned.future) say(`Dated after now, neither counted nor deleted: ${name}. A clock was wrong.`)
}

const run = async (
  line: CommandLine,
  path: string | undefined,
  options: Options,
  signal: AbortSignal,
): Promise<void> => {
  const { say } = line
  const config = readConfig()
  const now = systemClock.now()
  const file = fileOf(path, options, now)
  const isEncrypted = options.encryptTo.length > 0
  const encrypt = isEncrypted ? await encryptTo(options.encryptTo) : undefined
  const program = options.then === undefined ? undefined : await programAt(options.then)
  const store = await openStore(config, 'sanad backup')
  try {
    const fingerprint = await keyFingerprint(config)
    const done = await backup({
      url: store.url,
      file,
      migrationsFolder,
      sanadVersion: version,
      masterKeyFingerprint: fingerprint,
      now,
      progress: progressBar(),
      signal,
      ...(encrypt !== undefined && { encrypt }),
    })
    const encrypted = isEncrypted ? ', encrypted' : ''
    say(`Done: ${file}, ${rowsOf(done).toLocaleString('en')} rows, ${megabytes(done.file_bytes)}${encrypted}.`)
    for (const table of done.leftOut) say(`Left out: the table ${table}, which is not Sanad's.`)
    sayKey(line, config, fingerprint)
    const sizes = await record(store.url, { done, file, isEncrypted }).catch((cause: Error) => {
      throw new CommandError(
        `The backup is whole, but it could not be recorded: ${cause.message}. Nothing was deleted.`,
        {
          cause,
        },
      )
    })
    if (sizes === null)
      say('It is not recorded: the database is of an earlier version. sanad migrate brings it to this one.')
    if (program !== undefined) {
      const why = await runProgram(program, file, { most_ms: options.thenMinutes * minute_ms, signal })
      if (why !== undefined)
        throw new CommandError(`The backup is whole, but ${program} ${why}. No older backup was deleted.`)
      say(`${program} has ended well.`)
    }
    if (options.to !== undefined) await removeOldParts(dirname(file), systemClock.now())
    if (options.keep !== undefined) await prune(line, file, options.keep, sizes ?? new Map())
  } catch (fault) {
    if (fault instanceof CommandError) throw fault
    if (signal.aborted) throw new CommandError('Stopped: no backup was made.')
    if (fault instanceof BackupRefused) throw new CommandError(fault.message)
    throw fault
  } finally {
    await store.close()
  }
}

const several = (key: string, keys: readonly string[]): readonly string[] => [...keys, key]

export const addTo: AddTo = (command, line) => {
  command
    .argument('[file]', 'where to write it; must not exist yet')
    .option('--to <directory>', 'write it into this directory, named after the time: sanad-20260102T023000Z.backup')
    .option(
      '--keep <rule>',
      'then delete older backups in that directory but the newest of each of the last 7 days, 4 weeks and 6 months: 7d,4w,6m',
      keepOption,
    )
    .option(
      '--encrypt-to <key>',
      'a public key of age, age1...: only the owner of its private key can read the file. May be repeated',
      several,
      [],
    )
    .option(
      '--then <program>',
      'then run this program with the path of the file as its only argument; no shell is involved',
    )
    .option('--then-minutes <minutes>', 'how long that program may take', minutesOption, 60)
    .action(async (path: string | undefined, options: Options) => {
      const stopped = new AbortController()
      const stop = (): void => stopped.abort()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
      try {
        await run(line, path, options, stopped.signal)
      } catch (fault) {
        if (fault instanceof BackupRefused) throw new CommandError(fault.message)
        throw fault
      } finally {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
      }
    })
  addVerifyTo(command, line)
}
