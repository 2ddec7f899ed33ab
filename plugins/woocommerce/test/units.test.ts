/** The plugin's units, by PHPUnit; and that what the plugin repeats of the repository agrees with it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { usualCurrency } from '../../../packages/contract/src/currency.ts'
import { woocommercePackage } from '../../../packages/server/src/http/guide/woocommerce-package.ts'
import { builtTranslation, translationFile } from '../translations.ts'
import { findProgram } from './shop/programs.ts'

const plugin = resolve(import.meta.dirname, '../plugin')
const read = (path: string): string => readFileSync(join(plugin, path), 'utf8')

test('the units of the WooCommerce plugin pass', () => {
  const [php, phpunit] = [findProgram('php'), findProgram('phpunit')]
  const { status, stdout, stderr } = spawnSync(php, [phpunit, '-c', join(import.meta.dirname, 'units/phpunit.xml')], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, `${stdout}${stderr}`)
  assert.match(stdout, /OK \(\d{2,} tests/)
})

test('the WooCommerce plugin collects the currency of the contract', () => {
  assert.equal(/CURRENCY = '([A-Z]{3})'/.exec(read('includes/service/Money.php'))?.[1], usualCurrency)
})

test('every text of the WooCommerce plugin has an Arabic translation with the same places, and the .mo is made from it', () => {
  const texts = new Set(
    globSync('{*.php,includes/*/*.php}', { cwd: plugin }).flatMap((path) =>
      [...read(path).matchAll(/(?:__|esc_html__)\(\s*'((?:[^'\\]|\\.)*)',\s*'sanad-for-woocommerce'/g)].map((found) =>
        found[1]!.replaceAll("\\'", "'"),
      ),
    ),
  )
  const { entries, bytes } = builtTranslation()
  assert.ok(texts.size > 80, `${texts.size} texts`)
  assert.deepEqual([...texts].filter((text) => !entries.has(text)).sort(), [], 'without a translation')
  assert.deepEqual([...entries.keys()].filter((text) => text !== '' && !texts.has(text)).sort(), [], 'no longer used')
  const places = (text: string): string[] => (text.match(/%(?:\d\$)?[sd]/g) ?? []).sort()
  for (const [text, arabic] of entries) if (text !== '') assert.deepEqual(places(arabic), places(text), text)
  assert.deepEqual(readFileSync(translationFile), bytes, 'run npm run woocommerce:translations')
})

test('the zip of the WooCommerce plugin is the same each time, and has one folder with everything that a shop needs', () => {
  const bytes = woocommercePackage()
  assert.deepEqual(woocommercePackage(), bytes)
  const names: string[] = []
  for (let at = bytes.indexOf('PK\x01\x02', 0, 'latin1'); at !== -1; at = bytes.indexOf('PK\x01\x02', at + 1, 'latin1'))
    names.push(bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)))
  for (const name of [
    'sanad-for-woocommerce.php',
    'readme.txt',
    'LICENSE',
    'includes/shop/Gateway.php',
    'assets/blocks.js',
  ])
    assert.ok(names.includes(`sanad-for-woocommerce/${name}`), name)
})

test('the WooCommerce plugin names one version in its header and in readme.txt', () => {
  const version = /^ \* Version: (.+)$/m.exec(read('sanad-for-woocommerce.php'))?.[1]
  assert.equal(/^Stable tag: (.+)$/m.exec(read('readme.txt'))?.[1], version)
  const { version: ours } = JSON.parse(readFileSync(resolve(plugin, '../../../package.json'), 'utf8'))
  assert.equal(version, ours)
})
