/** The embedded PostgreSQL and the lock on its data directory, with real processes that the tests kill. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { dataDirHolder, holdDataDir } from '../../src/postgres/embedded/data-dir.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../../src/postgres/embedded/embedded.ts'
import { makeMissingLinks, whyNotHere } from '../../src/postgres/embedded/embedded-binaries.ts'
import { openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'

const settings = { fsync: 'off', shared_buffers: '16MB' }
const atEnd: (() => Promise<unknown>)[] = []
let testFolder: string
let currentDataDir: string
let dataDirs = 0

const start = async (dataDir: string, more: Partial<EmbeddedOptions> = {}): Promise<Embedded> => {
  const embedded = await startEmbedded({ dataDir, settings, ...more })
  atEnd.push(embedded.stop)
  return embedded
}

const open = async (dataDir: string, role: string): Promise<Embedded> => {
  const embedded = await openEmbedded({ dataDir, role, settings })
  atEnd.push(embedded.stop)
  return embedded
}

const query = async (url: string, sql: string): Promise<unknown[][]> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

/** A new data directory, into which the only cluster is moved: creating or copying its thousand files for each test would
 *  take longer than the tests. */
const dataDirAt = async (...path: string[]): Promise<string> => {
  dataDirs += 1
  const dataDir = join(testFolder, `${dataDirs}`, ...path)
  await mkdir(dataDir, { recursive: true })
  await rename(join(currentDataDir, 'postgres'), join(dataDir, 'postgres'))
  currentDataDir = dataDir
  return dataDir
}

/** Those of these amounts that are stored. */
const paid = async (url: string, ...amounts: number[]) => {
  const rows = await query(url, 'select amount::int from paid order by amount')
  return rows.flat().filter((amount) => amounts.includes(Number(amount)))
}

const until = async (isTrue: () => boolean | Promise<boolean>) => {
  while (!(await isTrue())) await delay(20)
}

/** Opens the data directory in another process, as the service or an operator's command does. */
const otherProcess = async (
  dataDir: string,
  role: string,
): Promise<{ child: ChildProcess; url: string; pid: number }> => {
  const script = fileURLToPath(new URL('open-embedded-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, dataDir, role], { stdio: ['pipe', 'pipe', 'ignore'] })
  atEnd.push(async () => child.kill('SIGKILL'))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', resolve)
    child.once('exit', () => reject(new Error(`The process for ${role} ended before it had PostgreSQL.`)))
  })
  return { child, ...JSON.parse(line) }
}

before(async () => {
  testFolder = await realpath(await mkdtemp(join(tmpdir(), 'sanad-test-')))
  await chmod(testFolder, 0o755)
  currentDataDir = join(testFolder, 'first')
  await mkdir(currentDataDir)
  const first = await start(currentDataDir)
  await query(first.url, 'create table paid (amount bigint)')
  await query(first.url, 'insert into paid values (1500)')
  await first.stop()
})

after(async () => {
  for (const end of atEnd) await end()
  await rm(testFolder, { recursive: true, force: true })
})

test('a second start finds what the first start wrote, without a crash recovery', async () => {
  const dataDir = currentDataDir
  assert.ok(!existsSync(join(dataDir, 'postgres', 'postmaster.pid')), 'an orderly stop leaves no postmaster.pid')
  const lines: string[] = []
  const second = await start(dataDir, { log: (line) => lines.push(line) })
  assert.deepEqual(await paid(second.url, 1500), [1500])
  assert.deepEqual(await query(second.url, `select current_setting('TimeZone'), current_setting('listen_addresses')`), [
    ['UTC', ''],
  ])
  assert.ok(lines.some((line) => line.includes('database system was shut down')))
  await Promise.all([second.stop(), second.stop()])
  assert.ok(!existsSync(second.socketDir))
})

test('the service connects as a role that owns the database and is no superuser', async () => {
  const embedded = await start(currentDataDir)
  const [role] = await query(
    embedded.url,
    'select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
  )
  assert.deepEqual(role, ['sanad_service', false, false, false, false, false])
  await assert.rejects(query(embedded.url, `select pg_read_file('/etc/passwd')`), /permission denied/)
  await assert.rejects(query(embedded.url, `copy paid to program 'cat'`), /permission denied/)
  await assert.rejects(query(embedded.url, 'set role sanad'), /permission denied/)
  assert.deepEqual(await query(embedded.adminUrl, `select current_setting('is_superuser')`), [['on']])
  await embedded.stop()
})

test('an old data directory, where the superuser owns everything, is given to the service role at the next start', async () => {
  const dataDir = await dataDirAt('before')
  const old = await start(dataDir)
  await query(
    old.url,
    `create table earned (id bigint generated always as identity, amount bigint) partition by range (amount);
     create table earned_few partition of earned for values from (0) to (100);
     create sequence receipts; create view sums as select sum(amount) from paid; create type mood as enum ('good');
     create function twice(bigint) returns bigint language sql as 'select $1 * 2';
     create extension pg_trgm`,
  )
  await query(old.adminUrl, 'reassign owned by sanad_service to sanad')
  await query(old.adminUrl, 'drop owned by sanad_service; drop role sanad_service')
  await old.stop()

  for (let i = 0; i < 2; i++) {
    const next = await start(dataDir)
    assert.deepEqual(await paid(next.url, 1500), [1500])
    await query(next.url, 'insert into earned (amount) values (7)')
    await query(next.url, 'alter table paid add column if not exists note text')
    await query(next.url, `select nextval('receipts'), twice(2), similarity('a', 'b') from sums`)
    await query(next.url, `alter type mood add value if not exists 'better'`)
    await next.stop()
  }
  const last = await start(dataDir)
  await query(
    last.url,
    'drop table earned; drop sequence receipts; drop view sums; drop type mood; drop function twice; alter table paid drop column note',
  )
  await last.stop()
})

test('a cluster opens whether or not other users can reach its directory', async () => {
  const dataDir = await dataDirAt('inner')
  for (const mode of [0o700, 0o755, 0o700]) {
    await chmod(join(dataDir, '..'), mode)
    const embedded = await start(dataDir)
    assert.deepEqual(await paid(embedded.url, 1500), [1500])
    await embedded.stop()
  }
})

test('a deep directory with an unusual name works', async () => {
  const dataDir = await dataDirAt('سند, الدفع', 'd'.repeat(100), "it's 100% ours")
  const embedded = await start(dataDir)
  assert.deepEqual(await paid(embedded.url, 1500), [1500])
  await embedded.stop()
})

test('of eight holders that want the directory at once one gets it, and the others learn its process id', async () => {
  const dataDir = join(testFolder, 'contended')
  const holder = { role: 'serve', url: 'http://127.0.0.1:8080' }
  const holds = await Promise.all(Array.from({ length: 8 }, () => holdDataDir(dataDir, holder)))
  const held = holds.filter((hold) => hold.kind === 'held')
  assert.equal(held.length, 1)
  const busy = { kind: 'busy', pid: process.pid, ...holder }
  assert.deepEqual(
    holds.filter((hold) => hold.kind === 'busy'),
    Array(7).fill(busy),
  )
  assert.deepEqual(await dataDirHolder(dataDir), { pid: process.pid, ...holder })
  await held[0]!.release()
  assert.equal(await dataDirHolder(dataDir), undefined)
  const next = await holdDataDir(dataDir, { role: 'migrate' })
  assert.equal(next.kind, 'held')
  // A second release by the first holder must not release the lock of the next holder.
  await held[0]!.release()
  assert.deepEqual(await dataDirHolder(dataDir), { pid: process.pid, role: 'migrate' })
  if (next.kind === 'held') await next.release()
})

test('a directory that does not exist has no holder, and is not created', async () => {
  assert.equal(await dataDirHolder(join(testFolder, 'nowhere')), undefined)
  assert.ok(!existsSync(join(testFolder, 'nowhere')))
})

test('the owner is killed: PostgreSQL ends, the directory is free and the next start finds every commit', async () => {
  const dataDir = await dataDirAt()
  const holder = await otherProcess(dataDir, 'serve')
  assert.deepEqual(await dataDirHolder(dataDir), { pid: holder.child.pid, role: 'serve' })
  await query(holder.url, 'insert into paid values (1501)')
  holder.child.kill('SIGKILL')
  await once(holder.child, 'exit')
  // Only Linux signals PostgreSQL when its parent dies; on other systems the next start ends it.
  if (process.platform === 'linux') await until(() => !existsSync(join(dataDir, 'postgres', 'postmaster.pid')))

  const next = await open(dataDir, 'serve')
  assert.deepEqual(await dataDirHolder(dataDir), { pid: process.pid, role: 'serve' })
  assert.deepEqual(await paid(next.url, 1500, 1501), [1500, 1501])
  await next.stop()
  assert.equal(await dataDirHolder(dataDir), undefined)
})

test('PostgreSQL is killed: its owner is notified, and the next start recovers although an old query still runs', async () => {
  const dataDir = await dataDirAt()
  const exits: unknown[] = []
  const embedded = await start(dataDir, { onExit: (code, signal) => exits.push([code, signal]) })
  await query(embedded.url, 'insert into paid values (1502)')
  // This backend is busy and does not notice that its postmaster has ended.
  const busy = query(embedded.url, `do $$ begin loop perform 1; end loop; end $$`).catch(() => 'cut off')
  await until(
    async () => (await query(embedded.url, `select 1 from pg_stat_activity where query like 'do %'`)).length > 0,
  )
  process.kill(embedded.pid, 'SIGKILL')
  await until(() => exits.length > 0)
  assert.deepEqual(exits, [[null, 'SIGKILL']])

  const next = await start(dataDir)
  assert.equal(await busy, 'cut off')
  assert.deepEqual(await paid(next.url, 1500, 1502), [1500, 1502])
  await next.stop()
  await embedded.stop()
  assert.equal(exits.length, 1)
})

test('a PostgreSQL that was left running is stopped cleanly, and the next one starts', async () => {
  const dataDir = await dataDirAt()
  const exits: unknown[] = []
  const left = await start(dataDir, { onExit: (code) => exits.push(code) })
  await query(left.url, 'insert into paid values (1503)')
  const next = await start(dataDir)
  assert.deepEqual(exits, [0])
  assert.notEqual(next.pid, left.pid)
  await left.stop()
  assert.deepEqual(await paid(next.url, 1500, 1503), [1500, 1503])
  await next.stop()
})

test('an old postmaster.pid with the pid of another program does not prevent a start, and the program is not killed', async () => {
  const dataDir = await dataDirAt('inner')
  // PostgreSQL ignores the pid of a process that it may not signal. With this mode, PostgreSQL runs with the uid of this test,
  // even if that is root, and may signal the process.
  await chmod(join(dataDir, '..'), 0o700)
  const stranger = spawn('sleep', ['60'])
  atEnd.push(async () => stranger.kill())
  const cluster = join(dataDir, 'postgres')
  await writeFile(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n1\n5432\n/tmp\n\n0 0\nready   \n`)
  const embedded = await start(dataDir)
  assert.deepEqual(await paid(embedded.url, 1500), [1500])
  await embedded.stop()
  assert.equal(stranger.exitCode, null)
})

test('a command that starts while another one runs PostgreSQL shares it, and keeps it when the first command ends', async () => {
  const dataDir = await dataDirAt()
  const [first, second] = await Promise.all([otherProcess(dataDir, 'demo'), otherProcess(dataDir, 'migrate')])
  assert.equal(second.pid, first.pid)
  const third = await open(dataDir, 'user create')
  assert.equal(third.pid, first.pid)

  first.child.stdin!.end()
  second.child.stdin!.end()
  assert.deepEqual(await paid(third.url, 1500), [1500])
  await third.stop()
  await Promise.all([first, second].map(({ child }) => child.exitCode ?? once(child, 'exit')))
  assert.deepEqual([first.child.exitCode, second.child.exitCode], [0, 0])
  assert.equal(await dataDirHolder(dataDir), undefined)
})

test('if PostgreSQL cannot start, the error contains its output', async () => {
  const dataDir = await dataDirAt()
  await mkdir(join(dataDir, 'away'))
  await rename(join(dataDir, 'postgres', 'pg_hba.conf'), join(dataDir, 'away', 'pg_hba.conf'))
  await assert.rejects(start(dataDir), /did not start: .*could not open file .*pg_hba.conf/)
  await rename(join(dataDir, 'away', 'pg_hba.conf'), join(dataDir, 'postgres', 'pg_hba.conf'))
})

test('symbolic links that an install without scripts leaves out are created, also by two processes at once', async () => {
  const packageDir = join(testFolder, 'package')
  const lib = join(packageDir, 'native', 'lib')
  await mkdir(lib, { recursive: true })
  await writeFile(join(lib, 'libpq.so.5.18'), 'library')
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  await writeFile(join(packageDir, 'native', 'pg-symlinks.json'), JSON.stringify(links))
  await Promise.all([makeMissingLinks(packageDir), makeMissingLinks(packageDir)])
  assert.equal(await readlink(join(lib, 'libpq.so.5')), 'libpq.so.5.18')
  assert.equal(await readFile(join(lib, 'libpq.so.5'), 'utf8'), 'library')

  await rm(lib, { recursive: true })
  await assert.rejects(makeMissingLinks(packageDir), /libpq\.so\.5 is missing and cannot be created: run npm rebuild/)
})

test('a system on which the embedded PostgreSQL cannot run is named, with what to do', () => {
  assert.equal(whyNotHere('linux', '2.36'), undefined)
  assert.equal(whyNotHere('darwin', undefined), undefined)
  assert.match(
    whyNotHere('linux', undefined)!,
    /needs the C library glibc.*: set DATABASE_URL to a PostgreSQL of your own\.$/,
  )
  assert.match(whyNotHere('win32', undefined)!, /does not run on Windows: set DATABASE_URL/)
})
