/** A small backup file without a database, for tests of files alone. */
import {
  type About,
  aboutName,
  formatVersion,
  jsonBytes,
  type Manifest,
  manifestName,
  manifestSumName,
  pieceName,
  rowsIn,
  sha256,
  sumLine,
} from '../../src/postgres/backup/backup-format.ts'
import { type Member, writeBackupFile } from '../../src/postgres/backup/write-backup-file.ts'

type More = Parameters<typeof writeBackupFile>[2]

const about: About = {
  format: 'sanad backup',
  version: formatVersion,
  id: '00000000-0000-4000-8000-000000000001',
  made_at: '2026-01-02T03:04:05.000Z',
  sanad_version: 'a test',
  postgres_version: '18',
  master_key_fingerprint: null,
  migrations: [{ name: '0001_first.sql', hash: 'x' }],
  tables: [{ name: 'accounts', columns: ['id'], partitions: [] }],
}

/** Writes a whole backup of one table whose rows come in these pieces. Returns the size of the file. */
export const writeSmallBackup = (file: string, pieces: readonly Buffer[], more?: More): Promise<number> => {
  async function* members(): AsyncGenerator<Member> {
    const aboutBytes = jsonBytes(about)
    yield { name: aboutName, bytes: aboutBytes }
    for (const [n, bytes] of pieces.entries()) yield { name: pieceName('accounts', n + 1), bytes }
    const all = Buffer.concat(pieces)
    const manifest: Manifest = {
      about_sha256: sha256(aboutBytes),
      tables: [{ name: 'accounts', rows: rowsIn(all), bytes: all.length, sha256: sha256(all), sums: {} }],
    }
    yield { name: manifestName, bytes: jsonBytes(manifest) }
    yield { name: manifestSumName, bytes: sumLine(jsonBytes(manifest)) }
  }
  return writeBackupFile(file, members(), more)
}
