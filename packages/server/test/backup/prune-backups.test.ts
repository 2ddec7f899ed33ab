/** In a folder of backups only whole backups that are named after their time are counted and deleted. */
import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { day_ms } from '../../src/core/duration.ts'
import { encryptTo } from '../../src/postgres/backup/backup-encryption.ts'
import { backupName, readKeepRule } from '../../src/postgres/backup/keep-rule.ts'
import { newestBackup, pruneBackups, removeOldParts } from '../../src/postgres/backup/prune-backups.ts'
import { writeSmallBackup } from './small-backup.ts'

const root = mkdtempSync(join(tmpdir(), 'sanad-prune-'))
after(() => rmSync(root, { recursive: true, force: true }))
const now = Date.parse('2026-11-18T02:30:00Z')
const keep = readKeepRule('2d')!

await writeSmallBackup(join(root, 'plain'), [Buffer.from('1\n')])
const encrypt = await encryptTo([await identityToRecipient(await generateX25519Identity())])
await writeSmallBackup(join(root, 'encrypted'), [Buffer.from('1\n')], { encrypt })
const plain = readFileSync(join(root, 'plain'))
const encrypted = readFileSync(join(root, 'encrypted'))

/** A folder with these files. */
const folderOf = (files: Readonly<Record<string, Buffer | string>>): string => {
  const folder = mkdtempSync(join(root, 'folder-'))
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  return folder
}
const day = (days: number, isEncrypted = false): string => backupName(now - days * day_ms, isEncrypted)
const prune = (folder: string, sizes: ReadonlyMap<string, number> = new Map()) =>
  pruneBackups({ folder, rule: keep, now, written: day(0), sizes })

test('whole backups that the rule does not keep are deleted, encrypted ones too', async () => {
  const folder = folderOf({ [day(0)]: plain, [day(1, true)]: encrypted, [day(2)]: plain, [day(3, true)]: encrypted })
  const { deleted, kept } = await prune(folder)
  assert.deepEqual([deleted, kept], [[day(3, true), day(2)], 2])
  assert.deepEqual(readdirSync(folder).sort(), [day(1, true), day(0)].sort())
})

test('files that are not ours stay: other names, folders, links, and files of our name with another content', async () => {
  const folder = folderOf({
    [day(0)]: plain,
    [day(1)]: plain,
    [day(4)]: 'somebody wrote this',
    [day(5)]: '',
    [day(6, true)]: plain,
    'sanad-2020-01-02.backup': plain,
    'move.backup': plain,
    [`${day(9)}.12.part`]: plain,
  })
  mkdirSync(join(folder, day(7)))
  symlinkSync(join(root, 'plain'), join(folder, day(8)))
  const before = readdirSync(folder).sort()
  const { deleted, damaged } = await prune(folder)
  assert.deepEqual(deleted, [])
  assert.deepEqual(readdirSync(folder).sort(), before)
  assert.deepEqual([...damaged].sort(), [day(4), day(5), day(6, true), day(7), day(8)].sort())
})

test('a cut backup does not take the place of a whole one', async () => {
  const folder = folderOf({
    [day(0)]: plain,
    [day(1)]: plain.subarray(0, plain.length - 3),
    [day(2, true)]: encrypted.subarray(0, 60),
    [day(3)]: plain,
    [day(4)]: plain,
  })
  const { deleted } = await prune(folder)
  assert.deepEqual(deleted, [day(4)])
})

test('a backup that has another size than was recorded is not counted', async () => {
  const folder = folderOf({ [day(0)]: plain, [day(1, true)]: encrypted, [day(2, true)]: encrypted })
  const sizes = new Map([[join(folder, day(1, true)), encrypted.length + 65_552]])
  assert.deepEqual((await prune(folder, sizes)).deleted, [])
  sizes.set(join(folder, day(1, true)), encrypted.length)
  assert.deepEqual((await prune(folder, sizes)).deleted, [day(2, true)])
})

test('backups that are dated after now stay, do not count, and are named', async () => {
  const folder = folderOf({ [day(0)]: plain, [day(-400)]: plain, [day(-1)]: plain, [day(1)]: plain })
  const { deleted, future } = await prune(folder)
  assert.deepEqual([deleted, future], [[], [day(-1), day(-400)]])
})

test('the newest whole backup that is not dated after now is found', async () => {
  const folder = folderOf({ [day(-3)]: plain, [day(0)]: 'cut', [day(1, true)]: encrypted, [day(2)]: plain })
  assert.equal(await newestBackup(folder, now), join(folder, day(1, true)))
  assert.equal(await newestBackup(folderOf({ 'other.backup': plain }), now), undefined)
})

test('the parts of killed backups are removed after a day, and other parts stay', async () => {
  const folder = folderOf({ [`${day(3)}.1.part`]: '', [`${day(0)}.2.part`]: '', 'other.3.part': '' })
  for (const name of [`${day(3)}.1.part`, 'other.3.part']) utimesSync(join(folder, name), 1, (now - 2 * day_ms) / 1000)
  utimesSync(join(folder, `${day(0)}.2.part`), 1, (now - 60_000) / 1000)
  await removeOldParts(folder, now)
  assert.deepEqual(readdirSync(folder).sort(), ['other.3.part', `${day(0)}.2.part`].sort())
})
