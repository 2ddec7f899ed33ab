/** A cell without a service for tests of `sanad account move`: a database that has been started once. */
import { after } from 'node:test'
import { readConfig } from '../../../src/config.ts'
import { openKeyRing } from '../../../src/key-ring.ts'
import { type Db, openDatabase } from '../../../src/postgres/connection/database.ts'
import { freshDatabase, masterKey } from '../../support/test-databases.ts'

export const keyOf = (key: Uint8Array): Record<string, string> => ({
  SANAD_DATA_DIR: '/nonexistent',
  SANAD_MASTER_KEY: Buffer.from(key).toString('base64'),
})

export type EmptyCell = {
  readonly url: string
  readonly db: Db
  sql(text: string, values?: readonly unknown[]): Promise<readonly (readonly (string | null)[])[]>
}

export const openEmptyCell = async (key: Uint8Array = masterKey): Promise<EmptyCell> => {
  const database = await freshDatabase()
  const db = openDatabase({ url: database.url, connections: 3, application: 'test', onFault: () => {} })
  after(async () => {
    await db.close()
    await database.drop()
  })
  await openKeyRing(db, readConfig(keyOf(key)), 0)
  return { url: database.url, db, sql: async (text, values = []) => db.run({ text, values: [...values] }) }
}

/** The setting that names a cell `b`. */
export const cellB = (url: string): Record<string, string> => ({
  SANAD_CELLS: JSON.stringify({ b: { url: 'https://b.example', database_url: url } }),
})
