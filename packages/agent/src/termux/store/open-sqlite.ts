/**
 * SQLite as it comes with Node (22.13 or later). It is loaded at run time, not imported: with an older Node the agent
 * can print a sentence instead of failing to load.
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
