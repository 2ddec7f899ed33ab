/**
 * `npm run runtimes -w packages/sdk`: runs the vectors on every runtime on the PATH, without flags that would enable
 * Node features. Reports which were not found; fails when one of those found fails a vector.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const program = join(import.meta.dirname, 'run-vectors.js')
const config = join(import.meta.dirname, 'workerd.capnp')

/** @type {readonly { name: string, args: string[] }[]} */
const runtimes = [
  { name: 'node', args: [program] },
  { name: 'deno', args: ['run', '--no-prompt', '--no-config', program] },
  { name: 'bun', args: [program] },
  { name: 'workerd', args: ['test', config] },
]

/** @type {string[]} */
const missing = []
for (const { name, args } of runtimes) {
  const versionRun = spawnSync(name, ['--version'], { encoding: 'utf8' })
  if (versionRun.error !== undefined) {
    missing.push(name)
    continue
  }
  const version = versionRun.stdout.split('\n')[0]?.replace(/^(?:[a-z]+ |v)/, '')
  const { status, stdout, stderr } = spawnSync(name, args, { encoding: 'utf8' })
  const line = /\d+ vectors pass/.exec(stdout + stderr)?.[0]
  const passed = status === 0 && line !== undefined
  console.log(`${name} ${version}: ${passed ? line : `failed\n${stdout}${stderr}`}`)
  if (!passed) process.exitCode = 1
}
if (missing.length > 0) console.log(`Not found on the PATH, and so not tried: ${missing.join(', ')}.`)
