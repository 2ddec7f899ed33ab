/** `sanad restore FILE`: restores a backup into an empty database, the embedded one or that of `DATABASE_URL`. */
import { resolve } from 'node:path'
import { CommandError } from '../../command-error.ts'
import { type Config, readConfig } from '../../config.ts'
import { migrationsFolder, openStore } from '../../open-store.ts'
import { readIdentities } from '../../postgres/backup/backup-encryption.ts'
import { type About, BackupRefused, type Manifest } from '../../postgres/backup/backup-format.ts'
import { checkBackup } from '../../postgres/backup/read-backup-file.ts'
import { restore } from '../../postgres/backup/restore.ts'
import type { AddTo, CommandLine } from '../command-line.ts'
import { keyFingerprint, keyPlace } from './key-fingerprint.ts'
import { progressBar } from './progress-bar.ts'

/** The private keys in the file of `--identity`. */
export const identitiesOf = async (path: string | undefined): Promise<readonly string[]> =>
  path === undefined ? [] : readIdentities(resolve(path))

export const rowsOf = (manifest: Manifest): string =>
  manifest.tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString('en')

export const aboutText = ({ made_at, sanad_version, postgres_version }: About): string =>
  `a backup of ${made_at} by Sanad ${sanad_version} on PostgreSQL ${postgres_version}`

/** What the operator must do about the master key, which no backup contains. */
export const keyText = (about: About, here: string | null, config: Config): string => {
  const place = keyPlace(config)
  const lost = 'Without it the secrets in the backup (of phones, webhooks, second factors and PINs) are lost.'
  if (here === null)
    return `There is no master key here yet (${place}): put the one of the backed-up service there before you start. ${lost}`
  if (about.master_key_fingerprint === null)
    return `The backup does not say with which master key it was made: check that ${place} is the one. ${lost}`
  if (about.master_key_fingerprint !== here)
    return `WARNING: the master key here (${place}) is not the one the backup was made with. Put that one there before you start. ${lost}`
  return `The master key here (${place}) is the one the backup was made with.`
}

const checkOnly = async ({ say }: CommandLine, file: string, identities: readonly string[]): Promise<void> => {
  const progress = progressBar()
  const { about, manifest } = await checkBackup(file, progress, identities)
  progress.end()
  say(`Whole and undamaged: ${aboutText(about)}, ${rowsOf(manifest)} rows.`)
}

const restoreInto = async ({ say }: CommandLine, file: string, identities: readonly string[]): Promise<void> => {
  const config = readConfig()
  const store = await openStore(config, 'sanad restore')
  try {
    const progress = progressBar()
    const { about, manifest, migrated } = await restore({
      url: store.url,
      file,
      migrationsFolder,
      identities,
      progress,
      onChecked: (found) => say(`The file is whole: ${aboutText(found)}.`),
    })
    say(`Done: ${rowsOf(manifest)} rows are restored; counts and sums are those of the backup.`)
    if (migrated > 0) say(`The database was brought to this version: ${migrated} migrations ran.`)
    say(keyText(about, await keyFingerprint(config), config))
  } finally {
    await store.close()
  }
}

export const addTo: AddTo = (command, line) => {
  command
    .argument('<file>', 'a file that sanad backup wrote')
    .option('--check', 'only read the file and compare it with its checksums; no database is needed')
    .option('--identity <file>', 'the file with the private key (AGE-SECRET-KEY-1...), for a backup that is encrypted')
    .action(async (path: string, { check, identity }: { check?: boolean; identity?: string }) => {
      const file = resolve(path)
      try {
        const identities = await identitiesOf(identity)
        await (check ? checkOnly(line, file, identities) : restoreInto(line, file, identities))
      } catch (fault) {
        if (fault instanceof BackupRefused) throw new CommandError(fault.message)
        throw fault
      }
    })
}
