/** Which agents a phone accepts: the signature, the key, the name and the version. */
import assert from 'node:assert/strict'
import * as crypto from 'node:crypto'
import { test } from 'node:test'
import { checkRelease, type Release } from '@sanad/agent/termux/release/check-release'
import { wordsIn } from '@sanad/agent/termux/words'
import Fastify from 'fastify'
import {
  newSigningKey,
  publicFile,
  publicLine,
  readSecret,
  secretFile,
  signFile,
} from '../../../../release/minisign.ts'
import { signAgent, signingKey } from '../../../../release/sign-agent.ts'
import { agentFiles } from '../../src/http/agent-files.ts'

const key = newSigningKey()
const file = Buffer.from('the agent')
const comment = 'file:sanad-agent.mjs\tversion:1.2.3'
const signature = signFile(key, file, comment)
const check = (changes: Partial<Release> = {}) =>
  checkRelease(crypto, {
    file,
    signature,
    givenKey: publicLine(key),
    rememberedKey: undefined,
    installedSignature: undefined,
    installedVersion: undefined,
    ...changes,
  })
const refusal = (changes: Partial<Release>) => check(changes).refused

test('a signature that the program minisign made is accepted', () => {
  // Made by minisign 0.11 on Debian: minisign -S -W -m FILE -t COMMENT
  const made = {
    file: Buffer.from('The Sanad agent.\n'),
    givenKey: 'RWRPH6eEfhAKkEjSEG0HMjbtng2aDBdpGkKykrqQTqVHbiKxY1aGwP8F',
    signature: `untrusted comment: signature from minisign secret key
RURPH6eEfhAKkKEPWxgwk4VpTdWxXHZUFlujNO+7xKiOxo3JjZUl4597eb5ECA4ja0ObKSz3Xsa6+9obFxLzsXRdqv35LbvjswY=
trusted comment: timestamp:1760000000\tfile:sanad-agent.mjs\tversion:1.2.3\thashed
SwmGNruC6uPuL1e/8JxofsSldT++M6nUcs8XB05+HgU9uJXDDS6CJZo/M2I/J3O1H3Q0YyYfHN4CTfsWngi5Dg==
`,
  }
  assert.deepEqual(check(made), { key: made.givenKey, version: '1.2.3' })
  assert.equal(refusal({ ...made, file: Buffer.from('The Sanad agent.') }), 'forged')
})

test('a right signature is accepted, with the key as a line or as a file, and with the line ends of Windows', () => {
  assert.deepEqual(check(), { key: publicLine(key), version: '1.2.3' })
  assert.deepEqual(check({ givenKey: publicFile(key).replaceAll('\n', '\r\n') }), check())
  assert.deepEqual(check({ givenKey: '', rememberedKey: `${publicLine(key)}\n` }), check())
  assert.deepEqual(check({ signature: signature.replaceAll('\n', '\r\n') }), check())
  const own = signAgent(key, file, '1.2.3', new Date(0))
  assert.match(own, /^trusted comment: timestamp:0\tfile:sanad-agent\.mjs\tversion:1\.2\.3\thashed$/m)
  assert.deepEqual(check({ signature: own }), check())
})

test('one changed bit anywhere in the file, in either signature or in the comment is refused', () => {
  for (let at = 0; at < file.length; at++) {
    const changed = Buffer.from(file)
    changed[at]! ^= 1
    assert.equal(refusal({ file: changed }), 'forged')
  }
  assert.equal(refusal({ file: Buffer.concat([file, Buffer.alloc(1)]) }), 'forged')
  const lines = signature.split('\n')
  for (const [line, first] of [
    [1, 10],
    [3, 0],
  ] as const) {
    const bytes = Buffer.from(lines[line]!, 'base64')
    for (let at = first; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      assert.equal(refusal({ signature: lines.with(line, changed.toString('base64')).join('\n') }), 'forged')
    }
  }
  assert.equal(refusal({ signature: signature.replace('version:1.2.3', 'version:9.2.3') }), 'forged')
  // The parts of two right signatures do not make a third.
  const other = signFile(key, Buffer.from('another'), 'file:sanad-agent.mjs version:9.0.0').split('\n')
  assert.equal(refusal({ signature: [lines[0], lines[1], other[2], other[3], ''].join('\n') }), 'forged')
})

test('a signature by another key is refused, also one that has the name of the right key', () => {
  const stranger = newSigningKey()
  assert.equal(refusal({ signature: signFile(stranger, file, comment) }), 'other_key')
  assert.equal(refusal({ signature: signFile({ ...stranger, id: key.id }, file, comment) }), 'forged')
})

test('a text that is no signature is refused; so is the older kind, which does not hash the file', () => {
  assert.equal(refusal({ signature: undefined }), 'no_signature')
  const lines = signature.split('\n')
  const olderKind = Buffer.from(lines[1]!, 'base64')
  olderKind.write('Ed', 'latin1')
  for (const text of [
    '',
    '<!doctype html>',
    lines.slice(0, 2).join('\n'),
    `${signature}more`,
    signature.replace('trusted comment: f', 'comment: f'),
    lines.with(1, `${lines[1]}=`).join('\n'),
    lines.with(3, '').join('\n'),
    lines.with(1, olderKind.toString('base64')).join('\n'),
    'x'.repeat(5_000),
  ])
    assert.equal(refusal({ signature: text }), 'unreadable', text)
})

test('a key that is none is refused, also one that the phone remembers: it never means that no key is needed', () => {
  for (const text of ['x', `${publicLine(key)}A`, publicLine(key).slice(1), 'RUQ'.padEnd(56, 'A')])
    assert.deepEqual(check({ givenKey: text }), { refused: 'wrong_key' }, text)
  for (const text of ['', '\n', 'x'])
    assert.deepEqual(check({ givenKey: '', rememberedKey: text }), { refused: 'wrong_key' })
})

test('a remembered key can be replaced until it has accepted an agent, and not afterwards', () => {
  const other = publicLine(newSigningKey())
  assert.deepEqual(check({ rememberedKey: other }), { key: publicLine(key), version: '1.2.3' })
  assert.deepEqual(check({ rememberedKey: other, installedSignature: signature }), { refused: 'changed_key' })
  // It is remembered also after a refusal.
  assert.deepEqual(check({ signature: undefined }), { key: publicLine(key), refused: 'no_signature' })
})

test('a signed file with another name, without a version or with one that cannot be compared is refused', () => {
  for (const text of [
    'file:other.mjs version:1.2.3',
    'version:1.2.3',
    'file:sanad-agent.mjs',
    'file:sanad-agent.mjs version:1.2',
    'file:sanad-agent.mjs version:1.2.3-rc.1',
    'file:sanad-agent.mjs version:1234567890.0.0',
  ])
    assert.equal(refusal({ signature: signFile(key, file, text) }), 'other_file', text)
})

test('an older version is refused by its numbers; the same version and a newer one are accepted', () => {
  for (const [version, isOlder] of [
    ['1.2.3', false],
    ['1.2.2', false],
    ['1.1.99', false],
    ['0.99.99', false],
    ['1.2.4', true],
    ['1.2.10', true],
    ['1.10.0', true],
    ['2.0.0', true],
    // What the installed agent prints cannot be read.
    ['', false],
  ] as const) {
    const expected = isOlder ? 'older' : undefined
    assert.equal(refusal({ installedVersion: version }), expected, version)
    // An installed agent that does not run any more: its signature says what it was.
    const installedSignature = signFile(key, file, `file:sanad-agent.mjs version:${version}`)
    assert.equal(refusal({ installedSignature }), expected, version)
  }
})

test('a secret key is read from its file, its line or the environment; what is no key, or has a password, is not', () => {
  assert.deepEqual(readSecret(secretFile(key)), key)
  const line = secretFile(key).split('\n')[1]!
  assert.deepEqual(signingKey(undefined, { SANAD_AGENT_SIGNING_KEY: line }), key)
  assert.equal(signingKey(undefined, { SANAD_AGENT_SIGNING_KEY: '', SANAD_AGENT_SIGNING_KEY_FILE: '' }), undefined)
  assert.throws(() => readSecret(publicFile(key)), /not a secret key of minisign/)
  const change = (at: number, text: string) => {
    const bytes = Buffer.from(line, 'base64')
    bytes.write(text, at, 'latin1')
    return bytes.toString('base64')
  }
  assert.throws(() => readSecret(change(2, 'Sc')), /has a password/)
  assert.throws(() => readSecret(change(100, 'damaged')), /damaged|[Ii]nvalid/)
})

test('the service hands out the signature of a signed agent, and 404 for an unsigned one', async () => {
  const ask = async (text: string | undefined) => {
    const app = Fastify()
    await app.register(agentFiles(undefined, { bundle: async () => file, signature: async () => text }))
    const answer = await app.inject({ url: '/agent/sanad-agent.mjs.minisig' })
    await app.close()
    return answer
  }
  const signed = await ask(signature)
  assert.deepEqual([signed.statusCode, signed.body], [200, signature])
  assert.match(String(signed.headers['content-type']), /^text\/plain/)
  assert.equal((await ask(undefined)).statusCode, 404)
})

test('every refusal has a sentence in both languages', () => {
  const [english, arabic] = [wordsIn('en').release('/x'), wordsIn('ar').release('/x')]
  assert.deepEqual(Object.keys(english), Object.keys(arabic))
  for (const text of [...Object.values(english), ...Object.values(arabic)]) assert.match(text, /\.$/)
})
