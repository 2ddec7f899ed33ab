/**
 * The SDK without Node's APIs. runtimes.slow.test.ts runs the package on five runtimes; `npm run runtimes -w packages/sdk`
 * runs it on those of the PATH.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import * as sdk from '@sanad/sdk'

const here = (name: string): string => join(import.meta.dirname, name)
// These are plain JavaScript, which every runtime reads; their types are checked together with those of the SDK.
type Check = (checkedSdk: typeof sdk) => Promise<{ checked: number; faults: string[] }>
const { checkVectors }: { checkVectors: Check } = await import(here('check-vectors.js'))
const { vectors }: { vectors: readonly unknown[] } = await import(here('vectors.js'))
const node = (...args: string[]) => spawnSync(process.execPath, ['--no-warnings', ...args], { encoding: 'utf8' })

test('every vector passes, and a changed one fails', async () => {
  const { checked, faults } = await checkVectors(sdk)
  assert.deepEqual(faults, [])
  assert.ok(checked === vectors.length && checked > 35)
  // An SDK that accepts everything, and one that refuses everything, are both detected.
  const lax = { ...sdk, verifyWebhook: async () => ({ event: 'payment.verified' }) } as unknown as typeof sdk
  const strict = { ...sdk, verifyWebhook: () => Promise.reject(new sdk.WebhookError('no_match', '')) }
  for (const faulty of [lax, strict]) assert.ok((await checkVectors(faulty)).faults.length > 15)
})

test('the program for other runtimes prints how many vectors it checked', () => {
  const { status, stdout, stderr } = node(here('run-vectors.js'))
  assert.deepEqual([status, stdout, stderr], [0, `${vectors.length} vectors pass\n`, ''])
})

test('`npm run runtimes` runs the vectors on the runtimes of the PATH, and names those that it did not find', () => {
  const PATH = dirname(process.execPath)
  const { status, stdout } = spawnSync(process.execPath, [here('runtimes.js')], { encoding: 'utf8', env: { PATH } })
  assert.match(stdout, new RegExp(`^node \\d+\\.\\d+\\.\\d+: ${vectors.length} vectors pass$`, 'm'))
  assert.match(stdout, /not tried: deno, bun, workerd\./)
  assert.equal(status, 0)
})

test('it needs only the language and Web globals; without Web Crypto it fails', () => {
  const bare = node('--experimental-vm-modules', here('bare-context.js'))
  assert.deepEqual([bare.status, bare.stdout, bare.stderr], [0, `${vectors.length} vectors pass\n`, ''])
  assert.notEqual(node('--experimental-vm-modules', here('bare-context.js'), '--no-crypto').status, 0)
})

test('the worker gets every module of the SDK that needs no Node', () => {
  const config = readFileSync(here('workerd.capnp'), 'utf8')
  const embedded = [...config.matchAll(/embed "\.\.\/src\/([^"]+)"/g)].map(([, name]) => name!)
  const needsNode = (name: string): boolean => name === 'forward.js' || /^commands(\.js$|\/)/.test(name)
  const sources = globSync('**/*.js', { cwd: here('../src') }).filter((name) => !needsNode(name))
  assert.deepEqual(embedded.sort(), sources.sort())
})
