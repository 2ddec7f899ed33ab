/**
 * `sanad backup --to`, `--keep`, `--encrypt-to`, `--then` and `sanad backup verify` as processes: files that are named and deleted by a
 * rule, encrypted files that the program age reads too, the program for the upload, the record of each backup, and the restore as a test.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { day_ms } from '../../src/core/duration.ts'
import { encryptTo } from '../../src/postgres/backup/backup-encryption.ts'
import { backupName } from '../../src/postgres/backup/keep-rule.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { findAge } from '../support/find-age.ts'
import { queueStory } from '../support/queue-story.ts'
import { openTestService } from '../support/story.ts'
import { emptyDatabase } from '../support/test-databases.ts'
import { allRows, differences, withoutRecordOf } from './backup-story.ts'
import { writeSmallBackup } from './small-backup.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const root = mkdtempSync(join(tmpdir(), 'sanad-people-'))
chmodSync(root, 0o755)
after(() => rmSync(root, { recursive: true, force: true }))
const programs = findAge()
const keyFile = join(root, 'key.txt')
spawnSync(programs.keygen, ['-o', keyFile])
const publicKey = spawnSync(programs.keygen, ['-y', keyFile], { encoding: 'utf8' }).stdout.trim()
const otherKeyFile = join(root, 'other.txt')
spawnSync(programs.keygen, ['-o', otherKeyFile])

const service = await openTestService({ SANAD_LIMITS: 'off' })
const story = await queueStory(service)
const created = await service.create({ amount: '10.00' })
const reference = story.newReference()
await story.attach(created.body.id, reference)
await story.money('10.00', reference)

type Ended = { readonly code: number; readonly out: string; readonly err: string }
const temporary = join(root, 'temporary')
mkdirSync(temporary, { mode: 0o711 })
const environment = {
  ...bareEnvironment,
  DATABASE_URL: service.databaseUrl,
  SANAD_DATA_DIR: join(root, 'data'),
  SANAD_MASTER_KEY: Buffer.from(service.masterKey).toString('base64'),
  TMPDIR: temporary,
}
const sanadWith = (env: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> =>
  new Promise((done) => {
    execFile(process.execPath, [main, ...args], { env: { ...environment, ...env } }, (fault, out, err) =>
      done({ code: fault === null ? 0 : Number(fault.code ?? 1), out, err }),
    )
  })
const sanad = (...args: string[]): Promise<Ended> => sanadWith({}, ...args)

let folders = 0
const newFolder = (): string => {
  const folder = join(root, `backups-${++folders}`)
  mkdirSync(folder)
  return folder
}
const backupsIn = (folder: string): string[] => readdirSync(folder).sort()
const onlyFile = (folder: string): string => join(folder, backupsIn(folder)[0]!)

test('a backup is named after its time, recorded, and older ones are deleted by the rule and nothing else', async () => {
  const folder = newFolder()
  const whole = join(root, 'small')
  await writeSmallBackup(whole, [Buffer.from('1\n')])
  const today = Date.now()
  const old = Array.from({ length: 10 }, (_, n) => backupName(today - (n + 1) * day_ms, false))
  for (const name of [...old, 'my own copy.backup']) copyFileSync(whole, join(folder, name))
  const ended = await sanad('backup', '--to', folder, '--keep', '3d')
  assert.equal(ended.code, 0, ended.err)
  const left = backupsIn(folder)
  assert.deepEqual(left.slice(0, 3), ['my own copy.backup', old[1], old[0]])
  assert.match(left[3]!, /^sanad-\d{8}T\d{6}Z\.backup$/)
  assert.match(ended.out, /3 kept \(the newest of each of the last 3 days\), 8 deleted/)
  const [row] = await service.sql(
    `select file, made_by, file_bytes > 0, row_count > 0, encrypted from backups order by finished_at desc limit 1`,
  )
  assert.equal(row![0], join(folder, left[3]!))
  assert.match(row![1]!, /.@./)
  assert.deepEqual(row!.slice(2), ['t', 't', 'f'])
})

test('a backup that fails deletes nothing and records nothing', async () => {
  const folder = newFolder()
  const whole = join(root, 'small')
  const names = Array.from({ length: 5 }, (_, n) => backupName(Date.now() - (n + 1) * day_ms, false))
  for (const name of names) copyFileSync(whole, join(folder, name))
  const records = await service.sql('select count(*) from backups')
  const bare = await emptyDatabase()
  const failed = await sanadWith({ DATABASE_URL: bare.url }, 'backup', '--to', folder, '--keep', '1d')
  await bare.drop()
  assert.equal(failed.code, 1)
  assert.match(failed.err, /nothing to back up/)
  for (const [args, message] of [
    [['--to', folder, '--keep', '0d'], /It must be like 7d,4w,6m/],
    [['--keep', '1d', join(folder, 'x')], /--keep needs --to/],
    [[], /Give the file to write, or --to/],
    [['--to', folder, join(folder, 'x')], /Give the file to write, or --to/],
    [['--to', join(folder, 'none')], /is not a directory/],
    [['--to', folder, '--encrypt-to', 'age1none'], /is no public key of age/],
    [['--to', folder, '--then', join(root, 'none.sh')], /is no program that can be run/],
    [['--to', folder, '--then', 'echo hello'], /is no program that can be run/],
  ] as const) {
    const refused = await sanad('backup', ...args)
    assert.equal(refused.code, 1, refused.out)
    assert.match(refused.err, message)
  }
  assert.deepEqual(backupsIn(folder), names.sort())
  assert.deepEqual(await service.sql('select count(*) from backups'), records)
})

test('an encrypted backup is restored with its key and with no other, and the program age reads it', async () => {
  const folder = newFolder()
  const ended = await sanad('backup', '--to', folder, '--encrypt-to', publicKey)
  assert.equal(ended.code, 0, ended.err)
  const file = onlyFile(folder)
  assert.match(file, /\.backup\.age$/)
  const rows = await allRows(service.databaseUrl)
  const target = await emptyDatabase()
  const into = { DATABASE_URL: target.url }
  for (const [args, message] of [
    [[], /is encrypted: give --identity FILE/],
    [['--identity', otherKeyFile], /encrypted to another key/],
    [['--identity', join(root, 'none')], /there is no such file/],
  ] as const) {
    const refused = await sanadWith(into, 'restore', ...args, file)
    assert.equal(refused.code, 1)
    assert.match(refused.err, message)
    assert.doesNotMatch(refused.err, /^\s+at /m)
  }
  const cut = join(root, 'cut.backup.age')
  copyFileSync(file, cut)
  truncateSync(cut, readFileSync(file).length - 20)
  assert.match((await sanadWith(into, 'restore', '--identity', keyFile, cut)).err, /damaged or incomplete/)
  assert.deepEqual([...(await allRows(target.url)).keys()], [])
  const restored = await sanadWith(into, 'restore', '--identity', keyFile, file)
  assert.equal(restored.code, 0, restored.err)
  assert.deepEqual(differences(withoutRecordOf(rows, file), await allRows(target.url)), [])
  await target.drop()

  const plain = join(root, 'by-age.backup')
  assert.equal(spawnSync(programs.age, ['-d', '-i', keyFile, '-o', plain, file]).status, 0)
  assert.equal((await sanad('restore', '--check', plain)).code, 0)
  const again = join(root, 'by-age.backup.age')
  assert.equal(spawnSync(programs.age, ['-r', publicKey, '-o', again, plain]).status, 0)
  const checked = await sanad('restore', '--check', '--identity', keyFile, again)
  assert.equal(checked.code, 0, checked.err)
})

test('encryption keeps little in memory: 400 MB of rows need less than 150 MB more than none', async () => {
  const encrypt = await encryptTo([publicKey])
  const small = join(root, 'memory.backup.age')
  const piece = Buffer.alloc(4 * 1024 * 1024)
  // Rows that hardly compress: as much arrives at the encryption as is written.
  for (let place = 0; place < piece.length; place += 16)
    piece.write(`${Math.random().toString(36).slice(2, 17).padEnd(15, 'x')}\n`, place, 'latin1')
  await writeSmallBackup(small, [piece], { encrypt })
  rmSync(small)
  let most = 0
  const before = process.memoryUsage.rss()
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  // The test's own helper joins all pieces for their hash; an array of the same piece costs nothing until then.
  const { writeBackupFile } = await import('../../src/postgres/backup/write-backup-file.ts')
  async function* members() {
    for (let n = 1; n <= 100; n++) yield { name: `tables/x.${n}`, bytes: piece }
  }
  const bytes = await writeBackupFile(small, members(), { encrypt })
  clearInterval(watch)
  assert.ok(bytes > 100_000_000, String(bytes))
  assert.ok(most - before < 150_000_000, `${Math.round((most - before) / 1e6)} MB`)
})

const script = (name: string, text: string): string => {
  const path = join(root, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

test('the program for the upload gets the path as its only argument, no shell reads it, and none of our secrets', async () => {
  const folder = join(root, 'a folder $(touch injected); *')
  mkdirSync(folder)
  const seen = join(root, 'seen')
  const upload = script('upload.sh', `{ echo "$# $1"; env; } > '${seen}'`)
  const ended = await sanad('backup', '--to', folder, '--then', upload)
  assert.equal(ended.code, 0, ended.err)
  const text = readFileSync(seen, 'utf8')
  assert.equal(text.split('\n')[0], `1 ${onlyFile(folder)}`)
  assert.doesNotMatch(text, /SANAD_MASTER_KEY|DATABASE_URL/)
  assert.match(text, /^SANAD_BACKUP_FILE=/m)
  assert.ok(!existsSync('injected'))
})

test('a program for the upload that fails, or is stopped, is reported: status 1, the backup stays, nothing is deleted', async () => {
  const folder = newFolder()
  const old = backupName(Date.now() - 9 * day_ms, false)
  copyFileSync(join(root, 'small'), join(folder, old))
  const failing = await sanad(
    'backup',
    '--to',
    folder,
    '--keep',
    '1d',
    '--then',
    script('fails.sh', 'echo no room >&2; exit 3'),
  )
  assert.equal(failing.code, 1)
  assert.match(failing.err, /no room/)
  assert.match(failing.err, /The backup is whole, but .*fails\.sh ended with status 3\. No older backup was deleted\./)
  assert.equal(backupsIn(folder).length, 2)
  assert.ok(existsSync(join(folder, old)))

  // What it started ends with it.
  const pidFile = join(root, 'sleeper')
  const hanging = script('hangs.sh', `sleep 1000 & echo $! > '${pidFile}'; wait`)
  const child = spawn(process.execPath, [main, 'backup', '--to', newFolder(), '--then', hanging], {
    env: environment,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8').trim() === '') await delay(20)
  child.kill('SIGTERM')
  assert.equal((await ended)[0], 1)
  // A process that nobody waits for stays in the list after its end, as a zombie.
  const state = `/proc/${readFileSync(pidFile, 'utf8').trim()}/stat`
  const isRunning = (): boolean => {
    try {
      return !/\) Z /.test(readFileSync(state, 'utf8'))
    } catch {
      return false
    }
  }
  const deadline = AbortSignal.timeout(60_000)
  while (isRunning()) {
    deadline.throwIfAborted()
    await delay(20)
  }
})

test('verify restores into a throw-away PostgreSQL, compares, records the result, and leaves nothing', async () => {
  const folder = newFolder()
  await sanad('backup', '--to', folder, '--encrypt-to', publicKey)
  const file = onlyFile(folder)
  const rows = await allRows(service.databaseUrl)
  const ended = await sanad('backup', 'verify', '--identity', keyFile, folder)
  assert.equal(ended.code, 0, ended.err)
  assert.match(ended.out, /counts and sums are those of the backup/)
  assert.match(ended.out, /All 6 rules about money hold/)
  assert.match(ended.out, /The master key here \(SANAD_MASTER_KEY\) is the one the backup was made with/)
  assert.deepEqual(readdirSync(temporary), [])
  const [row] = await service.sql(`select verified_ok, verified_at is not null from backups where file = $1`, [file])
  assert.deepEqual(row, ['t', 't'])
  assert.deepEqual(
    differences(rows, await allRows(service.databaseUrl)).filter((line) => !/^backups: |^[-+] /.test(line)),
    [],
  )
  const json = await sanad('backup', 'verify', '--json', '--identity', keyFile, file)
  const result = JSON.parse(json.out)
  assert.deepEqual([json.code, result.ok, result.encrypted, result.master_key], [0, true, true, 'same'])
  assert.ok(result.rows > 0 && result.rules.length === 6)
})

test('verify of a damaged backup is status 1 with a sentence and is recorded; a missing key says nothing about the backup', async () => {
  const folder = newFolder()
  await sanad('backup', '--to', folder)
  const file = onlyFile(folder)
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(file, bytes)
  const damaged = await sanad('backup', 'verify', '--json', file)
  assert.equal(damaged.code, 1)
  assert.equal(JSON.parse(damaged.out).ok, false)
  assert.match(damaged.err, /damaged or incomplete/)
  assert.doesNotMatch(damaged.err, /^\s+at /m)
  const result = async () => (await service.sql('select verified_ok from backups where file = $1', [file]))[0]![0]
  assert.equal(await result(), 'f')
  const health = await sanad('health', '--json')
  assert.equal(JSON.parse(health.out).backup.ok, false)
  assert.match(health.err, /could not be restored as a test/)

  const secret = newFolder()
  await sanad('backup', '--to', secret, '--encrypt-to', publicKey)
  const unread = await sanad('backup', 'verify', onlyFile(secret))
  assert.match(unread.err, /is encrypted: give --identity FILE/)
  const [row] = await service.sql('select verified_ok from backups where file = $1', [onlyFile(secret)])
  assert.deepEqual(row, [null])
  assert.deepEqual(readdirSync(temporary), [])
})

test('rows that break a rule about money fail the verification, although the file is whole', async () => {
  await service.sql(`update alerts set amount = amount + 100 where intent_id = $1`, [created.body.id])
  const folder = newFolder()
  await sanad('backup', '--to', folder)
  const ended = await sanad('backup', 'verify', folder)
  await service.sql(`update alerts set amount = amount - 100 where intent_id = $1`, [created.body.id])
  assert.equal(ended.code, 1)
  assert.match(ended.err, /"a verified intent has the amount of its alert" is broken 1 times/)
})

test('a verification that is stopped leaves nothing; after one that was killed the next removes what it left', async () => {
  const folder = newFolder()
  await sanad('backup', '--to', folder)
  const begin = async () => {
    const child = spawn(process.execPath, [main, 'backup', 'verify', folder], { env: environment, stdio: 'ignore' })
    const ended = once(child, 'exit')
    const isRunning = (): boolean =>
      readdirSync(temporary).some((name) => existsSync(join(temporary, name, 'postgres/postmaster.pid')))
    while (!isRunning() && child.exitCode === null) await delay(20)
    return { child, ended }
  }
  const stopped = await begin()
  stopped.child.kill('SIGTERM')
  assert.equal((await stopped.ended)[0], 1)
  assert.deepEqual(readdirSync(temporary), [])

  const killed = await begin()
  killed.child.kill('SIGKILL')
  await killed.ended
  assert.equal(readdirSync(temporary).length, 1)
  assert.equal((await sanad('backup', 'verify', folder)).code, 0)
  assert.deepEqual(readdirSync(temporary), [])
})

test('sanad health tells the age of the last backup, and exits with 1 if it is too old', async () => {
  await service.sql(`delete from backups`)
  await service.sql(`update devices set last_seen_at = now()`)
  assert.match((await sanad('health')).out, /^last backup +none is recorded$/m)
  await sanad('backup', '--to', newFolder())
  const fresh = await sanad('health', '--json')
  assert.equal(fresh.code, 0, fresh.err)
  assert.ok(JSON.parse(fresh.out).backup.age_s < 600)
  // A record that a wrong clock dated into the future does not hide that backups have stopped.
  await service.sql(`update backups set made_at = now() - interval '3 days'`)
  await service.sql(
    `insert into backups (id, made_at, finished_at, made_by, file, file_bytes, row_count, encrypted)
     values (gen_random_uuid(), now() + interval '1 year', now() + interval '1 year', 'a@b', '/x', 1, 1, false)`,
  )
  const old = await sanad('health')
  assert.equal(old.code, 1)
  assert.match(old.out, /^last backup +3 days ago by /m)
  assert.match(old.err, /Somebody should look\. Hours since the last backup: 7[12]\./)
  assert.equal((await sanadWith({ SANAD_BACKUP_MAX_AGE_H: 'off' }, 'health')).code, 0)
})
