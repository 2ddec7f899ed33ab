/**
 * `sanad backup verify FILE`: restores a backup into a throw-away PostgreSQL, compares it with its manifest and with rules about money,
 * and removes everything again. It does not touch the service; if this machine has its database, the result is recorded there.
 */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { CommandError } from '../../command-error.ts'
import { type Config, readConfig } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import { migrationsFolder, openStore, refuseWithoutEmbedded } from '../../open-store.ts'
import { connectForBackup } from '../../postgres/backup/backup-connection.ts'
import { isEncryptedFile } from '../../postgres/backup/backup-encryption.ts'
import { type About, BackupNotRead, BackupRefused } from '../../postgres/backup/backup-format.ts'
import { hasBackupsTable, recordVerified } from '../../postgres/backup/backups-sql.ts'
import { noProgress } from '../../postgres/backup/progress.ts'
import { newestBackup } from '../../postgres/backup/prune-backups.ts'
import { type RestoreDone, restore } from '../../postgres/backup/restore.ts'
import { clusterDirOf } from '../../postgres/embedded/embedded-cluster.ts'
import { withThrowAway } from '../../postgres/embedded/throw-away.ts'
import { moneyRules, moneyRuleTexts } from '../../views/operator/money-rules-sql.ts'
import type { CommandLine } from '../command-line.ts'
import { keyFingerprint } from './key-fingerprint.ts'
import { progressBar } from './progress-bar.ts'
import { aboutText, identitiesOf, keyText, rowsOf } from './restore-command.ts'

type Options = { readonly identity?: string; readonly json?: true; readonly temp?: string; readonly record: boolean }

type Rule = { readonly rule: string; readonly broken: number }
type Checked = { readonly restored: RestoreDone; readonly rules: readonly Rule[] }

const checkMoney = async (url: string): Promise<Rule[]> => {
  const session = await connectForBackup(url, 'sanad backup verify')
  try {
    const rules: Rule[] = []
    for (const name of Object.keys(moneyRules) as (keyof typeof moneyRules)[])
      rules.push({ rule: moneyRuleTexts[name], broken: (await moneyRules[name](session))[0]!.broken })
    return rules
  } finally {
    await session.close()
  }
}

/** Writes the result into the database of this service, if there is one. Returns a sentence if it could not. */
const recordResult = async (
  config: Config,
  backup: { readonly id: string | null; readonly file: string },
  isOk: boolean,
): Promise<string | undefined> => {
  // Without this check a machine that has no service would get an embedded PostgreSQL.
  if (config.databaseUrl === undefined && !existsSync(clusterDirOf(config.dataDir))) return undefined
  try {
    const store = await openStore(config, 'sanad backup verify')
    try {
      const session = await connectForBackup(store.url, 'sanad backup verify')
      try {
        const [table] = await hasBackupsTable(session)
        if (table!.exists) await recordVerified(session, backup, systemClock.now(), isOk)
        return undefined
      } finally {
        await session.close()
      }
    } finally {
      await store.close()
    }
  } catch (fault) {
    return `The result could not be recorded in the database: ${(fault as Error).message}`
  }
}

const checkDirectory = async (path: string): Promise<string> => {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) throw new CommandError(`${path} is not a directory: create it, or choose another one.`)
  return path
}

/** The file itself, or the newest backup of a directory. */
const fileAt = async (path: string): Promise<string> => {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return path
  const newest = await newestBackup(path, systemClock.now())
  if (newest === undefined)
    throw new CommandError(`${path} has no whole backup that is named after its time: name the file to verify.`)
  return newest
}

const verify = async (line: CommandLine, path: string, options: Options, signal: AbortSignal): Promise<void> => {
  const say = options.json ? () => {} : line.say
  const config = readConfig()
  const began = performance.now()
  const file = await fileAt(resolve(path))
  const parent = await checkDirectory(resolve(options.temp ?? tmpdir()))
  let about: About | undefined
  const remember = async (isOk: boolean): Promise<void> => {
    if (!options.record) return
    const sentence = await recordResult(config, { id: about?.id ?? null, file }, isOk)
    if (sentence !== undefined) say(sentence)
  }
  const facts = () => ({
    file,
    ...(about !== undefined && {
      id: about.id ?? null,
      made_at: about.made_at,
      sanad_version: about.sanad_version,
      postgres_version: about.postgres_version,
    }),
    took_s: Math.round((performance.now() - began) / 1000),
  })
  const fail = (problem: string, more: object = {}): never => {
    if (options.json) line.say(JSON.stringify({ ok: false, ...facts(), ...more, problem }))
    throw new CommandError(problem)
  }
  try {
    const identities = await identitiesOf(options.identity)
    const isEncrypted = existsSync(file) && (await isEncryptedFile(file))
    const { restored, rules } = await withThrowAway(
      { parent, now: systemClock.now(), signal },
      async (url): Promise<Checked> => {
        const done = await restore({
          url,
          file,
          migrationsFolder,
          identities,
          progress: options.json ? noProgress : progressBar(),
          onChecked: (found) => {
            about = found
            say(`The file is whole: ${aboutText(found)}${isEncrypted ? ', encrypted' : ''}.`)
          },
        })
        say(
          `Restored into a throw-away PostgreSQL: ${rowsOf(done.manifest)} rows in ${done.manifest.tables.length} tables; counts and sums are those of the backup.`,
        )
        return { restored: done, rules: await checkMoney(url) }
      },
    ).catch((fault) => {
      if (signal.aborted) throw new CommandError('Stopped: the backup was not verified, and nothing is left of it.')
      return refuseWithoutEmbedded(fault)
    })
    const broken = rules.filter((one) => one.broken > 0)
    await remember(broken.length === 0)
    const fingerprint = await keyFingerprint(config)
    const key = restored.about.master_key_fingerprint
    const result = {
      encrypted: isEncrypted,
      rows: restored.manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      tables: restored.manifest.tables.length,
      rules,
      master_key: fingerprint === null || key === null ? 'unknown' : fingerprint === key ? 'same' : 'other',
    }
    if (broken.length > 0)
      fail(
        `The backup was restored, but ${broken.map((one) => `"${one.rule}" is broken ${one.broken} times`).join(', ')}. The data was like this when it was backed up: ask for help, and keep the file.`,
        result,
      )
    say(`All ${rules.length} rules about money hold.`)
    say(keyText(restored.about, fingerprint, config))
    say(`Verified in ${facts().took_s} s. Nothing of it is left on this machine.`)
    if (options.json) line.say(JSON.stringify({ ok: true, ...facts(), ...result }))
  } catch (fault) {
    if (!(fault instanceof BackupRefused)) throw fault
    // A missing key or file says nothing about the backup.
    if (!(fault instanceof BackupNotRead)) await remember(false)
    fail(fault.message)
  }
}

export const addVerifyTo = (backup: Command, line: CommandLine): void => {
  backup
    .command('verify')
    .description('restore a backup into a throw-away PostgreSQL, compare everything, and remove it again')
    .argument('<file>', 'a file that sanad backup wrote; or a directory: the newest backup in it')
    .option('--identity <file>', 'the file with the private key (AGE-SECRET-KEY-1...), for a backup that is encrypted')
    .option('--temp <directory>', 'where the throw-away PostgreSQL is, instead of the directory for temporary files')
    .option('--no-record', 'do not record the result in the database of the service')
    .option('--json', 'the result as one JSON object')
    .action(async (path: string, options: Options) => {
      const stopped = new AbortController()
      const stop = (): void => stopped.abort()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
      try {
        await verify(line, path, options, stopped.signal)
      } finally {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
      }
    })
}
