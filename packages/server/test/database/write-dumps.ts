/**
 * `npm run dumps`: writes schema.sql, the documents under openapi/, the SDK's API types and what its fake knows again, and adds the
 * hashes of new migrations to migrations/released.json. A hash in that list is never changed here: if nobody else has run the
 * migration yet, delete its line first.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationsFolder } from '../../src/open-store.ts'
import { openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { migrate, readMigrations } from '../../src/postgres/maintenance/migrate.ts'
import { dumps } from './dumps.ts'

const list = join(migrationsFolder, 'released.json')
const released = JSON.parse(readFileSync(list, 'utf8'))
for (const { name, hash } of await readMigrations(migrationsFolder)) released.files[name] ??= [hash]
writeFileSync(list, `${JSON.stringify(released, null, 2)}\n`)

const dataDir = mkdtempSync(join(tmpdir(), 'sanad-dumps-'))
const postgres = await openEmbedded({ dataDir, role: 'dumps', settings: { fsync: 'off' } })
try {
  await migrate(postgres.url, migrationsFolder)
  for (const { path, text } of await dumps(postgres.url)) {
    writeFileSync(path, text)
    process.stdout.write(`wrote ${path}\n`)
  }
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
