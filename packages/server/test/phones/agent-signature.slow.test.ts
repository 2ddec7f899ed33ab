/** The install script and `sanad-agent update` on a phone, over HTTP, with a key that signs the agent and with others. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { bundleAgent } from '@sanad/agent/bundle'
import { version } from '@sanad/agent/termux/version'
import Fastify from 'fastify'
import { newSigningKey, publicLine, type SigningKey } from '../../../../release/minisign.ts'
import { signAgent } from '../../../../release/sign-agent.ts'
import { agentFiles } from '../../src/http/agent-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-signed-'))
const bundle = (await bundleAgent()).toString('utf8')
assert.equal(bundle.split(version).length, 2, 'the bundle contains its version once')

const [key, stranger] = [newSigningKey(), newSigningKey()]
const agentOf = (ofVersion: string) => Buffer.from(bundle.replace(version, ofVersion))
const signedBy = (by: SigningKey, file: Buffer, ofVersion: string) => signAgent(by, file, ofVersion, new Date())

type Served = { readonly file: Buffer; readonly signature: string | undefined }
const signed = (ofVersion: string, by = key): Served => {
  const file = agentOf(ofVersion)
  return { file, signature: signedBy(by, file, ofVersion) }
}

const servers: { close(): Promise<unknown> }[] = []
after(async () => {
  for (const server of servers) await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A service that hands out this agent. */
const serve = async ({ file, signature }: Served): Promise<string> => {
  const app = Fastify()
  await app.register(agentFiles(undefined, { bundle: async () => file, signature: async () => signature }))
  servers.push(app)
  return app.listen({ host: '127.0.0.1', port: 0 })
}

type Ended = { readonly code: number | null; readonly output: string }
let phones = 0

/** A phone with Node, curl and the shell of Termux. */
const newPhone = () => {
  const home = join(folder, String(++phones))
  mkdirSync(join(home, 'usr/bin'), { recursive: true })
  symlinkSync('/bin/sh', join(home, 'usr/bin/sh'))
  const files = join(home, '.sanad-agent')
  const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`
  const env = { PATH: path, HOME: home, PREFIX: join(home, 'usr'), LANG: 'en_US.UTF-8' }
  const run = (command: string, args: readonly string[], more: NodeJS.ProcessEnv, input = ''): Promise<Ended> =>
    new Promise((done, fail) => {
      const child = spawn(command, args, { env: { ...env, ...more } })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk
        })
      child.on('error', fail)
      child.on('close', (code) => done({ code, output }))
      child.stdin.on('error', () => {})
      child.stdin.end(input)
    })
  const keyIn = (given: string | undefined) => (given === undefined ? {} : { SANAD_AGENT_KEY: given })
  const command = join(home, 'usr/bin/sanad-agent')
  return {
    files,
    command,
    /** `curl -fsS ORIGIN/agent/install | SANAD_AGENT_KEY=… sh` */
    install: async (origin: string, given?: string): Promise<Ended> =>
      run('sh', ['-s', '--'], keyIn(given), await (await fetch(`${origin}/agent/install`)).text()),
    update: (...args: string[]): Promise<Ended> => run(command, ['update', ...args], {}),
    runFile: (file: string, ...args: string[]): Promise<Ended> => run(process.execPath, [file, ...args], {}),
    /** The version of the installed agent; undefined: none is installed. */
    version: async (): Promise<string | undefined> =>
      existsSync(command) ? (await run(command, ['--version'], {})).output.trim() : undefined,
    remembered: () =>
      existsSync(join(files, 'release-key')) ? readFileSync(join(files, 'release-key'), 'utf8').trim() : '',
  }
}

const changed = ({ file, signature }: Served): Served => {
  const bytes = Buffer.from(file)
  bytes[bytes.length >> 1]! ^= 1
  return { file: bytes, signature }
}
const unsigned = ({ file }: Served): Served => ({ file, signature: undefined })

/** What a service may hand out instead of the agent that the key has signed, and what the phone says. */
const wrong = (ofVersion: string): readonly (readonly [string, Served, RegExp])[] => [
  ['a changed byte', changed(signed(ofVersion)), /The signature is wrong: the agent was changed/],
  ['no signature', unsigned(signed(ofVersion)), /has no signature of the agent/],
  ['another key', signed(ofVersion, stranger), /signed with another key than yours/],
  ['the name of the key', signed(ofVersion, { ...stranger, id: key.id }), /The signature is wrong/],
  ['a text that is no signature', { ...signed(ofVersion), signature: 'no\n' }, /not in the format of minisign/],
  ['another file', { ...signed(ofVersion), signature: signed('0.3.0').signature }, /The signature is wrong/],
]

test('the first install with a key: only the agent that the key has signed is installed', async () => {
  for (const [title, served, sentence] of wrong('0.2.0')) {
    const phone = newPhone()
    const origin = await serve(served)
    const { code, output } = await phone.install(origin, publicLine(key))
    assert.equal(code, 1, `${title}: ${output}`)
    assert.match(output, sentence, title)
    assert.match(output, /Nothing was installed\.\n$/, title)
    assert.deepEqual([await phone.version(), existsSync(join(phone.files, 'sanad-agent.mjs.new'))], [undefined, false])
    // The key is remembered: the same line without it does not install it either.
    assert.equal(phone.remembered(), publicLine(key), title)
    assert.equal((await phone.install(origin)).code, 1, title)
    assert.equal(await phone.version(), undefined, title)
  }
  const phone = newPhone()
  const origin = await serve(signed('0.2.0'))
  const mistyped = await phone.install(origin, 'RWabc')
  assert.match(mistyped.output, /is no public key of minisign/)
  assert.deepEqual([mistyped.code, phone.remembered()], [1, ''])
  assert.match((await phone.install(origin, publicLine(stranger))).output, /signed with another key than yours/)
  const { code, output } = await phone.install(origin, publicLine(key))
  assert.equal(code, 0, output)
  assert.match(output, /^The signature of the agent 0\.2\.0 is right\.\nThe Sanad agent is installed\.\n/)
  assert.equal(await phone.version(), '0.2.0')
})

test('after an install with a key, neither the install script nor update installs what the key has not signed', async () => {
  const phone = newPhone()
  assert.equal((await phone.install(await serve(signed('0.2.0')), publicLine(key))).code, 0)
  const before = readFileSync(join(phone.files, 'sanad-agent.mjs'))
  const older = ['an older version', signed('0.1.9'), /older than the installed one/] as const
  for (const [title, served, sentence] of [...wrong('0.4.0'), older]) {
    const origin = await serve(served)
    for (const ended of [await phone.install(origin), await phone.update('--from', origin)]) {
      assert.equal(ended.code, 1, `${title}: ${ended.output}`)
      assert.match(ended.output, sentence, title)
    }
    assert.ok(readFileSync(join(phone.files, 'sanad-agent.mjs')).equals(before), title)
  }
  // Another key is refused even if it has signed what is there.
  const others = await serve(signed('0.4.0', stranger))
  for (const ended of [
    await phone.install(others, publicLine(stranger)),
    await phone.update('--from', others, '--key', publicLine(stranger)),
  ]) {
    assert.equal(ended.code, 1)
    assert.match(ended.output, /another key than the one that signed the installed agent/)
  }
  // A remembered key that was emptied does not mean that none is needed.
  writeFileSync(join(phone.files, 'release-key'), '')
  const origin = await serve(unsigned(signed('0.4.0')))
  for (const ended of [await phone.install(origin), await phone.update('--from', origin)])
    assert.match(ended.output, /is no public key of minisign/)
  writeFileSync(join(phone.files, 'release-key'), publicLine(key))

  assert.equal((await phone.install(await serve(signed('0.2.0')))).code, 0, 'the same version')
  const newer = await phone.update('--from', await serve(signed('0.10.0')))
  assert.match(newer.output, /^The agent 0\.10\.0 is installed\. Its signature is right\./)
  assert.deepEqual([newer.code, await phone.version()], [0, '0.10.0'])
  // An installed file that does not run any more: its signature still tells its version.
  writeFileSync(join(phone.files, 'sanad-agent.mjs'), 'not a program')
  assert.match((await phone.install(await serve(signed('0.9.0')))).output, /older than the installed one/)
})

test('update without an address uses that of the install; without a key it checks the checksum and says so', async () => {
  const phone = newPhone()
  const origin = await serve(unsigned(signed('0.2.0')))
  const installed = await phone.install(origin)
  assert.equal(installed.code, 0, installed.output)
  const { code, output } = await phone.update()
  assert.equal(code, 0, output)
  assert.match(output, /No signature was checked: no key was given/)
  assert.equal(phone.remembered(), '')
  for (const from of ['nowhere', 'ftp://127.0.0.1', 'http://sanad.example'])
    assert.equal((await phone.update('--from', from)).code, 1, from)
  const gone = await phone.update('--from', `${origin}/elsewhere`)
  assert.match(gone.output, /There is no agent at .*\/elsewhere\. Nothing was installed\./)
  // A key that is given later holds from then on.
  assert.match((await phone.update('--key', publicLine(key))).output, /has no signature of the agent/)
  assert.equal((await phone.update()).code, 1)
  assert.equal((await phone.install(origin)).code, 1)
})

test('a downloaded agent that was checked by hand installs itself, without a script of the service', async () => {
  const phone = newPhone()
  const origin = await serve(signed('0.2.0'))
  const file = join(folder, 'downloaded.mjs')
  writeFileSync(file, agentOf('0.2.0'))
  const { code, output } = await phone.runFile(file, 'update', '--from', origin, '--key', publicLine(key))
  assert.equal(code, 0, output)
  assert.deepEqual([await phone.version(), phone.remembered()], ['0.2.0', publicLine(key)])
  assert.equal(readFileSync(join(phone.files, 'origin'), 'utf8'), `${origin}\n`)
  assert.equal((await phone.update()).code, 0)
})
