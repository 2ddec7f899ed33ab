/**
 * SQLite as it comes with Node (22.13 or later). Not imported but asked for: an older Node then gets a sentence instead
 * of an error while loading.
 */
import type { DatabaseSync } from 'node:sqlite'

export const hasSqlite = (): boolean => process.getBuiltinModule?.('node:sqlite') !== undefined

export const openSqlite = (path: string): DatabaseSync => {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  return new DatabaseSync(path)
}

/** The primary result code of SQLite's error; 0: another error. */
export const sqliteCode = (fault: unknown): number => {
  const { errcode } = (fault ?? {}) as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : 0
}
