/**
 * Finds a program, or installs Debian's package if that is allowed, or fails with one sentence. No test is skipped for want of a
 * program.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const folders = (): string[] => [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']

/** Returns the path of the program. */
export const findProgram = (name: string, debianPackage: string = name): string => {
  const find = (): string | undefined =>
    folders()
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path))
  // No service is started: only the program is needed. Another program may be installing packages.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const waitForLock = ['-o', 'DPkg::Lock::Timeout=120']
  const install = [...waitForLock, 'install', '-y', '--no-install-recommends', debianPackage]
  const found = find()
  if (found !== undefined) return found
  for (const args of [install, [...waitForLock, 'update'], install]) {
    spawnSync('apt-get', args, { stdio: 'ignore', env })
    const added = find()
    if (added !== undefined) return added
  }
  throw new Error(`This test needs ${name}: install it, on Debian with apt-get install ${debianPackage}.`)
}
