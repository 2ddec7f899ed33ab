/** Writes the zip that a shop uploads under Plugins: npm run woocommerce:zip. A running service hands out the same bytes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { woocommercePackage } from '../../packages/server/src/http/guide/woocommerce-package.ts'

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'))
const path = resolve(import.meta.dirname, `../../release/out/sanad-for-woocommerce-${version}.zip`)
mkdirSync(dirname(path), { recursive: true })
const bytes = woocommercePackage()
writeFileSync(path, bytes)
process.stdout.write(`${path}: ${bytes.length} bytes\n`)
