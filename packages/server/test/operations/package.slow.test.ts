/**
 * The package as an operator installs it: built, installed by npm into an empty folder, and started there on the oldest Node that
 * it allows and on this one. The README's first payment is made through it.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { buildPackage } from '../../../../release/build-package.ts'
import { newSigningKey, publicLine, secretFile } from '../../../../release/minisign.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { installTools } from '../support/programs/install-tools.ts'
import { freePort } from '../support/servers/free-port.ts'
import { askAt } from '../support/story.ts'
import { namesIn } from './sbom-names.ts'

const root = resolve(import.meta.dirname, '../../../..')
const out = mkdtempSync(join(tmpdir(), 'sanad-package-'))
after(() => rmSync(out, { recursive: true, force: true }))
const folder = join(out, 'empty')
const installed = join(folder, 'node_modules/sanad')
const releaseKey = newSigningKey()

const run = (command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`)
  return stdout
}

/** The Node of the folder's only package for this machine. */
const oldestNode = (): string => {
  const [file] = globSync('node_modules/node-*/bin/node', { cwd: installTools('node-22') })
  return join(root, 'acceptance/node-22', file!)
}

/** Programs find this Node and the installed command, and nothing of the checkout. */
const environment = (node: string): NodeJS.ProcessEnv => ({
  ...bareEnvironment,
  HOME: out,
  PATH: [dirname(node), join(folder, 'node_modules/.bin'), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
  npm_config_update_notifier: 'false',
})

test('the package holds JavaScript and data only, and installs into an empty folder with less than 300 MB', async () => {
  process.env.SANAD_AGENT_SIGNING_KEY = secretFile(releaseKey)
  const tarball = await buildPackage(out, () => {}).finally(() => delete process.env.SANAD_AGENT_SIGNING_KEY)
  run('mkdir', [folder], out)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--engine-strict=false', tarball], folder)
  const files = globSync('**/*', { cwd: installed, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
  const code = files.filter((file) => /^(packages\/(server|contract|agent)|release)\//.test(file))
  assert.deepEqual(
    code.filter((file) => !/\.(m?js|css)$/.test(file) && !file.endsWith('/package.json')),
    ['packages/agent/sanad-agent.mjs.minisig'],
  )
  assert.deepEqual(
    files.filter((file) => /\.test\.|\btest\//.test(file)),
    [],
  )
  const migrations = globSync('migrations/*.sql', { cwd: root })
  assert.deepEqual(files.filter((file) => /^migrations\/\d+_/.test(file)).sort(), migrations.sort())
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.deepEqual([manifest.devDependencies, manifest.scripts], [undefined, undefined])
  const size = globSync('node_modules/**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  assert.ok(size < 300e6, `${size} bytes`)
})

test('unpacked and installed by npm ci, every package has the version that the tests of the repository ran with', () => {
  const unpacked = join(out, 'unpacked')
  run('mkdir', [unpacked], out)
  const [tarball] = globSync('*.tgz', { cwd: out })
  run('tar', ['xzf', join(out, tarball!), '--strip-components=1', '-C', unpacked], out)
  run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--engine-strict=false'], unpacked)
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const places = globSync('node_modules/**/package.json', { cwd: unpacked })
    .map((path) => dirname(path))
    .filter((place) => place in lock)
  assert.ok(places.length > 100, `${places.length} packages`)
  for (const place of places) {
    const { version } = JSON.parse(readFileSync(join(unpacked, place, 'package.json'), 'utf8'))
    assert.equal(version, lock[place].version, place)
  }
  const { packages } = JSON.parse(readFileSync(join(unpacked, 'npm-shrinkwrap.json'), 'utf8'))
  const [sbom] = globSync('sanad-[0-9]*.cdx.json', { cwd: out })
  assert.equal(sbom, tarball!.replace(/\.tgz$/, '.cdx.json'))
  assert.deepEqual(namesIn(JSON.parse(readFileSync(join(out, sbom!), 'utf8'))), namesIn({ packages }))
  for (const name of ['rolldown', 'vite', 'typescript', 'react', '@biomejs/biome'])
    assert.ok(!places.includes(`node_modules/${name}`), name)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(run(process.execPath, ['bin/sanad.js', '--version'], unpacked).trim(), version)
})

for (const [title, node] of [
  ['the oldest Node that it allows', oldestNode],
  ['this Node', () => process.execPath],
] as const)
  test(`the package starts on ${title}, serves its pages, and verifies the README’s first payment`, async () => {
    const env = environment(node())
    const data = mkdtempSync(join(out, 'data-'))
    // The commands find a service that was told its port.
    const settings = { ...env, PORT: String(await freePort()), SANAD_DATA_DIR: data }
    const child = spawn(join(folder, 'node_modules/.bin/sanad'), ['start'], { cwd: folder, env: settings })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const ended = new Promise<number | null>((done) => child.on('close', done))
    const origin = await new Promise<string>((done, fail) => {
      child.stdout.on('data', () => {
        const found = /Sanad is ready at (\S+)[\s\S]*Stop it with Ctrl-C/.exec(output)?.[1]
        if (found !== undefined) done(found)
      })
      void ended.then((code) => fail(new Error(`it ended with ${code}: ${output}`)))
    })
    try {
      const page = await askAt(`${origin}/`, 'GET', { headers: { accept: 'text/html' } })
      const [script] = /\/assets\/[\w.-]+\.js/.exec(page.text)!
      const paths = [
        script,
        '/pair',
        '/docs',
        '/docs/guide/ar/',
        '/docs/guide/sanad-sdk.tgz',
        '/docs/guide/sanad-php.zip',
        '/docs/guide/sanad-laravel.zip',
        '/docs/guide/sanad-vendure.tgz',
        '/docs/guide/sanad-medusa.tgz',
        '/docs/guide/sanad-for-woocommerce.zip',
        '/docs/guide/sanad-python.whl',
        '/agent/sanad-agent.mjs',
      ]
      for (const path of paths) assert.equal((await askAt(`${origin}${path}`, 'GET', {})).status, 200, path)
      // The agent was signed when the package was built, and the install script checks it.
      const home = mkdtempSync(join(out, 'phone-'))
      const phone = { ...env, HOME: home, SANAD_AGENT_KEY: publicLine(releaseKey) }
      const checked = run('sh', ['-c', `curl -fsS '${origin}/agent/install' | sh`], home, phone)
      assert.match(checked, /^The signature of the agent \S+ is right\.\nThe Sanad agent is installed\./)
      const readme = readFileSync(join(root, 'README.md'), 'utf8')
      const commands = /## Five minutes with curl[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)![1]!
      const shown = run('bash', ['-euo', 'pipefail', '-c', commands], folder, settings)
      assert.match(shown, /"status":"VERIFIED"/)
    } finally {
      child.kill('SIGTERM')
      assert.equal(await ended, 0, output)
    }
  })

test('an older Node gets a sentence, and no stack', () => {
  const bin = readFileSync(join(installed, 'bin/sanad.js'), 'utf8')
  const old = bin.replaceAll('process.versions.node', `'20.19.0'`)
  assert.notEqual(old, bin)
  const file = join(installed, 'bin/old.js')
  writeFileSync(file, old)
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, 'start'], { encoding: 'utf8' })
  assert.deepEqual([status, stdout, stderr], [1, '', 'Sanad needs Node 22.19 or later; this is 20.19.0.\n'])
})
