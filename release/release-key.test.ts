import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newSigningKey, publicLine, secretFile } from './minisign.ts'
import { showKey, shownKeys, signatureNotes, whyNotSigned } from './release-key.ts'
import { signAgent, signingKey } from './sign-agent.ts'
import { root } from './version-places.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-release-key-'))
after(() => rmSync(folder, { recursive: true }))
const key = newSigningKey()
const publicKey = publicLine(key)

test('a release without a key is refused, unless --unsigned is said; then its notes say UNSIGNED', () => {
  assert.match(whyNotSigned(undefined, [null], false)[0]!, /no key to sign with.*--unsigned/)
  assert.deepEqual(whyNotSigned(undefined, [null], true), [])
  assert.match(signatureNotes(undefined), /UNSIGNED/)
  assert.match(whyNotSigned(publicKey, [publicKey], true)[0]!, /leave out one/)
})

test('a release is signed only with the key that both pages of its commit show', () => {
  assert.deepEqual(whyNotSigned(publicKey, [publicKey], false), [])
  for (const shown of [[null], [publicLine(newSigningKey())], [publicKey, null]])
    assert.match(whyNotSigned(publicKey, shown, false)[0]!, /does not show the public key/)
  assert.match(signatureNotes(publicKey), new RegExp(publicKey.replaceAll(/[+/]/g, '\\$&')))
})

test('the pages show the key that prepares a release, the first one and a later one; the repository holds no secret', () => {
  mkdirSync(join(folder, 'docs'))
  for (const page of ['docs/agent.md', 'docs/releases.md']) cpSync(join(root, page), join(folder, page))
  assert.equal(showKey(folder, publicKey).length, 2)
  assert.deepEqual(shownKeys(folder), [publicKey])
  assert.equal(showKey(folder, publicKey).length, 0)
  const later = publicLine(newSigningKey())
  assert.equal(showKey(folder, later).length, 2)
  assert.deepEqual(shownKeys(folder), [later])
  assert.equal(shownKeys(root).length, 1)
})

test('the key of the setting or of its file signs, and who has the public key alone can check', () => {
  const file = join(folder, 'release.key')
  writeFileSync(file, secretFile(key))
  const agent = Buffer.from('a made-up agent')
  for (const env of [{ SANAD_RELEASE_KEY: secretFile(key) }, { SANAD_RELEASE_KEY_FILE: file }]) {
    const found = signingKey(undefined, env)
    assert.ok(found !== undefined && publicLine(found) === publicKey)
    const [, signature = ''] = signAgent(found, agent, '9.9.9', new Date(0)).split('\n')
    const raw = Buffer.from(publicKey, 'base64').subarray(10)
    const spki = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })
    const digest = createHash('blake2b512').update(agent).digest()
    assert.ok(verify(null, digest, spki, Buffer.from(signature, 'base64').subarray(10)))
  }
  assert.equal(signingKey(undefined, {}), undefined)
})

test('the command itself says why it makes no release without a key', () => {
  const env = { ...process.env, SANAD_RELEASE_KEY: '', SANAD_RELEASE_KEY_FILE: '', SANAD_AGENT_SIGNING_KEY: '' }
  const { status, stderr } = spawnSync(process.execPath, ['release/release.ts', '--dry-run'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...env, SANAD_AGENT_SIGNING_KEY_FILE: '' },
  })
  assert.equal(status, 1)
  assert.match(stderr, /no key to sign with/)
})
