/**
 * The tarballs of both plugins in a TypeScript shop: their types are found with each kind of module, and a wrong option does not compile.
 * The types of Medusa's plugin need no Medusa, so they are tested here.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const here = import.meta.dirname
const shop = mkdtempSync(join(tmpdir(), 'sanad-vendure-shop-'))
after(() => rmSync(shop, { recursive: true, force: true }))

/** @type {(command: string, args: readonly string[], cwd: string) => { status: number | null, stdout: string, output: string }} */
const run = (command, args, cwd) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (error !== undefined) throw error
  return { status, stdout, output: stdout + stderr }
}

/** Packs a package and unpacks it as npm installs it. @type {(folder: string, name: string) => void} */
const install = (folder, name) => {
  const packed = run('npm', ['pack', '--json', '--pack-destination', shop], folder)
  assert.equal(packed.status, 0, packed.output)
  const { filename } = JSON.parse(packed.stdout)[0]
  const into = join(shop, 'node_modules', name)
  mkdirSync(into, { recursive: true })
  assert.equal(run('tar', ['-xzf', join(shop, filename), '--strip-components=1', '-C', into], shop).status, 0)
}

const program = `
import type { SanadProviderOptions } from '@sanad/medusa-plugin'
import { SanadPlugin, type SanadPluginOptions } from '@sanad/vendure-plugin'
import type { VendureConfig } from '@vendure/core'

const options: SanadPluginOptions = {
  baseUrl: 'https://pay.example.com',
  clientId: 'a',
  clientSecret: 'b',
  webhookSecret: ['c', 'd'],
  testMode: process.env.SANAD_TEST_MODE === '1',
}
const provider: SanadProviderOptions = { ...options, page: 'own', returnUrl: 'https://shop.example.com/{session}' }
// @ts-expect-error There is no such page.
export const wrong: SanadProviderOptions = { ...provider, page: 'mine' }
export const plugins: VendureConfig['plugins'] = [SanadPlugin.init(options)]
export const read = async (): Promise<number> => (await SanadPlugin.open(options).payments().refreshWaiting(0)).waiting
// @ts-expect-error A text would count as true.
SanadPlugin.init({ ...options, testMode: '0' })
// @ts-expect-error The secret of the endpoint is needed.
SanadPlugin.init({ baseUrl: '', clientId: '', clientSecret: '' })
`

const kinds = {
  'ES modules': { type: 'module', module: 'nodenext', moduleResolution: 'nodenext' },
  'CommonJS of today': { type: 'commonjs', module: 'nodenext', moduleResolution: 'nodenext' },
  'CommonJS as before': { type: 'commonjs', module: 'commonjs', moduleResolution: 'node10' },
  'a bundler': { type: 'module', module: 'esnext', moduleResolution: 'bundler' },
}

test('a TypeScript shop finds the types of the tarball, whichever modules it uses', () => {
  install(join(here, '../../../packages/sdk'), '@sanad/sdk')
  install(join(here, '..'), '@sanad/vendure-plugin')
  install(join(here, '../../medusa'), '@sanad/medusa-plugin')
  // What npm would install beside them.
  const installed = join(here, '../node_modules')
  symlinkSync(join(installed, '@vendure'), join(shop, 'node_modules/@vendure'))
  symlinkSync(join(here, '../../../node_modules/@types'), join(shop, 'node_modules/@types'))
  writeFileSync(join(shop, 'shop.ts'), program)
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  for (const [name, { type, ...modules }] of Object.entries(kinds)) {
    writeFileSync(join(shop, 'package.json'), JSON.stringify({ name: 'shop', private: true, type }))
    const compilerOptions = {
      ...modules,
      strict: true,
      noEmit: true,
      target: 'es2022',
      skipLibCheck: true,
      types: ['node'],
    }
    writeFileSync(join(shop, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['shop.ts'] }))
    const { status, output } = run(process.execPath, [compiler, '-p', '.'], shop)
    assert.equal(status, 0, `${name}: ${output}`)
  }
})

test('require() and import load the same plugin', async () => {
  const required = createRequire(import.meta.url)('@sanad/vendure-plugin')
  assert.equal(required.SanadPlugin, (await import('@sanad/vendure-plugin')).SanadPlugin)
})
