/** Builds Medusa's administration with the plugin's widget, as a shop's own build does. Run in the folder of the shop. */
import './settings.js'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from '@medusajs/admin-bundler'

// The plugin must be installed under its name, as in a shop.
const scope = join(import.meta.dirname, 'app/node_modules/@sanad')
await rm(scope, { recursive: true, force: true })
await mkdir(scope, { recursive: true })
await symlink(join(import.meta.dirname, '..'), join(scope, 'medusa-plugin'))
await build({
  disable: false,
  path: '/app',
  outDir: join(import.meta.dirname, 'app/public/admin'),
  sources: [],
  plugins: ['@sanad/medusa-plugin/admin'],
  backendUrl: '',
})
