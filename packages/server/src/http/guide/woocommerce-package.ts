/** The plugin for WooCommerce as the zip that a shop uploads under Plugins. The same sources give the same bytes. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ZipEntry, zipOf } from './zip.ts'

const root = resolve(import.meta.dirname, '../../../../..')
const plugin = join(root, 'plugins/woocommerce/plugin')
const folder = 'sanad-for-woocommerce'

export const woocommercePackage = (): Buffer => {
  const entryOf = (name: string, path: string): ZipEntry => ({ name: `${folder}/${name}`, content: readFileSync(path) })
  const names = globSync('**/*.{php,js,txt,po,mo}', { cwd: plugin }).sort()
  return zipOf([entryOf('LICENSE', join(root, 'LICENSE')), ...names.map((name) => entryOf(name, join(plugin, name)))])
}
