/** `npm run dumps`: writes schema.sql, the documents under openapi/, the SDK's API types and what its fake knows again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationsFolder } from '../../src/open-store.ts'
import { openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { migrate } from '../../src/postgres/maintenance/migrate.ts'
import { dumps } from './dumps.ts'

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
