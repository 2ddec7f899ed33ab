/** A backup that is encrypted to a public key is read with its private key, whole, or not at all. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { encryptTo, looksWholeEncrypted, readIdentities } from '../../src/postgres/backup/backup-encryption.ts'
import { BackupNotRead, BackupRefused } from '../../src/postgres/backup/backup-format.ts'
import { checkBackup } from '../../src/postgres/backup/read-backup-file.ts'
import { writeSmallBackup } from './small-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-encrypted-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const newFile = (): string => join(folder, `${++files}.backup.age`)

const [ours, second, stranger] = [
  await generateX25519Identity(),
  await generateX25519Identity(),
  await generateX25519Identity(),
]
const keys = [await identityToRecipient(ours), await identityToRecipient(second)]
/** Rows that do not compress, so that the file has several encrypted pieces. */
const rows = Buffer.from(
  `${randomBytes(150_000)
    .toString('base64')
    .replaceAll(/(.{100})/g, '$1\n')}\n`,
)
const file = newFile()
await writeSmallBackup(file, [rows.subarray(0, 50_000), rows.subarray(50_000)], { encrypt: await encryptTo(keys) })

const refusedFor = (
  path: string,
  identities: readonly string[],
  message: RegExp,
  kind: typeof BackupRefused = BackupRefused,
) =>
  assert.rejects(checkBackup(path, undefined, identities), (fault: Error) => {
    assert.ok(fault instanceof kind, fault.stack)
    assert.match(fault.message, message)
    return true
  })

test('each private key of the two reads the backup, also beside a key that does not', async () => {
  for (const identities of [[ours], [second], [stranger, second]])
    assert.equal((await checkBackup(file, undefined, identities)).manifest.tables[0]!.bytes, rows.length)
})

test('without a key, and with another key, nothing is read, and that says nothing about the backup', async () => {
  await refusedFor(file, [], /is encrypted: give --identity FILE/, BackupNotRead)
  await refusedFor(file, [stranger], /encrypted to another key/, BackupNotRead)
  assert.ok(!readFileSync(file).includes('accounts'))
})

test('a file that is cut at any of many places is refused', async () => {
  const whole = readFileSync(file)
  const cut = newFile()
  const pieces = [0, 1, 10, 21, 22, 100, 300, 400, 65_000, 66_000, 131_500]
  const places = [...pieces, ...Array.from({ length: 30 }, (_, n) => whole.length - 1 - n * n * 7)]
  for (const length of places.filter((place) => place >= 0 && place < whole.length)) {
    copyFileSync(file, cut)
    truncateSync(cut, length)
    await refusedFor(cut, [ours], /damaged or incomplete/)
  }
})

test('a file with one changed bit is refused', async () => {
  const whole = readFileSync(file)
  const changed = newFile()
  for (let place = 0; place < whole.length; place += 4_999) {
    const copy = Buffer.from(whole)
    copy[place]! ^= 1
    writeFileSync(changed, copy)
    // A changed header may be one that no key of ours fits.
    await refusedFor(changed, [ours], /damaged or incomplete|encrypted to another key/)
  }
})

test('bytes after the end are refused', async () => {
  const longer = newFile()
  writeFileSync(longer, Buffer.concat([readFileSync(file), Buffer.from('more')]))
  await refusedFor(longer, [ours], /damaged or incomplete/)
})

test('without a key a file is known to be cut if its header or its size is impossible', async () => {
  assert.equal(await looksWholeEncrypted(file), true)
  const whole = readFileSync(file)
  const cut = newFile()
  // Behind the header come pieces of 64 kB and 16 bytes: one that has only these 16 bytes does not exist.
  const payload = whole.indexOf('\n', whole.indexOf('\n---') + 1) + 1 + 16
  for (const [length, looksWhole] of [
    [50, false],
    [payload, false],
    [payload + 65_552 + 16, false],
    [payload + 65_552, true],
  ] as const) {
    writeFileSync(cut, whole.subarray(0, length))
    assert.equal(await looksWholeEncrypted(cut), looksWhole, String(length))
  }
})

test('a key of the hybrid kind works too', async () => {
  const identity = await generateHybridIdentity()
  const other = newFile()
  await writeSmallBackup(other, [rows], { encrypt: await encryptTo([await identityToRecipient(identity)]) })
  await checkBackup(other, undefined, [identity])
})

test('a text that is no public key is refused, and a secret key is not repeated', async () => {
  for (const key of ['', 'age1', 'age1xyz', `${keys[0]}x`, 'ssh-ed25519 AAAA'])
    await assert.rejects(encryptTo([key]), /is no public key of age/)
  await assert.rejects(encryptTo([ours]), (fault: Error) => {
    assert.match(fault.message, /This is a secret key/)
    assert.ok(!fault.message.includes(ours))
    return true
  })
  await assert.rejects(encryptTo(Array(21).fill(keys[0])), /at most 20/)
})

test('a file of keys is read as age-keygen writes it, and each wrong one gets a sentence', async () => {
  const path = join(folder, 'keys.txt')
  const read = (text: string) => {
    writeFileSync(path, text)
    return readIdentities(path)
  }
  assert.deepEqual(await read(`# created: today\n# public key: ${keys[0]}\n${ours}\r\n\n${second}\n`), [ours, second])
  await assert.rejects(read(''), /has no private key/)
  await assert.rejects(read(`${keys[0]}\n`), /no private key of age \(key 1\)/)
  await assert.rejects(read(`${ours}\nrubbish\n`), /key 2/)
  await assert.rejects(read('age-encryption.org/v1\n-> scrypt x\n'), /is itself encrypted/)
  await assert.rejects(readIdentities(join(folder, 'none')), /there is no such file/)
  await assert.rejects(readIdentities(folder), /is no file with private keys/)
})

test('a backup that is not encrypted is read with or without a key', async () => {
  const plain = join(folder, 'plain.backup')
  await writeSmallBackup(plain, [rows])
  await checkBackup(plain)
  await checkBackup(plain, undefined, [ours])
})

test('a file in the text form of age gets a sentence', async () => {
  const armored = newFile()
  writeFileSync(armored, '-----BEGIN AGE ENCRYPTED FILE-----\nAAAA\n')
  await refusedFor(armored, [ours], /encrypted as text \(armor\)/)
})
