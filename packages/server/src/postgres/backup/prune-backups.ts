/**
 * Deletes the backups of a folder that a rule does not keep (keep-rule.ts). Only files that are recognised as complete backups of
 * Sanad are counted or deleted: the name, the content at both ends, and the recorded size where there is one. Everything else
 * in the folder stays, and a cut backup does not take the place of a good one.
 */
import { lstat, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import { looksWholeEncrypted } from './backup-encryption.ts'
import { endMark } from './backup-format.ts'
import { backupsToDelete, type DatedFile, isFromFuture, type KeepRule, momentOfName } from './keep-rule.ts'

/** The first bytes of a zstd frame. */
const zstdMagic = Buffer.from('28b52ffd', 'hex')

const looksWhole = async (path: string): Promise<boolean> => {
  if (path.endsWith('.age')) return looksWholeEncrypted(path)
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const [begin, end] = [Buffer.alloc(zstdMagic.length), Buffer.alloc(endMark.length)]
    await handle.read(begin, 0, begin.length, 0)
    await handle.read(end, 0, end.length, Math.max(0, size - end.length))
    return begin.equals(zstdMagic) && end.equals(endMark)
  } finally {
    await handle.close()
  }
}

/** `sizes`: the recorded sizes of backups by path. */
const isWholeBackup = async (path: string, sizes: ReadonlyMap<string, number>): Promise<boolean> => {
  const found = await lstat(path)
  if (!found.isFile()) return false
  const recorded_bytes = sizes.get(path)
  if (recorded_bytes !== undefined && recorded_bytes !== found.size) return false
  return looksWhole(path)
}

export type Pruned = {
  /** The names of the deleted files. */
  readonly deleted: readonly string[]
  readonly kept: number
  /** Named like backups and not whole: they stay, and somebody should look. */
  readonly damaged: readonly string[]
  /** Dated after now: they stay, and a clock was wrong. */
  readonly future: readonly string[]
}

export type PruneOptions = {
  readonly folder: string
  readonly rule: KeepRule
  readonly now: Instant
  /** The name of the backup of this run. */
  readonly written: string
  readonly sizes: ReadonlyMap<string, number>
}

export const pruneBackups = async ({ folder, rule, now, written, sizes }: PruneOptions): Promise<Pruned> => {
  const whole: DatedFile[] = []
  const damaged: string[] = []
  for (const name of (await readdir(folder)).sort()) {
    const at = momentOfName(name)
    if (at === undefined) continue
    if (await isWholeBackup(join(folder, name), sizes).catch(() => false)) whole.push({ name, at })
    else damaged.push(name)
  }
  const deleted = backupsToDelete(whole, rule, now, written).map(({ name }) => name)
  for (const name of deleted) await rm(join(folder, name), { force: true })
  const future = whole.filter((file) => isFromFuture(file, now)).map(({ name }) => name)
  return { deleted, kept: whole.length - deleted.length, damaged, future }
}

/** The newest whole backup of a folder that is not dated after now; undefined: there is none. */
export const newestBackup = async (folder: string, now: Instant): Promise<string | undefined> => {
  const dated = (await readdir(folder)).flatMap((name) => {
    const at = momentOfName(name)
    return at === undefined ? [] : [{ name, at }]
  })
  for (const file of dated.filter((one) => !isFromFuture(one, now)).toSorted((a, b) => b.at - a.at)) {
    const path = join(folder, file.name)
    if (await isWholeBackup(path, new Map()).catch(() => false)) return path
  }
  return undefined
}

/** How old the part of a killed backup must be: a machine that shares the folder may still write a newer one. */
const partLife_ms = day_ms

/** Removes the parts that killed backups left in a folder of dated backups. */
export const removeOldParts = async (folder: string, now: Instant): Promise<void> => {
  for (const name of await readdir(folder)) {
    const [, whole] = /^(.+)\.\d+\.part$/.exec(name) ?? []
    if (whole === undefined || momentOfName(whole) === undefined) continue
    const path = join(folder, name)
    const found = await lstat(path).catch(() => undefined)
    if (found?.isFile() && found.mtimeMs < now - partLife_ms) await rm(path, { force: true })
  }
}
