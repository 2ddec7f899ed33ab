/**
 * Installs the tools of a folder under acceptance/ from its lock file, once. They are generators, a linter and runtimes that
 * only slow tests need; they are too large for the main install. Install scripts are not run. If the tools cannot be
 * installed, a test that needs them fails.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../../../..')

/** Returns the folder that holds the tools' node_modules. */
export const installTools = (name: 'public-tools' | 'runtimes' | 'node-22'): string => {
  const folder = join(root, 'acceptance', name)
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const stamp = join(folder, 'node_modules/.installed-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return folder
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`npm ci in acceptance/${name} failed: it needs the npm registry\n${stdout}${stderr}`)
  writeFileSync(stamp, lock)
  return folder
}
