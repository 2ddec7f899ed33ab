/**
 * The last release before this version, from the history of the repository (release/releases.json), with its own packages. A clone
 * without history does not have it; then a test that needs it fails with a sentence.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../../../..')
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

export type Release = { readonly version: string; readonly commit: string }

export const lastRelease = (): Release => {
  const { version } = readJson('package.json')
  const { releases } = readJson('release/releases.json') as { releases: Release[] }
  return releases.findLast((release) => release.version !== version)!
}

const run = (cwd: string, command: string, args: readonly string[], failed: string): void => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${failed}\n${stdout}${stderr}`)
}

/** Writes the release into a new folder, installs its packages, and returns the file of its command line. */
export const installRelease = ({ version, commit }: Release, folder: string): string => {
  mkdirSync(folder)
  const archive = join(folder, 'release.tar')
  const noHistory = `The commit of ${version} is missing: the upgrade is tested in a clone with its whole history.`
  run(root, 'git', ['archive', '--output', archive, commit], noHistory)
  run(folder, 'tar', ['xf', archive], 'The release could not be unpacked.')
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--engine-strict=false']
  run(folder, 'npm', args, `npm ci of ${version} failed: it needs the npm registry.`)
  const main = join(folder, 'packages/server/src/main.ts')
  if (!existsSync(main)) throw new Error(`${version} has no ${main}`)
  return main
}
