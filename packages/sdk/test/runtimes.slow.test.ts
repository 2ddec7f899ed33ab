/**
 * The package as it is published, on five runtimes: packed and installed into an empty project, which then runs the
 * webhooks, a payment and a checkout. Node 20, Deno, Bun and workerd come from acceptance/runtimes; none is skipped.
 */
import '../../server/test/runner/own-process.ts'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { installTools } from '../../server/test/support/programs/install-tools.ts'

const root = resolve(import.meta.dirname, '../../..')
const project = mkdtempSync(join(tmpdir(), 'sanad-runtimes-'))
after(() => rmSync(project, { recursive: true, force: true }))

const run = (command: string, args: readonly string[], cwd = project) => {
  // Without this machine's settings: Deno would write its cache to the home directory.
  const env = { PATH: process.env.PATH ?? '', HOME: project, NO_COLOR: '1' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 60_000 })
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`)
  return stdout + stderr
}

const tools = installTools('runtimes')
/** The program of a runtime. The name of its package contains the platform of this machine. */
const binary = (pattern: string): string => {
  const [found] = globSync(pattern, { cwd: join(tools, 'node_modules') })
  assert.ok(found !== undefined, `no package of this machine for ${pattern}`)
  return join(tools, 'node_modules', found)
}

const installTarball = (): void => {
  const packed = spawnSync('npm', ['pack', '--json', '--pack-destination', project], {
    cwd: join(root, 'packages/sdk'),
    encoding: 'utf8',
  })
  assert.equal(packed.status, 0, packed.stderr)
  const [{ filename }] = JSON.parse(packed.stdout)
  writeFileSync(join(project, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`])
  // The same program as `npm run runtimes`, but it imports the package by its name.
  for (const name of ['check-client.js', 'check-vectors.js', 'vectors.js'])
    copyFileSync(join(import.meta.dirname, name), join(project, name))
  const program = readFileSync(join(import.meta.dirname, 'run-vectors.js'), 'utf8')
  writeFileSync(
    join(project, 'run-vectors.js'),
    program.replace('../src/sdk.js', '@sanad/sdk').replace('../src/testing.js', '@sanad/sdk/testing'),
  )
}
installTarball()

const { vectors }: { vectors: readonly unknown[] } = await import(join(import.meta.dirname, 'vectors.js'))
const allPassed = new RegExp(`\\b${vectors.length} vectors pass`)

const runtimes = [
  { name: 'Node 24', version: /^v24\./, program: () => process.execPath, args: ['run-vectors.js'] },
  { name: 'Node 20', version: /^v20\./, program: () => binary('node-*/bin/node'), args: ['run-vectors.js'] },
  {
    name: 'Deno',
    version: /^deno 2\./,
    program: () => binary('@deno/*/deno'),
    args: ['run', '--no-prompt', '--no-remote', '--cached-only', 'run-vectors.js'],
  },
  { name: 'Bun', version: /^1\./, program: () => binary('@oven/*/bin/bun'), args: ['run-vectors.js'] },
]
for (const { name, version, program, args } of runtimes)
  test(`the tarball on ${name}`, () => {
    assert.match(run(program(), ['--version']), version)
    assert.match(run(program(), args), allPassed)
  })

test('the tarball on workerd, without its Node compatibility', () => {
  // A worker gets its modules by their paths, so the test must be beside the installed sources.
  const installed = join(project, 'node_modules/@sanad/sdk')
  mkdirSync(join(installed, 'test'))
  for (const name of ['worker.js', 'workerd.capnp', 'check-client.js', 'check-vectors.js', 'vectors.js'])
    copyFileSync(join(import.meta.dirname, name), join(installed, 'test', name))
  const workerd = binary('@cloudflare/*/bin/workerd')
  assert.match(run(workerd, ['--version']), /^workerd 20/)
  assert.match(run(workerd, ['test', join(installed, 'test/workerd.capnp')]), allPassed)
})
