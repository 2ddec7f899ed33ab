/** A backup is a snapshot of the whole database, and a restore brings back exactly that snapshot or nothing. */
import assert from 'node:assert/strict'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { shipTemplates } from '../../src/alerts/shipped/ship-templates.ts'
import { migrationsFolder } from '../../src/open-store.ts'
import { backup } from '../../src/postgres/backup/backup.ts'
import {
  aboutName,
  BackupRefused,
  jsonBytes,
  type Manifest,
  manifestName,
  manifestSumName,
  pieceName,
  sha256,
  sumLine,
} from '../../src/postgres/backup/backup-format.ts'
import { checkBackup, readBackup } from '../../src/postgres/backup/read-backup-file.ts'
import { restore } from '../../src/postgres/backup/restore.ts'
import { type Member, writeBackupFile } from '../../src/postgres/backup/write-backup-file.ts'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { migrate, readMigrations } from '../../src/postgres/maintenance/migrate.ts'
import { runs } from '../support/runs.ts'
import { dumpSchema } from '../support/schema-dump.ts'
import { morning, openTestService } from '../support/story.ts'
import { emptyDatabase, freshDatabase } from '../support/test-databases.ts'
import { allRows, differences, fillShop } from './backup-story.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-backup-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const service = await openTestService({ SANAD_LIMITS: 'off' })
await fillShop(service)
const before = await allRows(service.databaseUrl)

let files = 0
const newFile = (): string => join(folder, `${++files}.backup`)
const backUp = (url: string, more: Partial<Parameters<typeof backup>[0]> = {}) =>
  backup({
    url,
    file: newFile(),
    migrationsFolder,
    sanadVersion: 'a test',
    masterKeyFingerprint: null,
    now: morning,
    ...more,
  })
const good = newFile()
const firstBackup = await backUp(service.databaseUrl, { file: good })

const restoreInto = (url: string, file: string) => restore({ url, file, migrationsFolder })

const query = async (url: string, sql: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query(sql).finally(() => client.end())
}

/** The restore is refused with this message, and no row and no table has changed. */
const assertRefused = async (url: string, file: string, message: RegExp): Promise<void> => {
  const [rows, schema] = [await allRows(url), await dumpSchema(url)]
  await assert.rejects(restoreInto(url, file), (fault: Error) => {
    assert.ok(fault instanceof BackupRefused, fault.stack)
    assert.match(fault.message, message)
    return true
  })
  assert.deepEqual(differences(rows, await allRows(url)), [])
  assert.equal(await dumpSchema(url), schema)
}

test('a restored backup has every row, partition, index and constraint', async () => {
  const target = await emptyDatabase()
  await restoreInto(target.url, good)
  assert.deepEqual(differences(before, await allRows(target.url)), [])
  assert.equal(await dumpSchema(target.url), await dumpSchema(service.databaseUrl))
  await target.drop()
})

test('a backup of a restored database has the same row counts, sizes and sums as the first backup', async () => {
  const target = await emptyDatabase()
  await restoreInto(target.url, good)
  const again = await backUp(target.url)
  // PostgreSQL returns rows in no fixed order, so the checksums may differ. Counts, sizes and sums must be equal.
  const totals = ({ manifest }: { manifest: Manifest }) =>
    manifest.tables.map(({ name, rows, bytes, sums }) => ({ name, rows, bytes, sums }))
  assert.deepEqual(totals(again), totals(firstBackup))
  assert.ok(totals(firstBackup).some(({ name, sums }) => name === 'intents' && Number(sums.payable) > 0))
  await target.drop()
})

test('the file is readable by its owner only, and nothing is left beside it', () => {
  assert.equal(statSync(good).mode & 0o777, 0o600)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
  )
})

test('an existing file is not overwritten, and an impossible path is reported', async () => {
  await assert.rejects(backUp(service.databaseUrl, { file: good }), /exists already/)
  await assert.rejects(backUp(service.databaseUrl, { file: join(folder, 'none', 'x') }), /is not a directory/)
})

test('every table of the schema is included; a table that is not of Sanad is left out and reported', async () => {
  assert.deepEqual(firstBackup.leftOut, [])
  const named = firstBackup.about.tables.map(({ name }) => name)
  const partitions = firstBackup.about.tables.flatMap((table) => table.partitions.map(({ name }) => name))
  const others = ['migrations', 'delivery_attempts_other', 'delivery_ends_other']
  const ours = [...named.filter((name) => !/^delivery_(attempts|ends)$/.test(name)), ...partitions, ...others]
  assert.deepEqual(ours.sort(), [...before.keys()].sort())
  const other = await freshDatabase()
  await query(other.url, 'create table somebody_elses (n int)')
  assert.deepEqual((await backUp(other.url)).leftOut, ['somebody_elses'])
  await other.drop()
})

test('the schema has no sequence, because a backup does not contain the value of a sequence', async () => {
  assert.deepEqual((await query(service.databaseUrl, 'select * from pg_sequences')).rows, [])
})

test('a database without tables of Sanad has nothing to back up', async () => {
  const bare = await emptyDatabase()
  await assert.rejects(backUp(bare.url), /nothing to back up/)
  await bare.drop()
})

test('a restore onto a database with an account is refused', async () => {
  const target = await emptyDatabase()
  await restoreInto(target.url, good)
  await assertRefused(target.url, good, /not empty: \w+ has rows/)
  await target.drop()
})

test('one row in any table is enough to refuse a restore, also in a table without foreign keys', async () => {
  const target = await freshDatabase()
  await query(
    target.url,
    `insert into idempotency_keys (account_id, key, fingerprint, intent_id, answer, created_at)
     values (gen_random_uuid(), 'k', '', gen_random_uuid(), '', now())`,
  )
  await assertRefused(target.url, good, /not empty: idempotency_keys has rows/)
  await target.drop()
})

test('a database with only the rows of a first start counts as empty, and the backup replaces them', async () => {
  const target = await freshDatabase()
  const db = openDatabase({ url: target.url, connections: 1, application: 'test', onFault: () => {} })
  await shipTemplates(db, morning + 86_400_000)
  await db.close()
  await restoreInto(target.url, good)
  assert.deepEqual(differences(before, await allRows(target.url)), [])
  assert.equal(await dumpSchema(target.url), await dumpSchema(service.databaseUrl))
  await target.drop()
})

test('a database with an entry in the audit log does not count as empty', async () => {
  const target = await freshDatabase()
  await query(
    target.url,
    `insert into audit_log (id, at, actor, via, action, kind, object_id)
     values (gen_random_uuid(), now(), 'the operator', 'command', 'provider.create', 'provider', 'x')`,
  )
  await assertRefused(target.url, good, /not empty: audit_log has rows/)
  await target.drop()
})

test('a database on which a service runs is refused', async () => {
  const target = await freshDatabase()
  const node = new pg.Client({ connectionString: target.url, application_name: 'sanad' })
  await node.connect()
  await assertRefused(target.url, good, /A service runs on this database/)
  await node.end()
  await target.drop()
  // The database of this test file, on which the service runs.
  await assertRefused(service.databaseUrl, good, /A service runs on this database/)
})

test('a file that is truncated anywhere is refused before anything is changed', async () => {
  const bytes = readFileSync(good)
  const cut = newFile()
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
      writeFileSync(cut, bytes.subarray(0, length))
      await assert.rejects(checkBackup(cut), BackupRefused)
    }),
    { numRuns: runs(60, 15), examples: [[0], [1], [bytes.length - 1], [bytes.length - 5]] },
  )
  const target = await emptyDatabase()
  await assertRefused(target.url, cut, /damaged or incomplete/)
  await target.drop()
})

test('a file with one changed bit is refused before anything is changed, or it is read as it was', async () => {
  const bytes = readFileSync(good)
  const damaged = newFile()
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ min: 0, max: 7 }), async (at, bit) => {
      const copy = Buffer.from(bytes)
      copy[at]! ^= 1 << bit
      writeFileSync(damaged, copy)
      // If the compression ignores the bit, the whole backup must be read unchanged.
      const found = await checkBackup(damaged).catch((fault: Error) => fault)
      if (found instanceof Error) assert.ok(found instanceof BackupRefused, found.stack)
      else assert.deepEqual(found.manifest, firstBackup.manifest)
    }),
    { numRuns: runs(100, 20) },
  )
  // From the middle on, the first bit that the compression does not ignore: most are such, and 64 in a row that are not are a fault.
  const refused = async (bit: number): Promise<boolean> => {
    const copy = Buffer.from(bytes)
    copy[(bytes.length >> 1) + (bit >> 3)]! ^= 1 << (bit & 7)
    writeFileSync(damaged, copy)
    return checkBackup(damaged).then(
      () => false,
      () => true,
    )
  }
  let bit = 0
  while (!(await refused(bit))) assert.ok(++bit < 64, 'no changed bit is refused')
  const target = await emptyDatabase()
  await assertRefused(target.url, damaged, /damaged or incomplete/)
  await target.drop()
})

test('a file that is no backup is refused, and so is a missing file', async () => {
  const target = await emptyDatabase()
  const other = newFile()
  writeFileSync(other, 'PGDMP and so on')
  await assertRefused(target.url, other, /damaged or incomplete/)
  await assertRefused(target.url, join(folder, 'none.backup'), /there is no such file/)
  await target.drop()
})

/** Writes the good backup again, with some members changed and every checksum correct. */
const forged = async (change: (member: Member) => Member | undefined): Promise<string> => {
  async function* members(): AsyncGenerator<Member> {
    let [table, piece] = ['', 0]
    for await (const part of readBackup(good)) {
      if (part.kind === 'table') [table, piece] = [part.table.name, 0]
      const member =
        part.kind === 'about'
          ? { name: aboutName, bytes: jsonBytes(part.about) }
          : part.kind === 'rows'
            ? { name: pieceName(table, ++piece), bytes: part.bytes }
            : part.kind === 'manifest'
              ? { name: manifestName, bytes: jsonBytes(part.manifest) }
              : undefined
      const changed = member && change(member)
      if (changed === undefined) continue
      yield changed
      if (changed.name === manifestName) yield { name: manifestSumName, bytes: sumLine(changed.bytes) }
    }
  }
  const file = newFile()
  await writeBackupFile(file, members())
  return file
}

/** Changes the manifest of a backup. */
const withManifest = (change: (manifest: Manifest) => Manifest) => (member: Member) =>
  member.name === manifestName
    ? { ...member, bytes: jsonBytes(change(JSON.parse(member.bytes.toString('utf8')))) }
    : member

test('a restore is refused if a sum in the database or the row count in the file differs from the manifest', async () => {
  const target = await emptyDatabase()
  const wrongSum = await forged(
    withManifest((manifest) => ({
      ...manifest,
      tables: manifest.tables.map((table) =>
        table.name === 'intents' ? { ...table, sums: { ...table.sums, payable: '1' } } : table,
      ),
    })),
  )
  await assertRefused(target.url, wrongSum, /The sum of intents\.payable is \d+, in the backup 1/)

  // One row is removed, and the checksums fit the rest.
  let left: Buffer | undefined
  const shorter = await forged((member) => {
    if (member.name === pieceName('intent_moves', 1)) {
      left = member.bytes.subarray(member.bytes.indexOf(10) + 1)
      return { ...member, bytes: left }
    }
    return withManifest((manifest) => ({
      ...manifest,
      tables: manifest.tables.map((table) =>
        table.name === 'intent_moves' ? { ...table, bytes: left!.length, sha256: sha256(left!) } : table,
      ),
    }))(member)
  })
  await assertRefused(target.url, shorter, /the rows of intent_moves are not as they were written/)
  await target.drop()
})

test('rows that break a constraint are not restored', async () => {
  const target = await emptyDatabase()
  let remaining = Buffer.alloc(0)
  // The wallets stay and their account is removed.
  const orphans = await forged((member) => {
    if (member.name === pieceName('accounts', 1)) {
      remaining = Buffer.from(member.bytes.subarray(member.bytes.indexOf(10) + 1))
      return { ...member, bytes: remaining }
    }
    return withManifest((manifest) => ({
      ...manifest,
      tables: manifest.tables.map((table) =>
        table.name === 'accounts'
          ? { ...table, rows: table.rows - 1, bytes: remaining.length, sha256: sha256(remaining) }
          : table,
      ),
    }))(member)
  })
  await assert.rejects(restoreInto(target.url, orphans), /violates foreign key constraint/)
  assert.equal((await query(target.url, `select to_regclass('public.intents') as there`)).rows[0].there, null)
  await target.drop()
})

test('a backup is refused if about.json has invalid table names, is incomplete or has a newer format', async () => {
  const target = await emptyDatabase()
  const bad = await forged((member) => {
    if (member.name !== aboutName) return member
    const about = JSON.parse(member.bytes.toString('utf8'))
    about.tables[0].name = 'accounts"; drop table users; --'
    return { ...member, bytes: jsonBytes(about) }
  })
  await assertRefused(target.url, bad, /has names that no table of Sanad has/)
  const incomplete = await forged((member) =>
    member.name === aboutName
      ? { ...member, bytes: Buffer.from('{"format": "sanad backup", "version": 1, "tables": [{}]}') }
      : member,
  )
  await assertRefused(target.url, incomplete, /about.json is incomplete/)
  const newer = await forged((member) =>
    member.name === aboutName
      ? { ...member, bytes: Buffer.from('{"format": "sanad backup", "version": 2, "sanad_version": "9"}') }
      : member,
  )
  await assertRefused(target.url, newer, /has format 2, this version of Sanad reads format 1/)
  await target.drop()
})

/** A folder with all migrations except the last `count`. */
const olderFolder = (count: number): string => {
  const older = mkdtempSync(join(folder, 'migrations-'))
  const names = readdirSync(migrationsFolder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  for (const name of names.slice(0, -count)) cpSync(join(migrationsFolder, name), join(older, name))
  return older
}

test('a backup of an older version is restored with its own migrations and then migrated', async () => {
  const [old, target] = [await emptyDatabase(), await emptyDatabase()]
  const older = olderFolder(3)
  await migrate(old.url, older)
  await query(old.url, `insert into accounts (id, name, created_at) values (gen_random_uuid(), 'Old shop', now())`)
  const file = newFile()
  // The newer version backs up a database that it has not migrated yet.
  await backUp(old.url, { file })
  const restored = await restoreInto(target.url, file)
  assert.equal(restored.migrated, 3)
  assert.equal(await dumpSchema(target.url), await dumpSchema(await migrated(old.url)))
  assert.deepEqual(differences(await allRows(old.url), await allRows(target.url)), [])
  await old.drop()
  await target.drop()
})

const migrated = async (url: string): Promise<string> => {
  await migrate(url, migrationsFolder)
  return url
}

test('an older backup is not restored into a newer database, nor a newer backup by an older version', async () => {
  const old = await emptyDatabase()
  const older = olderFolder(2)
  await migrate(old.url, older)
  const file = newFile()
  await backUp(old.url, { file })
  const target = await freshDatabase()
  await assertRefused(target.url, file, /restore it into a database without tables/)
  await target.drop()

  const bare = await emptyDatabase()
  await assert.rejects(
    restore({ url: bare.url, file: good, migrationsFolder: older }),
    /does not fit this version.*run a newer version/,
  )
  await assert.rejects(backUp(service.databaseUrl, { migrationsFolder: older }), /run a newer version/)
  await bare.drop()
  await old.drop()
})

test('a database that already has other tables of the same names is left as it is', async () => {
  const target = await emptyDatabase()
  await query(target.url, 'create table accounts (n int); insert into accounts values (1)')
  await assertRefused(target.url, good, /could not be created .*already exists/)
  await target.drop()
})

test('a backup that is aborted leaves no file', async () => {
  const file = newFile()
  const stop = new AbortController()
  const progress = {
    part: (what: string) => void (what.startsWith('Copying') && stop.abort()),
    at: () => {},
    end: () => {},
  }
  await assert.rejects(backUp(service.databaseUrl, { file, progress, signal: stop.signal }), { name: 'AbortError' })
  assert.deepEqual(
    readdirSync(folder).filter((name) => join(folder, name).startsWith(file)),
    [],
  )
})

test('files of a killed backup are removed by the next one, those of a running one are not', async () => {
  const partsFolder = join(folder, 'parts')
  mkdirSync(partsFolder)
  const file = join(partsFolder, 'x.backup')
  // No process has this id: it is above the highest that Linux assigns.
  const [dead, living] = [`${file}.99999999.part`, `${file}.${process.ppid}.part`]
  for (const part of [dead, living]) writeFileSync(part, '')
  await backUp(service.databaseUrl, { file })
  assert.deepEqual(readdirSync(partsFolder).sort(), ['x.backup', `x.backup.${process.ppid}.part`])
  copyFileSync(file, newFile())
})

test('about.json lists every migration of this version with its hash', async () => {
  const all = (await readMigrations(migrationsFolder)).map(({ name, hash }) => ({ name, hash }))
  assert.deepEqual(firstBackup.about.migrations, all)
})
